package span

import (
	"encoding/binary"
	"time"
)

// Strings, bytes and the scalars of more than one number.

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

// SizeString is the size of the length and the bytes.
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

// SizeBytes is the size of the length and the bytes.
func SizeBytes(v []byte) int {
	return SizeLength(len(v)) + len(v)
}

// consumeBytes gives the bytes behind a length, a part of b.
func consumeBytes(b []byte) ([]byte, int) {
	length, n := ConsumeLength(b)
	if n < 0 {
		return nil, n
	}
	if length > len(b)-n {
		return nil, codeTruncated
	}
	return b[n : n+length], n + length
}

// AppendTime appends t in the form of the Go profile: int64 Unix seconds and
// uint32 nanoseconds, 12 bytes. Location and monotonic clock are not carried.
func AppendTime(b []byte, t time.Time) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(t.Unix()))
	return binary.LittleEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

// ConsumeTime reads 12 bytes; see TimeFromFull. More than 999,999,999
// nanoseconds are ErrRange.
func ConsumeTime(b []byte) (time.Time, int) {
	if len(b) < 12 {
		return time.Time{}, codeTruncated
	}
	t, ok := TimeFromFull(int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]))
	if !ok {
		return time.Time{}, codeRange
	}
	return t, 12
}

// SizeTime is 12.
func SizeTime(time.Time) int { return 12 }

// AppendDuration appends the nanoseconds as int64, 8 bytes.
func AppendDuration(b []byte, d time.Duration) []byte {
	return AppendInt64(b, int64(d))
}

// ConsumeDuration reads 8 bytes.
func ConsumeDuration(b []byte) (time.Duration, int) {
	v, n := ConsumeInt64(b)
	return time.Duration(v), n
}

// SizeDuration is 8.
func SizeDuration(time.Duration) int { return 8 }

// AppendGUID appends the 16 bytes of g.
func AppendGUID(b []byte, g GUID) []byte {
	return append(b, g[:]...)
}

// ConsumeGUID reads 16 bytes.
func ConsumeGUID(b []byte) (GUID, int) {
	if len(b) < 16 {
		return GUID{}, codeTruncated
	}
	return GUID(b[:16]), 16
}

// SizeGUID is 16.
func SizeGUID(GUID) int { return 16 }

// AppendDecimal appends the four words of d.Bits, 16 bytes.
func AppendDecimal(b []byte, d Decimal) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(d.mid)<<32|uint64(d.lo))
	return binary.LittleEndian.AppendUint64(b, uint64(d.flags)<<32|uint64(d.hi))
}

// ConsumeDecimal reads 16 bytes; flags that DecimalFromBits refuses are
// ErrMalformed.
func ConsumeDecimal(b []byte) (Decimal, int) {
	if len(b) < 16 {
		return Decimal{}, codeTruncated
	}
	low, high := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	d := Decimal{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)}
	if !d.valid() {
		return Decimal{}, codeMalformed
	}
	return d, 16
}

// SizeDecimal is 16.
func SizeDecimal(Decimal) int { return 16 }

// AppendChar appends 1 byte. A character that is not Valid has none: it gives
// ErrRange, and b as it was.
func AppendChar(b []byte, c Char) ([]byte, error) {
	if !c.Valid() {
		return b, charFault(c)
	}
	return append(b, byte(c)), nil
}

// ConsumeChar reads 1 byte.
func ConsumeChar(b []byte) (Char, int) {
	v, n := ConsumeUint8(b)
	return Char(v), n
}

// SizeChar is 1.
func SizeChar(Char) int { return 1 }
