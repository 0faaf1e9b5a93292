package span

import (
	"encoding"
	"unicode/utf8"
)

// Values that are written by methods of their types.

// self writes a value by its own method. Whatever that does to the Writer, the
// state around the value stays.
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
	const keep = wElems | wSeek | ^(wDepth - 1)
	was := w.st
	s.WriteSpan(w)
	w.st = w.st&^keep | was&keep
}

// self reads a value by its own method. Whatever that does to the Reader, the
// state around the value stays.
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
	const keep = rElems | rSized | ^(rDepth - 1)
	was := r.st
	s.ReadSpan(r)
	r.st = r.st&^keep | was&keep
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
	b, err := marshalTo(buf, pointerTo(p, o), o.code)
	if err != nil {
		w.Fail(err)
		return
	}
	// What the method returned may be its own: the next one does not get it.
	if len(b) > cap(buf) && len(b) <= flushChunk {
		buf = Grow(buf, len(b))
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

// marshalTo calls the marshaler method that v has.
func marshalTo(b []byte, v any, code opcode) ([]byte, error) {
	if code == cBinary {
		switch m := v.(type) {
		case encoding.BinaryAppender:
			return m.AppendBinary(b)
		case encoding.BinaryMarshaler:
			return m.MarshalBinary()
		}
		return b, ErrUnsupported
	}
	switch m := v.(type) {
	case encoding.TextAppender:
		return m.AppendText(b)
	case encoding.TextMarshaler:
		return m.MarshalText()
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
	if r.fresh() {
		typed(p, o).SetZero()
	}
	if err := unmarshalFrom(b, pointerTo(p, o), o.code); err != nil {
		r.failBack(at, err)
	}
}

// unmarshalFrom calls the unmarshaler method that v has.
func unmarshalFrom(b []byte, v any, code opcode) error {
	switch m := v.(type) {
	case encoding.BinaryUnmarshaler:
		if code == cBinary {
			return m.UnmarshalBinary(b)
		}
	}
	if m, ok := v.(encoding.TextUnmarshaler); ok && code == cMarshalText {
		return m.UnmarshalText(b)
	}
	return ErrUnsupported
}
