package value

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// Reasons. Test with errors.Is.
var (
	ErrSyntax   = errors.New("bad JSON")
	ErrConvert  = errors.New("does not convert")
	ErrDepth    = errors.New("nested too deep")
	ErrType     = errors.New("type has no form in a message")
	ErrNoObject = errors.New("no object to carry the members")
)

// errTwice is for a name that comes twice in an object, when all must arrive.
var errTwice = fmt.Errorf("%w: a name that comes twice", ErrSyntax)

// Error says which value could not be written or read.
type Error struct {
	Member string // path of names, "" at the top
	Type   string // Go type, "" where it does not matter
	Offset int    // reading: place in the data
	Reason error
}

// Error formats e as "value: member (type): reason".
func (e *Error) Error() string {
	s := "value: "
	if e.Member != "" {
		s += e.Member
		if e.Type != "" {
			s += " (" + e.Type + ")"
		}
		s += ": "
	} else if e.Type != "" {
		s += e.Type + ": "
	}
	s += e.Reason.Error()
	if errors.Is(e.Reason, ErrSyntax) {
		s += " at byte " + strconv.Itoa(e.Offset)
	}
	return s
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// under puts err, where it is an *Error, below a member.
func under(err error, member string) error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Member: member, Reason: err}
	}
	if e.Member == "" {
		e.Member = member
	} else {
		e.Member = member + "." + e.Member
	}
	return e
}

// wrap makes err an *Error about a value of type t.
func wrap(err error, t reflect.Type) error {
	if _, ok := err.(*Error); ok {
		return err
	}
	return &Error{Type: t.String(), Reason: err}
}

// at notes where the value stood that could not be read, in an error that does not know.
func at(err error, offset int) {
	var e *Error
	if errors.As(err, &e) && e.Offset == 0 {
		e.Offset = offset
	}
}

func noConversion(v reflect.Value) error { return &Error{Type: v.Type().String(), Reason: ErrConvert} }

// came is ErrConvert with what has come: the kind of JSON value that begins with c.
func came(c byte) error {
	kind := "a number"
	switch c {
	case '"':
		kind = "a string"
	case '{':
		kind = "an object"
	case '[':
		kind = "an array"
	case 't', 'f':
		kind = "a bool"
	case 'n':
		kind = "null"
	}
	return fmt.Errorf("%w: %s has come", ErrConvert, kind)
}

// shown is a number as errors show it.
func shown(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
