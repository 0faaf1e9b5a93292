package value

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
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
	member = shorten(member, longestName)
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

// What stands in a message where a value belongs, as errors name it. The kinds of JSON have the words that kindOf returns.
const (
	aKey     = "key"
	aString  = "a string"
	aNumber  = "a number"
	aBool    = "a bool"
	anObject = "an object"
	anArray  = "an array"
	null     = "null"
	bareText = "text"
)

// kindOf names the JSON value that begins with c.
func kindOf(c byte) string {
	switch c {
	case '"':
		return aString
	case '{':
		return anObject
	case '[':
		return anArray
	case 't', 'f', 'T', 'F':
		return aBool
	case 'n':
		return null
	}
	return aNumber
}

// unfit says that v does not take what has come: its kind and text, and why where there is more to say.
func unfit[S ~string | ~[]byte](v reflect.Value, kind string, text S, why error) *Error {
	var reason error
	switch shown := shorten(text, longestText); {
	case kind == aKey:
		reason = fmt.Errorf("%w: key %q", ErrConvert, shown)
	case shown == "" && kind != aString && kind != bareText:
		reason = fmt.Errorf("%w: %s has come", ErrConvert, kind)
	case kind == aString || kind == bareText:
		reason = fmt.Errorf("%w: %s has come: %q", ErrConvert, kind, shown)
	case kind == anObject || kind == anArray:
		reason = fmt.Errorf("%w: %s has come: %#q", ErrConvert, kind, shown)
	default:
		reason = fmt.Errorf("%w: %s has come: %s", ErrConvert, kind, shown)
	}
	if why != nil {
		reason = fmt.Errorf("%w: %w", reason, why)
	}
	return &Error{Type: v.Type().String(), Reason: reason}
}

// unfitJSON is unfit for a JSON value as it stands in the data.
func unfitJSON(v reflect.Value, raw []byte, why error) *Error {
	kind := kindOf(raw[0])
	switch kind {
	case aString:
		raw = raw[1 : len(raw)-1]
	case null:
		raw = nil
	}
	return unfit(v, kind, raw, why)
}

// How many bytes of the data errors show, and of a name in a path.
const (
	longestText = 40
	longestName = 100
)

// shorten is the front of a text of so many bytes, cut between characters.
func shorten[S ~string | ~[]byte](text S, most int) string {
	if len(text) <= most {
		return string(text)
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n]) + "..."
}

// errInexact is for a number that would be another one in its type.
var errInexact = errors.New("not exact in this type")

// numberError returns what is to say of a number that does not convert; nil when it is not a number at all.
func numberError(err error) error {
	for _, why := range []error{strconv.ErrRange, errInexact} {
		if errors.Is(err, why) {
			return why
		}
	}
	return nil
}

// tooMany and tooFew are for arrays.
func tooMany(size int) error { return fmt.Errorf("more than %d elements", size) }

func tooFew(n, size int) error { return fmt.Errorf("%d of %d elements", n, size) }

// wrongLength is for arrays of bytes.
func wrongLength(n, size int) error { return fmt.Errorf("%d bytes, not %d", n, size) }
