package span

import (
	"bytes"
	"encoding"
	"reflect"
	"unicode/utf8"

	"github.com/spanwire/spanwire/span/spanrt"
)

// Values that are written by methods of their types.

// self writes a value by its own method.
func (w *Writer) self(o *op, p ptr) {
	if !methodsAt(p, o) {
		w.Fail(errHidden)
		return
	}
	s, ok := pointerTo(p, o).(Serializable)
	if !ok {
		w.Fail(ErrUnsupported)
		return
	}
	w.writeOwn(s)
}

// self reads a value by its own method.
func (r *Reader) self(o *op, p ptr) {
	if !methodsAt(p, o) {
		r.Fail(errHidden)
		return
	}
	if r.fresh() {
		typed(p, o).SetZero()
	}
	s, ok := pointerTo(p, o).(Serializable)
	if !ok {
		r.Fail(ErrUnsupported)
		return
	}
	r.readOwn(s)
}

// errHidden is the reason for values whose methods can't be called.
var errHidden = because(ErrUnsupported, "package reflect does not reach a value embedded under an unexported name, nor its methods")

// marshaler writes the bytes of a marshaler method behind their length.
func (w *Writer) marshaler(o *op, p ptr) {
	if !methodsAt(p, o) {
		w.Fail(errHidden)
		return
	}
	x := w.state()
	buf := x.aside[:0]
	x.aside = nil // the method may come back here with the same Writer
	if o.flags&fLossy != 0 && !hasText(p, o) {
		w.Fail(errLongest)
		return
	}
	b, err := marshalTo(buf, pointerTo(p, o), o.code)
	if err == nil && o.flags&fLossy != 0 && o.code == cBinary {
		err = lostBy(typed(p, o), b)
	}
	if err != nil {
		w.Fail(err)
		return
	}
	// What the method returned may be its own: the next one does not get it.
	if len(b) > cap(buf) && len(b) <= flushChunk {
		buf = spanrt.Grow(buf, len(b))
	}
	x.aside = buf
	if o.code == cMarshalText && o.flags&fUTF8 != 0 && !utf8.Valid(b) {
		w.Fail(ErrUTF8)
		return
	}
	if w.length(o, len(b)) {
		writeRaw(w, b)
	}
}

// hasText reports a value that reads back from its text as it was: of a
// regexp.Regexp, one that prefers the leftmost match to the longest.
func hasText(p ptr, o *op) bool {
	longest := typed(p, o).FieldByName("longest")
	return !longest.IsValid() || longest.Kind() != reflect.Bool || !longest.Bool()
}

// errLongest is the reason for a value that hasText refuses.
var errLongest = because(ErrUnsupported, "the text of a regexp that prefers the longest match does not say so")

// lostBy reports a url.URL that reads back as another one from the bytes that its
// method gave: no text has it. RawPath, RawFragment and ForceQuery are hints for
// the text, which must come back as it was.
func lostBy(v reflect.Value, b []byte) error {
	t := v.Type()
	back := reflect.New(t)
	if err := unmarshalFrom(b, back.Interface(), cBinary); err != nil {
		return because(ErrUnsupported, "a %v with a text that does not read back: %v", t, err)
	}
	for i := range t.NumField() {
		switch f := t.Field(i); f.Name {
		case "RawPath", "RawFragment", "ForceQuery":
		default:
			if f.IsExported() && !reflect.DeepEqual(v.Field(i).Interface(), back.Elem().Field(i).Interface()) {
				return because(ErrUnsupported, "a %v with a text that reads back with another %s", t, f.Name)
			}
		}
	}
	again, err := marshalTo(nil, back.Interface(), cBinary)
	if err != nil || !bytes.Equal(again, b) {
		return because(ErrUnsupported, "a %v with a text that reads back with another text", t)
	}
	return nil
}

// The methods of encoding/json and encoding/gob, which not every program needs.
type (
	jsonMarshaler   interface{ MarshalJSON() ([]byte, error) }
	jsonUnmarshaler interface{ UnmarshalJSON([]byte) error }
	gobEncoder      interface{ GobEncode() ([]byte, error) }
	gobDecoder      interface{ GobDecode([]byte) error }
)

// marshalTo calls the marshaler method that v has.
func marshalTo(b []byte, v any, code opcode) ([]byte, error) {
	switch code {
	case cBinary:
		switch m := v.(type) {
		case encoding.BinaryAppender:
			return m.AppendBinary(b)
		case encoding.BinaryMarshaler:
			return m.MarshalBinary()
		}
	case cMarshalText:
		switch m := v.(type) {
		case encoding.TextAppender:
			return m.AppendText(b)
		case encoding.TextMarshaler:
			return m.MarshalText()
		}
	case cMarshalJSON:
		if m, ok := v.(jsonMarshaler); ok {
			return m.MarshalJSON()
		}
	case cMarshalGob:
		if m, ok := v.(gobEncoder); ok {
			return m.GobEncode()
		}
	}
	return b, ErrUnsupported
}

// marshaler gives the bytes behind a length to an unmarshaler method.
func (r *Reader) marshaler(o *op, p ptr) {
	at := r.Offset()
	n, ok := r.length(o)
	if !ok {
		return
	}
	if !methodsAt(p, o) {
		r.Fail(errHidden)
		return
	}
	var b []byte
	if n <= len(r.b)-r.off || n <= streamBuffer && r.need(n) {
		b = r.b[r.off : r.off+n : r.off+n]
		r.off += n
	} else {
		b = r.gather(n)
	}
	if r.st&rFailed != 0 {
		return
	}
	if o.flags&fUTF8 != 0 && !utf8.Valid(b) {
		r.failBack(at, ErrUTF8)
		return
	}
	// Such methods may add to what is there, or keep a part of it.
	if r.fresh() || o.code == cMarshalJSON || o.code == cMarshalGob || o.flags&fLossy != 0 {
		typed(p, o).SetZero()
	}
	if err := unmarshalFrom(b, pointerTo(p, o), o.code); err != nil {
		r.failBack(at, err)
	}
}

// unmarshalFrom calls the unmarshaler method that v has.
func unmarshalFrom(b []byte, v any, code opcode) error {
	switch code {
	case cBinary:
		if m, ok := v.(encoding.BinaryUnmarshaler); ok {
			return m.UnmarshalBinary(b)
		}
	case cMarshalText:
		if m, ok := v.(encoding.TextUnmarshaler); ok {
			return m.UnmarshalText(b)
		}
	case cMarshalJSON:
		if m, ok := v.(jsonUnmarshaler); ok {
			return m.UnmarshalJSON(b)
		}
	case cMarshalGob:
		if m, ok := v.(gobDecoder); ok {
			return m.GobDecode(b)
		}
	}
	return ErrUnsupported
}
