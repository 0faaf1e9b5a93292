package wire

import "math/bits"

// A uvarint holds 7 bits of a number per byte, lowest first; all bytes but the
// last have their high bit set. Writers use the fewest bytes. A form padded with
// zeros beyond that is ErrMalformed for all but lenient readers, and one with
// more bits than the number may have is ErrRange for all, also where zeros make
// it longer than the largest number.
//
// An integer of 16, 32 or 64 bits under the tag varint, signed or not, is the
// uvarint of its two's-complement bits, as NewLife's EncodeInt has it: int32 -1
// is AppendUvarint(b, uint64(uint32(x))) with x = -1 and takes 5 bytes. Under the
// tag zigzag it is the uvarint of ZigZag(x).

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

// ConsumeUvarint reads a uvarint of at most width bits, 1 to 64, with padding
// where lenient. Its result is final as soon as it is not Truncated: no further
// bytes can change it.
//
//go:noinline
func ConsumeUvarint(b []byte, width int, lenient bool) (uint64, int) {
	last := (width - 1) / 7 // index of the longest form's last byte
	most := byte(1)<<(width-7*last) - 1
	var v uint64
	for i, c := range b {
		if i == last && c > most {
			return 0, OutOfRange
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 && !lenient {
				return 0, Malformed
			}
			return v, i + 1
		}
	}
	return 0, Truncated
}

// SizeUvarint returns 1 to 10.
func SizeUvarint(v uint64) int {
	return (9*bits.Len64(v) + 64) / 64 // ceil(bits/7), 1 for 0
}

// AppendLength appends a length or count as a uvarint of 1 to 5 bytes. n must be
// in 0 to MaxLength; what becomes of another is refused by every reader.
func AppendLength(b []byte, n int) []byte {
	return AppendUvarint(b, uint64(n))
}

// ConsumeLength reads a length or count of 1 to 5 bytes, at most MaxLength, with
// padding where lenient. It says nothing about the input after it: compare with
// that before use.
func ConsumeLength(b []byte, lenient bool) (length, n int) {
	v, n := ConsumeUvarint(b, 31, lenient)
	return int(v), n
}

// SizeLength returns 1 to 5.
func SizeLength(n int) int {
	return SizeUvarint(uint64(n))
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
