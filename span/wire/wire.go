// Package wire has the primitives of the format as pure functions, for headers,
// tests and types that write themselves without a cursor:
//
//	AppendX(b, v) appends the bytes of v to b
//	ConsumeX(b)   returns the value at the start of b and the number of its
//	              bytes, or a negative number that ConsumeError turns into an error
//	SizeX(v)      returns the number of bytes of v, where that varies
//
// Numbers of fixed width are those of package encoding/binary in its
// LittleEndian order, under the tag be in its BigEndian order; a GUID is its 16
// bytes. Strings and byte slices are copied.
//
// Writers use the shortest form of a uvarint. Readers that are lenient accept one
// that is padded with zeros, as the NewLife profile does.
package wire

import (
	"errors"
	"io"
	"math"
)

// MaxLength is the longest string, byte slice, list or map that has a wire form.
const MaxLength = math.MaxInt32

// The reasons that ConsumeError returns beside io.ErrUnexpectedEOF.
var (
	// ErrMalformed: bytes that no writer produces, such as a bool of 2 or a
	// padded uvarint.
	ErrMalformed = errors.New("malformed")
	// ErrRange: a number, time, character or length that does not fit its
	// place on the wire or in memory.
	ErrRange = errors.New("out of range")
)

// What ConsumeX returns instead of a number of bytes.
const (
	Truncated  = -1 - iota // b ends inside the value
	Malformed              // no writer produces such bytes
	OutOfRange             // the number does not fit
)

// ConsumeError returns the error that a ConsumeX function reported with n:
// io.ErrUnexpectedEOF, ErrMalformed or ErrRange, and nil where n is not
// negative.
func ConsumeError(n int) error {
	switch {
	case n >= 0:
		return nil
	case n == Truncated:
		return io.ErrUnexpectedEOF
	case n == OutOfRange:
		return ErrRange
	}
	return ErrMalformed
}
