package wire

import (
	"encoding/binary"
	"time"
)

// AppendBool appends 1 byte, 0 or 1.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// ConsumeBool reads 1 byte; any but 0 and 1 is ErrMalformed.
func ConsumeBool(b []byte) (bool, int) {
	if len(b) < 1 {
		return false, Truncated
	}
	if b[0] > 1 {
		return false, Malformed
	}
	return b[0] == 1, 1
}

// AppendString appends the length of s as a uvarint and its bytes. A string
// longer than MaxLength gets a length that every reader refuses.
func AppendString(b []byte, s string) []byte {
	return append(AppendLength(b, len(s)), s...)
}

// ConsumeString reads what AppendString appends, into memory of its own.
func ConsumeString(b []byte) (string, int) {
	v, n := consumeBytes(b)
	return string(v), n
}

// SizeString returns the size of the length and the bytes.
func SizeString(s string) int {
	return SizeLength(len(s)) + len(s)
}

// AppendBytes appends the length of v as a uvarint and its bytes. A slice longer
// than MaxLength gets a length that every reader refuses.
func AppendBytes(b, v []byte) []byte {
	return append(AppendLength(b, len(v)), v...)
}

// ConsumeBytes reads what AppendBytes appends, into memory of its own; nil where
// the length is 0.
func ConsumeBytes(b []byte) ([]byte, int) {
	v, n := consumeBytes(b)
	return append([]byte(nil), v...), n
}

// SizeBytes returns the size of the length and the bytes.
func SizeBytes(v []byte) int {
	return SizeLength(len(v)) + len(v)
}

// consumeBytes returns the bytes after a length, a part of b.
func consumeBytes(b []byte) ([]byte, int) {
	length, n := ConsumeLength(b, false)
	if n < 0 {
		return nil, n
	}
	if length > len(b)-n {
		return nil, Truncated
	}
	return b[n : n+length], n + length
}

// AppendTime appends t in the form of the Go profile: int64 Unix seconds and
// uint32 nanoseconds, 12 bytes. Location and monotonic clock are not carried.
func AppendTime(b []byte, t time.Time) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(t.Unix()))
	return binary.LittleEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

// ConsumeTime reads 12 bytes; see TimeFromFull. More than MaxNanosecond
// nanoseconds are ErrRange.
func ConsumeTime(b []byte) (time.Time, int) {
	if len(b) < 12 {
		return time.Time{}, Truncated
	}
	t, ok := TimeFromFull(int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]))
	if !ok {
		return time.Time{}, OutOfRange
	}
	return t, 12
}

// ValidDecimal reports whether flags may be the last of the four words of a
// decimal, which hold its scale, 0 to 28, in bits 16 to 23 and its sign in bit
// 31.
func ValidDecimal(flags uint32) bool {
	const sign, scale = 1 << 31, 0xff << 16
	return flags&^(sign|scale) == 0 && flags&scale <= 28<<16
}
