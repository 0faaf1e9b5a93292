package binary

import (
	"hash/crc32"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
)

// sums are the checksums by name; binaryplan.Sums says what they take.
var sums = map[string]func([]byte) uint64{
	"crc32":        func(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) },
	"crc16-modbus": func(b []byte) uint64 { return uint64(crc16(b)) },
	"xor":          xor,
	"sum8":         sum8,
}

func sumOf(l *binaryplan.Sum) *sumPlan {
	if l == nil {
		return nil
	}
	return &sumPlan{name: l.Name, slot: l.Slot, size: l.Size, funct: sums[l.Name]}
}

// crc16 is the checksum of Modbus: polynomial 0x8005 reflected, from 0xffff.
func crc16(b []byte) uint16 {
	crc := uint16(0xffff)
	for _, c := range b {
		crc = crc>>8 ^ crc16Table[byte(crc)^c]
	}
	return crc
}

var crc16Table = func() (t [256]uint16) {
	for i := range t {
		crc := uint16(i)
		for range 8 {
			crc = crc>>1 ^ 0xa001*(crc&1)
		}
		t[i] = crc
	}
	return t
}()

func xor(b []byte) (v uint64) {
	for _, c := range b {
		v ^= uint64(c)
	}
	return v
}

func sum8(b []byte) (v uint64) {
	for _, c := range b {
		v += uint64(c)
	}
	return v & 0xff
}
