package span

import (
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/wire"
)

// The texts of faults: how much is there, how much is needed, and which value it
// is about.

// truncated fails the Reader because the input ends inside a value, of which n
// bytes are needed at the cursor.
func (r *Reader) truncated(n int64) {
	if r.st&rFailed == 0 {
		r.failAt(len(r.b), because(errTruncated, "%d bytes are needed, %d are left", n, len(r.b)-r.off))
	}
}

// lacks fails the Reader because of n values of at least size bytes that were
// announced: the input does not hold as many. The fault is at an offset, or where
// the input ends if that is below 0.
func (r *Reader) lacks(at int64, n, size int) {
	if r.st&rFailed != 0 {
		return
	}
	need := int64(n) * int64(size)
	kind, left, whose := r.lacking(need), int64(len(r.b)-r.off), "left"
	if x := r.x; x != nil && x.src != nil {
		switch {
		case x.end >= 0 && x.srcErr != nil && need <= x.end-r.Offset():
			// The message would hold them, but the stream has ended within it.
		case x.end >= 0:
			left = x.end - r.Offset()
		case x.srcErr == nil:
			kind, left, whose = ErrLimit, x.left+int64(len(x.buf)-r.off), "left by MaxBytes"
		}
	}
	err := because(kind, "%d elements of at least %d bytes with %d bytes %s", n, size, left, whose)
	if size == 1 {
		err = because(kind, "a length of %d with %d bytes %s", n, left, whose)
	}
	switch {
	case at >= 0:
		r.failBack(at, err)
	case kind != ErrLimit: //nolint:errorlint // the sentinel itself, not wrapped yet
		r.failAt(len(r.b), err)
	default:
		r.Fail(err)
	}
}

// lacking is the reason where the input ends before n bytes that it announces: it
// is the end, and for a stream MaxBytes as well where that would not allow them.
func (r *Reader) lacking(n int64) error {
	if r.x != nil && r.x.lent && n > r.x.opts.maxBytes() {
		return errLacking
	}
	return errTruncated
}

// trails fails the Reader because bytes are left behind a value, in a stream at
// least as many as are in memory.
func (r *Reader) trails() {
	left, more := int64(len(r.b)-r.off), ""
	if x := r.x; x != nil && x.src != nil {
		if x.end >= 0 {
			left = x.end - r.Offset()
		} else if x.srcErr == nil {
			more = " or more"
		}
	}
	r.Fail(because(ErrTrailing, "%d%s after the first %d", left, more, r.Offset()))
}

// uvarintFault tells what consumeUvarint found at the start of b.
func uvarintFault(b []byte, code, width int) error {
	if code != wire.Malformed {
		return because(wire.ConsumeError(code), "a uvarint too long for %d bits", width)
	}
	v, n := wire.ConsumeUvarint(b, width, true)
	return because(ErrMalformed, "a padded uvarint, %d bytes where %d is written in %d", n, v, wire.SizeUvarint(v))
}

// charFault is the reason for a character that has no byte.
func charFault(c Char) error {
	if c < 0 || c > 0x10FFFF {
		return because(ErrRange, "Char(%d) is not a character", c)
	}
	return because(ErrRange, "the character %U does not fit in one byte", rune(c))
}

// timeForms names the forms of times that do not hold every time.
var timeForms = [...]string{
	layout.TimeSeconds:   "uint32 seconds since 1970",
	layout.TimeUnixMilli: "int64 milliseconds since 1970",
	layout.TimeUnixNano:  "int64 nanoseconds since 1970",
	layout.TimeTicks:     "ticks of the years 1 to 9999",
}

// timeFault is the reason for a time that its form does not hold.
func timeFault(t time.Time, form layout.TimeEnc) error {
	return because(ErrRange, "the time %s does not fit in %s", t.UTC().Format(time.RFC3339Nano), timeForms[form])
}

// noTime is the reason for a number that is not a valid time.
func noTime(x uint64, form layout.TimeEnc) error {
	if form == layout.TimeFull {
		return because(ErrRange, "%d nanoseconds within a second", x)
	}
	return because(ErrRange, "%d is not a valid time in %s", x, timeForms[form])
}
