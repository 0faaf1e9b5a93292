package span

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spanwire/spanwire/internal/trail"
	"github.com/spanwire/spanwire/span/wire"
)

// The reasons why a value can't be written or read, for errors.Is. Input that
// ends inside a value is io.ErrUnexpectedEOF.
var (
	// ErrShortBuffer: a Writer over a fixed buffer is full.
	ErrShortBuffer = errors.New("buffer is full")
	// ErrTrailing: bytes are left after the value.
	ErrTrailing = errors.New("bytes are left after the value")
	// ErrMalformed: bytes that no writer produces, such as a bool of 2 or a
	// padded uvarint.
	ErrMalformed = wire.ErrMalformed
	// ErrRange: a number, time, character or length that does not fit its
	// place on the wire or in memory.
	ErrRange = wire.ErrRange
	// ErrLimit: more bytes or elements than a tag, an option or the remaining
	// input allows.
	ErrLimit = errors.New("limit exceeded")
	// ErrDepth: values nest deeper than the depth limit; a pointer cycle
	// without the tag shared shows as this.
	ErrDepth = errors.New("nested too deep")
	// ErrNil: a nil pointer where the format has no place for one.
	ErrNil = errors.New("nil pointer")
	// ErrUTF8: a string tagged utf8 that is not valid UTF-8.
	ErrUTF8 = errors.New("invalid UTF-8")
	// ErrDuplicateKey: a map key came twice under Options.Strict.
	ErrDuplicateKey = errors.New("duplicate map key")
	// ErrUnsupported: the type has no wire form; the error's text lists every
	// reason with its field path.
	ErrUnsupported = errors.New("unsupported type")
	// ErrNotSelfDelimiting: the type's messages do not tell where they end, so
	// nothing may follow them.
	ErrNotSelfDelimiting = errors.New("type is not self-delimiting")
)

// Error tells where and why an operation of this package, or of package binary,
// failed. It wraps the reason, which is one of the sentinels of that package,
// io.ErrUnexpectedEOF, an I/O error or what a type's own method returned.
type Error struct {
	Package string // whose operation it was: "" for this one, or "binary"
	Op      string // "marshal", "unmarshal" or "size"
	Type    string // Go type of the root value, or of the innermost value known
	Path    string // fields from the root to the fault, such as "Lines[3].Price"; "" at the root; … for steps of a long one
	Offset  int64  // bytes before the fault in the message, in a Decoder's stream; -1 where there is none
	Err     error  // the reason

	trail *trail.Trail // Path in the making
}

// Error formats the operation, type, path, offset and reason on one line.
func (e *Error) Error() string {
	e.settle()
	var b strings.Builder
	b.WriteString(cmp.Or(e.Package, "span") + ": ")
	b.WriteString(e.Op)
	if e.Type != "" {
		b.WriteString(" " + e.Type)
	}
	if e.Path != "" {
		b.WriteString(" at " + e.Path)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " (byte %d)", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// own returns err as an Error that this package has made: those of others are
// reasons like any other.
func own(err error) (e *Error, ok bool) {
	e, ok = err.(*Error)
	return e, ok && e.Package == ""
}

// reason wraps a sentinel with a detail: "out of range: time before 1970".
type reason struct {
	kind   error
	detail string
}

func (r *reason) Error() string { return r.kind.Error() + ": " + r.detail }
func (r *reason) Unwrap() error { return r.kind }

// because gives kind a detail for people.
func because(kind error, format string, args ...any) error {
	return &reason{kind, fmt.Sprintf(format, args...)}
}

// errLacking is the reason for streams that end before bytes that they announce,
// and that MaxBytes would not allow.
var errLacking = fmt.Errorf("%w, and %w by MaxBytes", errTruncated, ErrLimit)

// errTruncated is the reason for input that ends inside a value.
var errTruncated = io.ErrUnexpectedEOF
