package spanrt

import (
	"encoding/binary"
	"math"
)

// Bool returns the byte of v.
func Bool(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// The PutX functions store a value in the first bytes of b, little-endian; b
// must be long enough.

func PutUint16(b []byte, v uint16)   { binary.LittleEndian.PutUint16(b, v) }
func PutUint32(b []byte, v uint32)   { binary.LittleEndian.PutUint32(b, v) }
func PutUint64(b []byte, v uint64)   { binary.LittleEndian.PutUint64(b, v) }
func PutUint16BE(b []byte, v uint16) { binary.BigEndian.PutUint16(b, v) }
func PutUint32BE(b []byte, v uint32) { binary.BigEndian.PutUint32(b, v) }
func PutUint64BE(b []byte, v uint64) { binary.BigEndian.PutUint64(b, v) }

// The GetX functions load a value from the first bytes of b, little-endian; b
// must be long enough.

func GetUint16(b []byte) uint16   { return binary.LittleEndian.Uint16(b) }
func GetUint32(b []byte) uint32   { return binary.LittleEndian.Uint32(b) }
func GetUint64(b []byte) uint64   { return binary.LittleEndian.Uint64(b) }
func GetUint16BE(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func GetUint32BE(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func GetUint64BE(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

func PutFloat32(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) }
func PutFloat64(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }
func GetFloat32(b []byte) float32    { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
func GetFloat64(b []byte) float64    { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// FitsInt reports whether the int64 at the start of b is an int on this platform.
func FitsInt(b []byte) bool { x := GetUint64(b); return int64(int(x)) == int64(x) }

// FitsIntBE is FitsInt for a number with its highest byte first.
func FitsIntBE(b []byte) bool { x := GetUint64BE(b); return int64(int(x)) == int64(x) }

// FitsUint reports whether the uint64 at the start of b is a uint on this
// platform.
func FitsUint(b []byte) bool { x := GetUint64(b); return uint64(uint(x)) == x }

// FitsUintBE is FitsUint for a number with its highest byte first.
func FitsUintBE(b []byte) bool { x := GetUint64BE(b); return uint64(uint(x)) == x }

func PutFloat32BE(b []byte, v float32) { PutUint32BE(b, math.Float32bits(v)) }
func PutFloat64BE(b []byte, v float64) { PutUint64BE(b, math.Float64bits(v)) }
func GetFloat32BE(b []byte) float32    { return math.Float32frombits(GetUint32BE(b)) }
func GetFloat64BE(b []byte) float64    { return math.Float64frombits(GetUint64BE(b)) }
