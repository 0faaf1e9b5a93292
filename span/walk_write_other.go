package span

import (
	"encoding"
	"errors"
	"unicode/utf8"
)

// other writes a value of varying shape.
func (w *Writer) other(o *op, p ptr) {
	switch o.code {
	case cString, cText:
		w.text(o, loadString(p, o))
	case cBytes:
		if o.flags&fNilable != 0 && !w.presence(!isNil(p, o)) {
			return
		}
		if s := loadBytes(p, o); w.length(o, len(s)) {
			writeRaw(w, s)
		}
	case cFixedText:
		w.fixedText(o, loadString(p, o))
	case cFixedBytes:
		exactly(w, o, loadBytes(p, o))
	case cCall:
		w.enter(o.sub, field(p, o))
	case cArray:
		w.list(o, p, o.length)
	case cSlice:
		w.slice(o, p)
	case cMap:
		w.mapping(o, p)
	case cPointer:
		if q, ok := loadPointer(p, o); w.presence(ok) {
			w.enter(o.sub, q)
		}
	case cInline:
		w.inline(o, p)
	case cShared:
		w.object(o, p)
	case cSized:
		w.sized(o.sub, field(p, o))
	case cBinary, cMarshalText:
		w.marshaler(o, p)
	case cSelf:
		w.self(o, p)
	}
}

// fixedText writes a string of fixed length.
func (w *Writer) fixedText(o *op, s string) {
	if o.flags&fUTF8 != 0 && !utf8.ValidString(s) {
		w.Fail(ErrUTF8)
		return
	}
	exactly(w, o, s)
}

// slice writes a slice: the byte that tells nil, the count, the elements.
func (w *Writer) slice(o *op, p ptr) {
	if o.flags&fNilable != 0 && !w.presence(!isNil(p, o)) {
		return
	}
	if n := listLen(p, o); w.length(o, n) {
		w.list(o, p, n)
	}
}

// list writes the elements of a slice or array.
func (w *Writer) list(o *op, p ptr, n int) {
	if n == 0 {
		return
	}
	list, sub := listData(p, o), o.sub
	if b, ok := listBytes(list, n, sub); ok {
		writeRaw(w, b)
		return
	}
	was := w.st & wElems
	w.st |= wElems
	for i := range n {
		if w.enter(sub, elem(list, i, sub)); w.st&wFailed != 0 {
			w.At(Index(i))
			break
		}
	}
	w.st = w.st&^wElems | was
}

// inline writes a pointer of the NewLife profile that has no marker. Nil writes
// nothing: whatever the reader found behind it would be taken for the value, so
// it must end the message.
func (w *Writer) inline(o *op, p ptr) {
	q, ok := loadPointer(p, o)
	switch {
	case ok:
		w.enter(o.sub, q)
	case o.node.Fixed == 0: // the value never takes a byte
	case w.st&wSlow != 0 && w.x.opts.Compat:
	case w.st&(wElems|wSeek) != 0:
		w.Fail(errNilInline)
	case w.st&wEnded == 0:
		w.st |= wEnded
		w.nilAt = w.Len()
	}
}

// errNilInline is the reason for nil pointers without a place on the wire.
var errNilInline = because(ErrNil, "it writes nothing, so nothing may follow it in the message")

// checkEnd fails the Writer when something followed a nil pointer that wrote
// nothing, begin being the length before the message.
func (w *Writer) checkEnd(pr *program, p ptr, begin int64) {
	if w.st&(wEnded|wFailed) == wEnded && w.Len() != w.nilAt {
		w.findNil(pr.ops, p, begin)
	}
}

// findNil fails the Writer with the path of the first nil pointer that wrote
// nothing. That it is at fault is known only after more has been written, so the
// values are walked once more.
func (w *Writer) findNil(ops []op, p ptr, begin int64) {
	c := w.counter()
	c.st |= wSeek
	c.run(ops, p)
	err := c.x.err
	c.release()
	if err == nil {
		err = &Error{Op: "marshal", Offset: w.nilAt - begin, Err: errNilInline}
	}
	err.Offset += begin
	w.Fail(err)
}

// object writes the number of an object, and the object when it is new.
func (w *Writer) object(o *op, p ptr) {
	q, ok := loadPointer(p, o)
	if !ok {
		w.WriteUint8(0)
		return
	}
	x := w.state()
	key := sharedKey{o.sub, identity(q)}
	n, known := x.objects[key]
	if !known {
		n = uint64(len(x.objects)) + 1
		w.number(key, n)
	}
	w.WriteUvarint(n)
	if !known && w.st&wFailed == 0 {
		w.enter(o.sub, q)
	}
}

// number records an object under its number.
func (w *Writer) number(key sharedKey, n uint64) {
	x := w.state()
	if x.objects == nil {
		x.objects = map[sharedKey]uint64{}
	}
	x.objects[key] = n
}

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

// errHidden is the reason for values whose methods can't be called.
var errHidden = because(ErrUnsupported, "package reflect does not call methods of a type embedded under an unexported name")

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

// sized writes a struct behind the length of its bytes. It has a numbering of
// shared objects of its own, and what ends in nil may end it.
func (w *Writer) sized(pr *program, p ptr) {
	const own = wElems | wEnded
	was, wasNil := w.st&own, w.nilAt
	w.st &^= own
	var objects map[sharedKey]uint64
	if pr.node.Shares {
		x := w.state()
		objects, x.objects = x.objects, nil
	}
	if w.st&wFlush != 0 {
		w.sizedAhead(pr, p)
	} else {
		w.sizedBehind(pr, p)
	}
	if pr.node.Shares {
		w.x.objects = objects
	}
	w.st, w.nilAt = w.st&^own|was, wasNil
}

// sizedBehind writes the struct first and then its length in front of it.
func (w *Writer) sizedBehind(pr *program, p ptr) {
	if !w.room(1) {
		return
	}
	start := len(w.b)
	w.b = w.b[:start+1]
	begin := w.Len()
	w.enter(pr, p)
	if w.checkEnd(pr, p, begin); w.st&wFailed != 0 {
		return
	}
	n := len(w.b) - start - 1
	if more := SizeLength(n) - 1; n <= maxLength && w.st&wFixed != 0 && cap(w.b)-len(w.b) < more {
		w.Fail(ErrShortBuffer)
		return
	}
	b, ok := PutSize(w.b, start)
	if !ok {
		w.Fail(because(ErrRange, "a length of %d", n))
		return
	}
	w.b = b
}

// sizedAhead finds the length first, since what is flushed can't be changed. A
// struct that fits the buffer is kept there, so that sized structs inside need
// not be measured again.
func (w *Writer) sizedAhead(pr *program, p ptr) {
	if w.st&wCount != 0 {
		begin := w.Len()
		w.enter(pr, p)
		w.checkEnd(pr, p, begin)
		w.room(5)
		w.b = AppendLength(w.b, int(w.Len()-begin))
		return
	}
	c := w.counter()
	c.enter(pr, p)
	c.checkEnd(pr, p, 0)
	n, err := c.Len(), c.x.err
	c.release()
	switch {
	case err != nil:
		err.Offset += w.Len()
		w.Fail(err)
		return
	case uint64(n) > maxLength:
		w.Fail(because(ErrRange, "a length of %d", n))
		return
	}
	keep := n <= flushChunk/2
	if room := 5; keep && w.room(room+int(n)) || w.room(room) {
		w.b = AppendLength(w.b, int(n))
	}
	if keep {
		w.st &^= wFlush
	}
	begin := w.Len()
	w.enter(pr, p)
	if keep {
		w.st |= wFlush
	}
	if w.st&wFailed == 0 && w.Len()-begin != n {
		w.Fail(errChanged)
	}
}

// errChanged is the reason for values that do not keep still.
var errChanged = errors.New("a method or another goroutine changed the value while it was written")
