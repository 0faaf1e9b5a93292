package binary

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spanwire/spanwire/internal/trail"
	"github.com/spanwire/spanwire/span"
)

// The reasons why a value can't be written or read, for errors.Is. Those that
// package span has as well are the same values. Input that ends inside a value
// is io.ErrUnexpectedEOF; a Decoder whose input ends before a value gives io.EOF.
var (
	ErrTrailing     = span.ErrTrailing     // bytes are left after the value
	ErrMalformed    = span.ErrMalformed    // bytes that no writer produces
	ErrRange        = span.ErrRange        // a value or length that does not fit its place
	ErrLimit        = span.ErrLimit        // MaxSize, or more than the input can hold
	ErrDepth        = span.ErrDepth        // MaxDepth
	ErrNil          = span.ErrNil          // a nil pointer where the format has no place for one
	ErrUTF8         = span.ErrUTF8         // invalid UTF-8 under Options.Strict
	ErrDuplicateKey = span.ErrDuplicateKey // a map key came twice under Options.Strict
	ErrUnsupported  = span.ErrUnsupported  // the type or its tags have no meaning here

	// ErrConst: a member with the tag const has another value. The error's text
	// names both.
	ErrConst = errors.New("wrong constant")
	// ErrSum: a member with the tag sum does not match the bytes it covers.
	ErrSum = errors.New("wrong checksum")
)

// Error tells where and why an operation failed: the shape is that of package
// span, with "binary" as its Package. It wraps the reason, which is one of the
// sentinels of this package, io.ErrUnexpectedEOF, an error of the stream, or what
// a method or handler returned.
type Error = span.Error

// failed makes an Error of this package.
func failed(op, typ string, offset int64, err error) *Error {
	return &Error{Package: "binary", Op: op, Type: typ, Offset: offset, Err: err}
}

// atRoot returns the error that the root's caller gets.
func atRoot(e *Error, t *trail.Trail, root any) error {
	c := *e
	c.Type, c.Path = typeOf(root), t.Path(e.Path)
	return &c
}

// keyStep is the step to the value of a map's key, which may be long.
func keyStep(key any) string {
	s := fmt.Sprint(key)
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return "[" + s + "]"
}

// as gives err as an Error of this package: errors of package span keep their
// path and reason.
func as(op string, offset int64, err error) *Error {
	e, ok := err.(*Error)
	switch {
	case ok && e.Package != "":
		return e
	case ok:
		path := e.Path
		e = failed(op, "", offset, e.Err)
		e.Path = path
		return e
	}
	return failed(op, "", offset, err)
}

// because gives a sentinel a detail for people: "out of range: 300 in 1 byte".
func because(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{kind}, args...)...)
}
