package span

import (
	"errors"
	"io"
	"reflect"
)

// Unmarshal reads the one message that b is into the value that v points to. The
// memory of the value is used again where it fits: slices, maps and what
// pointers point to, but see Options.Fresh. Bytes that are left behind the
// message are ErrTrailing. After an error the value holds what was read before
// it.
//
// Errors are of type [*Error]. The destination must not share memory with
// itself: two slices over the same array would overwrite each other.
func Unmarshal(b []byte, v any) error { return unmarshal(b, v, nil) }

// unmarshal is Unmarshal under options, of which nil are the default.
func unmarshal(b []byte, v any, o *Options) error {
	pl, p, err := destination(v)
	if err != nil {
		return err
	}
	// Generated code does not keep the Reader, unless methods of others are
	// called on the way.
	direct := pl.direct && !pl.user
	if (pl.plain || direct) && (o == nil || o.isPlain()) {
		mode := CopyStrings
		if o != nil && pl.strings { // else there is nothing to share
			mode = o.Strings
		}
		var r Reader
		r.Reset(b, mode)
		// Only r is looked at afterwards: were it not, its place in the frame
		// could be given to another variable while the hidden pointer is in use.
		if direct {
			v.(generatedMethods).ReadSpan(r.hidden())
		} else {
			r.hidden().enter(pl.first(), p)
		}
		if r.st&rFailed == 0 && r.off == len(r.b) {
			return nil
		}
		return r.hidden().trailing(pl)
	}
	_, err = unmarshalWith(b, pl, v, p, o, true)
	return err
}

// UnmarshalFirst reads the message that b begins with into the value that v
// points to and returns the bytes behind it. Types whose messages do not tell
// where they end are ErrNotSelfDelimiting. On an error it returns b.
func UnmarshalFirst(b []byte, v any) (rest []byte, err error) { return unmarshalFirst(b, v, nil) }

// unmarshalFirst is UnmarshalFirst under options.
func unmarshalFirst(b []byte, v any, o *Options) (rest []byte, err error) {
	pl, p, err := destination(v)
	if err != nil {
		return b, err
	}
	if !pl.ends {
		return b, notSelfDelimiting("unmarshal", pl)
	}
	n, err := unmarshalWith(b, pl, v, p, o, false)
	return b[n:], err
}

// ConsumeMarked reads what AppendMarked appends: a mark, and behind 1 a message
// into the value that v points to. It returns the number of bytes read and
// whether there was an object; where there was none, the value stays as it is. It
// refuses the types that UnmarshalFirst refuses. In the NewLife profile any mark
// but 0 stands for an object, unless Options.Strict is set.
func ConsumeMarked(b []byte, v any) (n int, present bool, err error) {
	return consumeMarked(b, v, nil)
}

// consumeMarked is ConsumeMarked under options.
func consumeMarked(b []byte, v any, o *Options) (n int, present bool, err error) {
	pl, p, err := destination(v)
	if err == nil && !pl.ends {
		err = notSelfDelimiting("unmarshal", pl)
	}
	if err != nil {
		return 0, false, err
	}
	switch {
	case len(b) == 0:
		err = because(errTruncated, "1 byte is needed, none is left")
	case b[0] > 1 && (o != nil && o.Strict || pl.node.Struct == nil || !pl.node.Struct.NewLife):
		err = because(ErrMalformed, "a mark of %d", b[0])
	case b[0] == 0:
		return 1, false, nil
	}
	if err != nil {
		return 0, false, &Error{Op: "unmarshal", Type: pl.typ.String(), Err: err}
	}
	if n, err = unmarshalWith(b[1:], pl, v, p, o, false); err != nil {
		if e := err.(*Error); e.Offset >= 0 {
			e.Offset++
		}
		return 0, false, err
	}
	return n + 1, true, nil
}

// UnmarshalRead reads the one message that src holds up to its end into the value
// that v points to; bytes that are left are ErrTrailing. An error of src other
// than io.EOF is returned wherever it comes, also with the last bytes or where
// the message might end. Memory grows with the bytes that come. Strings are copied
// whatever the options say.
func UnmarshalRead(src io.Reader, v any) error { return unmarshalRead(src, v, nil) }

// unmarshalRead is UnmarshalRead under options.
func unmarshalRead(src io.Reader, v any, o *Options) error {
	pl, p, err := destination(v)
	if err != nil {
		return err
	}
	r := getReader()
	defer r.put()
	r.resetStream(src, &r.state, o)
	r.settle()
	r.value(pl, v, p)
	if r.st&rFailed == 0 && r.more() {
		r.trails()
	}
	if r.st&rFailed == 0 {
		return nil
	}
	return r.x.err.of(pl).done()
}

// unmarshalWith reads a message from the start of b and returns how many bytes it
// took. With whole it must be all of b.
func unmarshalWith(b []byte, pl *plan, v any, p ptr, o *Options, whole bool) (int, error) {
	r := getReader()
	defer r.put()
	r.x = &r.state
	r.x.end = -1
	r.b, r.room = b, len(b)
	r.configureFor(pl, o)
	if most := r.x.opts.MaxBytes; most > 0 && int64(len(b)) > most && whole {
		r.Fail(because(ErrLimit, "%d bytes where MaxBytes is %d", len(b), most))
	} else {
		r.value(pl, v, p)
	}
	if most := r.x.opts.MaxBytes; most > 0 && int64(r.off) > most {
		r.Fail(because(ErrLimit, "%d bytes where MaxBytes is %d", r.off, most))
	}
	if r.st&rFailed == 0 && (!whole || r.off == len(r.b)) {
		return r.off, nil
	}
	return 0, r.trailing(pl)
}

// value reads a message by generated methods or by the plan. The Reader is on the
// heap: methods see it.
func (r *Reader) value(pl *plan, v any, p ptr) {
	if !pl.user {
		r.valueOf(pl, v, p)
	} else {
		r.guarded(pl, func() { r.valueOf(pl, v, p) })
	}
}

// valueOf is value after it has been counted.
func (r *Reader) valueOf(pl *plan, v any, p ptr) {
	if pl.generated && r.st&rSlow == 0 {
		r.more() // methods look at what is in memory
		generatedAt(pl, v, p).ReadSpan(r)
		return
	}
	r.message(pl, r.program(pl), p)
}

// trailing gives the error of a Reader that has failed or left bytes.
func (r *Reader) trailing(pl *plan) error {
	if r.st&rFailed == 0 {
		r.trails()
	}
	return r.x.err.of(pl).done()
}

// isPlain reports options that only choose a string mode.
func (o *Options) isPlain() bool { return *o == Options{Strings: o.Strings} }

// errDestination is the reason for destinations that nothing can be stored in.
var errDestination = errors.New("the destination must be a pointer that is not nil")

// destination gives the plan and address of the value that v points to. Pointers
// on the way are made where they are nil.
func destination(v any) (*plan, ptr, error) {
	pl := planOf(v)
	var none ptr
	switch {
	case pl == nil:
		return nil, none, &Error{Op: "unmarshal", Offset: -1, Err: errDestination}
	case pl.err != nil:
		return nil, none, noPlan("unmarshal", pl)
	case pl.levels == 0:
		return nil, none, &Error{Op: "unmarshal", Type: pl.typ.String(), Offset: -1, Err: errDestination}
	}
	if p, ok := rootOf(pl, v); ok {
		return pl, p, nil
	}
	x := reflect.ValueOf(v)
	if x.IsNil() {
		return nil, none, &Error{Op: "unmarshal", Type: pl.typ.String(), Offset: -1, Err: errDestination}
	}
	for x.Type().Elem() != pl.typ {
		if x = x.Elem(); x.IsNil() {
			x.Set(reflect.New(x.Type().Elem()))
		}
	}
	return pl, valueAddress(x), nil
}
