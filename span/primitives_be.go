package span

import (
	"encoding/binary"
	"math"
)

// Integers and floats of fixed width, big-endian, as under the tag be and the
// switch BigEndian. Their sizes are those of their little-endian twins.

// AppendUint16BE appends 2 bytes.
func AppendUint16BE(b []byte, v uint16) []byte {
	return binary.BigEndian.AppendUint16(b, v)
}

// ConsumeUint16BE reads 2 bytes.
func ConsumeUint16BE(b []byte) (uint16, int) {
	if len(b) < 2 {
		return 0, codeTruncated
	}
	return binary.BigEndian.Uint16(b), 2
}

// AppendUint32BE appends 4 bytes.
func AppendUint32BE(b []byte, v uint32) []byte {
	return binary.BigEndian.AppendUint32(b, v)
}

// ConsumeUint32BE reads 4 bytes.
func ConsumeUint32BE(b []byte) (uint32, int) {
	if len(b) < 4 {
		return 0, codeTruncated
	}
	return binary.BigEndian.Uint32(b), 4
}

// AppendUint64BE appends 8 bytes.
func AppendUint64BE(b []byte, v uint64) []byte {
	return binary.BigEndian.AppendUint64(b, v)
}

// ConsumeUint64BE reads 8 bytes.
func ConsumeUint64BE(b []byte) (uint64, int) {
	if len(b) < 8 {
		return 0, codeTruncated
	}
	return binary.BigEndian.Uint64(b), 8
}

// AppendInt16BE appends 2 bytes.
func AppendInt16BE(b []byte, v int16) []byte {
	return AppendUint16BE(b, uint16(v))
}

// ConsumeInt16BE reads 2 bytes.
func ConsumeInt16BE(b []byte) (int16, int) {
	v, n := ConsumeUint16BE(b)
	return int16(v), n
}

// AppendInt32BE appends 4 bytes.
func AppendInt32BE(b []byte, v int32) []byte {
	return AppendUint32BE(b, uint32(v))
}

// ConsumeInt32BE reads 4 bytes.
func ConsumeInt32BE(b []byte) (int32, int) {
	v, n := ConsumeUint32BE(b)
	return int32(v), n
}

// AppendInt64BE appends 8 bytes.
func AppendInt64BE(b []byte, v int64) []byte {
	return AppendUint64BE(b, uint64(v))
}

// ConsumeInt64BE reads 8 bytes.
func ConsumeInt64BE(b []byte) (int64, int) {
	v, n := ConsumeUint64BE(b)
	return int64(v), n
}

// AppendFloat32BE appends 4 bytes.
func AppendFloat32BE(b []byte, v float32) []byte {
	return AppendUint32BE(b, math.Float32bits(v))
}

// ConsumeFloat32BE reads 4 bytes.
func ConsumeFloat32BE(b []byte) (float32, int) {
	v, n := ConsumeUint32BE(b)
	return math.Float32frombits(v), n
}

// AppendFloat64BE appends 8 bytes.
func AppendFloat64BE(b []byte, v float64) []byte {
	return AppendUint64BE(b, math.Float64bits(v))
}

// ConsumeFloat64BE reads 8 bytes.
func ConsumeFloat64BE(b []byte) (float64, int) {
	v, n := ConsumeUint64BE(b)
	return math.Float64frombits(v), n
}
