package span

import (
	"io"
)

// The primitives of the format as pure functions, for headers, tests and types
// that write themselves:
//
//	AppendX(b, v) appends the bytes of v to b
//	ConsumeX(b)   gives the value at the start of b and the number of its bytes,
//	              or a negative number that ConsumeError turns into an error
//	SizeX(v)      gives the number of bytes of v
//
// A name that ends in BE is big-endian, all others are little-endian. Names that
// end in Lenient accept padded uvarints, as the NewLife profile does. Strings
// and byte slices are copied.

// What ConsumeX gives instead of a number of bytes.
const (
	codeTruncated = -1 - iota
	codeMalformed
	codeRange
)

// ConsumeError gives the error that a ConsumeX function reported with n:
// io.ErrUnexpectedEOF where b ends inside the value, ErrMalformed where no
// writer produces such bytes, ErrRange where the number does not fit, nil where
// n is not negative.
func ConsumeError(n int) error {
	switch {
	case n >= 0:
		return nil
	case n == codeTruncated:
		return io.ErrUnexpectedEOF
	case n == codeRange:
		return ErrRange
	}
	return ErrMalformed
}

// AppendBool appends 1 byte, 0 or 1.
func AppendBool(b []byte, v bool) []byte {
	return append(b, Bool(v))
}

// ConsumeBool reads 1 byte; any but 0 and 1 is ErrMalformed.
func ConsumeBool(b []byte) (bool, int) {
	if len(b) < 1 {
		return false, codeTruncated
	}
	if b[0] > 1 {
		return false, codeMalformed
	}
	return b[0] == 1, 1
}

// SizeBool is 1.
func SizeBool(bool) int { return 1 }

// AppendUint8 appends v.
func AppendUint8(b []byte, v uint8) []byte {
	return append(b, v)
}

// ConsumeUint8 reads 1 byte.
func ConsumeUint8(b []byte) (uint8, int) {
	if len(b) < 1 {
		return 0, codeTruncated
	}
	return b[0], 1
}

// SizeUint8 is 1.
func SizeUint8(uint8) int { return 1 }

// AppendInt8 appends v as 1 byte, .NET's SByte.
func AppendInt8(b []byte, v int8) []byte {
	return append(b, byte(v))
}

// ConsumeInt8 reads 1 byte.
func ConsumeInt8(b []byte) (int8, int) {
	v, n := ConsumeUint8(b)
	return int8(v), n
}

// SizeInt8 is 1.
func SizeInt8(int8) int { return 1 }
