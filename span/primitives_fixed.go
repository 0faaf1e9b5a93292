package span

import (
	"encoding/binary"
	"math"
)

// Integers and floats of fixed width, little-endian.

// AppendUint16 appends 2 bytes.
func AppendUint16(b []byte, v uint16) []byte {
	return binary.LittleEndian.AppendUint16(b, v)
}

// ConsumeUint16 reads 2 bytes.
func ConsumeUint16(b []byte) (uint16, int) {
	if len(b) < 2 {
		return 0, codeTruncated
	}
	return binary.LittleEndian.Uint16(b), 2
}

// SizeUint16 is 2.
func SizeUint16(uint16) int { return 2 }

// AppendUint32 appends 4 bytes.
func AppendUint32(b []byte, v uint32) []byte {
	return binary.LittleEndian.AppendUint32(b, v)
}

// ConsumeUint32 reads 4 bytes.
func ConsumeUint32(b []byte) (uint32, int) {
	if len(b) < 4 {
		return 0, codeTruncated
	}
	return binary.LittleEndian.Uint32(b), 4
}

// SizeUint32 is 4.
func SizeUint32(uint32) int { return 4 }

// AppendUint64 appends 8 bytes.
func AppendUint64(b []byte, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(b, v)
}

// ConsumeUint64 reads 8 bytes.
func ConsumeUint64(b []byte) (uint64, int) {
	if len(b) < 8 {
		return 0, codeTruncated
	}
	return binary.LittleEndian.Uint64(b), 8
}

// SizeUint64 is 8.
func SizeUint64(uint64) int { return 8 }

// AppendInt16 appends 2 bytes.
func AppendInt16(b []byte, v int16) []byte {
	return AppendUint16(b, uint16(v))
}

// ConsumeInt16 reads 2 bytes.
func ConsumeInt16(b []byte) (int16, int) {
	v, n := ConsumeUint16(b)
	return int16(v), n
}

// SizeInt16 is 2.
func SizeInt16(int16) int { return 2 }

// AppendInt32 appends 4 bytes.
func AppendInt32(b []byte, v int32) []byte {
	return AppendUint32(b, uint32(v))
}

// ConsumeInt32 reads 4 bytes.
func ConsumeInt32(b []byte) (int32, int) {
	v, n := ConsumeUint32(b)
	return int32(v), n
}

// SizeInt32 is 4.
func SizeInt32(int32) int { return 4 }

// AppendInt64 appends 8 bytes.
func AppendInt64(b []byte, v int64) []byte {
	return AppendUint64(b, uint64(v))
}

// ConsumeInt64 reads 8 bytes.
func ConsumeInt64(b []byte) (int64, int) {
	v, n := ConsumeUint64(b)
	return int64(v), n
}

// SizeInt64 is 8.
func SizeInt64(int64) int { return 8 }

// AppendFloat32 appends the 4 bytes of .NET's Single, whatever NaN they are.
func AppendFloat32(b []byte, v float32) []byte {
	return AppendUint32(b, math.Float32bits(v))
}

// ConsumeFloat32 reads 4 bytes.
func ConsumeFloat32(b []byte) (float32, int) {
	v, n := ConsumeUint32(b)
	return math.Float32frombits(v), n
}

// SizeFloat32 is 4.
func SizeFloat32(float32) int { return 4 }

// AppendFloat64 appends the 8 bytes of .NET's Double, whatever NaN they are.
func AppendFloat64(b []byte, v float64) []byte {
	return AppendUint64(b, math.Float64bits(v))
}

// ConsumeFloat64 reads 8 bytes.
func ConsumeFloat64(b []byte) (float64, int) {
	v, n := ConsumeUint64(b)
	return math.Float64frombits(v), n
}

// SizeFloat64 is 8.
func SizeFloat64(float64) int { return 8 }
