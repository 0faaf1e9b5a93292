package frame

import (
	"errors"
	"fmt"
	"strconv"
)

// Reasons. Test with errors.Is; errors.As with *Error gives codec and offset.
var (
	// ErrMalformed is every reason for which bytes from a peer were refused.
	ErrMalformed = errors.New("malformed frame")
	// ErrTooLarge is a payload over the limit, or one whose length the codec cannot express.
	ErrTooLarge = errors.New("payload over the limit")
	// ErrLength is a length that no frame can have: negative, or a uvarint that does not end.
	ErrLength = errors.New("impossible length")
	// ErrSyntax is text that is not what the codec carries.
	ErrSyntax = errors.New("bad syntax")
	// ErrDepth is JSON nested deeper than the limit.
	ErrDepth = errors.New("nested too deep")
	// ErrFrame is a frame that the codec cannot write: wrong header size, delimiter inside a payload, no JSON.
	ErrFrame = errors.New("frame does not fit the codec")
	// ErrSilent is an unfinished frame of which nothing came for too long.
	ErrSilent = errors.New("no byte of an unfinished frame")
	// ErrSlow is an unfinished frame that comes slower than allowed.
	ErrSlow = errors.New("unfinished frame too slow")
	// ErrConfig is a setting that is not allowed, or not any more.
	ErrConfig = errors.New("setting refused")
)

var (
	errNoValue   = fmt.Errorf("%w: the payload is not one JSON value", ErrFrame)
	errDelimiter = fmt.Errorf("%w: the payload contains the delimiter", ErrFrame)
)

// TooLarge returns the ErrTooLarge of a payload of n bytes where max are allowed; it names both.
func TooLarge(n, max int) error { return &tooLarge{n, max} }

type tooLarge struct{ size, max int }

func (e *tooLarge) Error() string {
	return "payload of " + strconv.Itoa(e.size) + " bytes over the limit of " + strconv.Itoa(e.max)
}

func (e *tooLarge) Is(target error) bool { return target == ErrTooLarge }

// Error says what a codec could not read or write.
type Error struct {
	Codec  string // the codec: standard, lengthfield, delimited, json, websocket
	Op     string // parse (bytes that are no frame), read (bytes that do not come) or append
	Offset int64  // parse, read: place of the offending byte, from the start of the slice or, out of a Reader, of the stream
	Reason error  // what is wrong
}

// Error formats e as "codec: op: reason at byte offset".
func (e *Error) Error() string {
	s := e.Codec + ": " + e.Op + ": " + e.Reason.Error()
	if e.Op != opAppend {
		s += " at byte " + strconv.FormatInt(e.Offset, 10)
	}
	return s
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// Is reports that an error of parsing is ErrMalformed, whatever its reason.
func (e *Error) Is(target error) bool { return target == ErrMalformed && e.Op == opParse }

const (
	opParse  = "parse"
	opRead   = "read"
	opAppend = "append"
)

// Malformed returns the error of a codec named codec that cannot read the byte at offset.
func Malformed(codec string, offset int, reason error) *Error {
	return &Error{Codec: codec, Op: opParse, Offset: int64(offset), Reason: reason}
}

// Unwritable returns the error of a codec named codec that cannot write a frame.
func Unwritable(codec string, reason error) *Error {
	return &Error{Codec: codec, Op: opAppend, Reason: reason}
}
