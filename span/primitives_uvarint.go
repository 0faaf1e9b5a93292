package span

import "math/bits"

// A uvarint holds 7 bits of a number per byte, lowest first; all bytes but the
// last have their high bit set. Writers use the fewest bytes. A form padded with
// zeros beyond that is ErrMalformed for all but the Lenient functions, and one
// with more bits than the number may have is ErrRange for all, also where zeros
// make it longer than the largest number.

// AppendUvarint appends v as 1 to 10 bytes.
func AppendUvarint(b []byte, v uint64) []byte {
	if v < 0x80 {
		return append(b, byte(v))
	}
	return appendUvarint(b, v)
}

// appendUvarint is AppendUvarint for more than one byte.
//
//go:noinline
func appendUvarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// ConsumeUvarint reads 1 to 10 bytes.
func ConsumeUvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return consumeUvarint(b, 64, false)
}

// ConsumeUvarintLenient is ConsumeUvarint that accepts padding.
func ConsumeUvarintLenient(b []byte) (uint64, int) {
	return consumeUvarint(b, 64, true)
}

// SizeUvarint is 1 to 10.
func SizeUvarint(v uint64) int {
	return (9*bits.Len64(v) + 64) / 64 // ceil(bits/7), 1 for 0
}

// consumeUvarint reads a number of at most width bits, 1 to 64. Its result is
// final as soon as it is not codeTruncated: no further bytes can change it.
//
//go:noinline
func consumeUvarint(b []byte, width int, lenient bool) (uint64, int) {
	last := (width - 1) / 7 // index of the longest form's last byte
	most := byte(1)<<(width-7*last) - 1
	var v uint64
	for i, c := range b {
		if i == last && c > most {
			return 0, codeRange
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 && !lenient {
				return 0, codeMalformed
			}
			return v, i + 1
		}
	}
	return 0, codeTruncated
}

// The Varint functions carry the two's-complement bits of an integer of their
// width, signed or not, as NewLife's EncodeInt and the tag varint do: int32 -1 is
// AppendVarint32(b, uint32(x)) with x = -1 and takes 5 bytes.

// AppendVarint16 appends 1 to 3 bytes.
func AppendVarint16(b []byte, v uint16) []byte {
	return AppendUvarint(b, uint64(v))
}

// ConsumeVarint16 reads 1 to 3 bytes.
func ConsumeVarint16(b []byte) (uint16, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint16(b[0]), 1
	}
	v, n := consumeUvarint(b, 16, false)
	return uint16(v), n
}

// ConsumeVarint16Lenient is ConsumeVarint16 that accepts padding.
func ConsumeVarint16Lenient(b []byte) (uint16, int) {
	v, n := consumeUvarint(b, 16, true)
	return uint16(v), n
}

// SizeVarint16 is 1 to 3.
func SizeVarint16(v uint16) int {
	return SizeUvarint(uint64(v))
}

// AppendVarint32 appends 1 to 5 bytes.
func AppendVarint32(b []byte, v uint32) []byte {
	return AppendUvarint(b, uint64(v))
}

// ConsumeVarint32 reads 1 to 5 bytes.
func ConsumeVarint32(b []byte) (uint32, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint32(b[0]), 1
	}
	v, n := consumeUvarint(b, 32, false)
	return uint32(v), n
}

// ConsumeVarint32Lenient is ConsumeVarint32 that accepts padding.
func ConsumeVarint32Lenient(b []byte) (uint32, int) {
	v, n := consumeUvarint(b, 32, true)
	return uint32(v), n
}

// SizeVarint32 is 1 to 5.
func SizeVarint32(v uint32) int {
	return SizeUvarint(uint64(v))
}

// AppendVarint64 appends 1 to 10 bytes.
func AppendVarint64(b []byte, v uint64) []byte {
	return AppendUvarint(b, v)
}

// ConsumeVarint64 reads 1 to 10 bytes.
func ConsumeVarint64(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return consumeUvarint(b, 64, false)
}

// ConsumeVarint64Lenient is ConsumeVarint64 that accepts padding.
func ConsumeVarint64Lenient(b []byte) (uint64, int) {
	return consumeUvarint(b, 64, true)
}

// SizeVarint64 is 1 to 10.
func SizeVarint64(v uint64) int {
	return SizeUvarint(v)
}

// ZigZag maps integers near zero to small numbers: 0, -1, 1, -2 to 0, 1, 2, 3.
// An integer of 16 or 32 bits becomes a number of as many.
func ZigZag(v int64) uint64 {
	return uint64(v)<<1 ^ uint64(v>>63)
}

// UnZigZag reverses ZigZag.
func UnZigZag(v uint64) int64 {
	return int64(v>>1) ^ -int64(v&1)
}

// AppendZigZag appends ZigZag(v) as a uvarint, 1 to 10 bytes.
func AppendZigZag(b []byte, v int64) []byte {
	return AppendUvarint(b, ZigZag(v))
}

// ConsumeZigZag reads 1 to 10 bytes.
func ConsumeZigZag(b []byte) (int64, int) {
	v, n := ConsumeUvarint(b)
	return UnZigZag(v), n
}

// ConsumeZigZagLenient is ConsumeZigZag that accepts padding.
func ConsumeZigZagLenient(b []byte) (int64, int) {
	v, n := ConsumeUvarintLenient(b)
	return UnZigZag(v), n
}

// SizeZigZag is 1 to 10.
func SizeZigZag(v int64) int {
	return SizeUvarint(ZigZag(v))
}

// AppendLength appends a length or count as a uvarint of 1 to 5 bytes. n must be
// in 0 to MaxLength; what becomes of another is refused by every reader.
func AppendLength(b []byte, n int) []byte {
	return AppendUvarint(b, uint64(n))
}

// ConsumeLength reads a length or count of 1 to 5 bytes, at most MaxLength. It
// says nothing about the input behind it: compare with that before use.
func ConsumeLength(b []byte) (length, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return int(b[0]), 1
	}
	v, n := consumeUvarint(b, 31, false)
	return int(v), n
}

// ConsumeLengthLenient is ConsumeLength that accepts padding.
func ConsumeLengthLenient(b []byte) (length, n int) {
	v, n := consumeUvarint(b, 31, true)
	return int(v), n
}

// SizeLength is 1 to 5.
func SizeLength(n int) int {
	return SizeUvarint(uint64(n))
}
