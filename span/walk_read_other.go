package span

import (
	"bytes"
	"encoding"
	"unicode/utf8"
)

// other reads a value of varying shape.
func (r *Reader) other(o *op, p ptr) {
	switch o.code {
	case cString, cText:
		r.text(o, p)
	case cBytes:
		r.bytes(o, p)
	case cFixedText, cFixedBytes:
		r.exactly(o, p)
	case cCall:
		r.enter(o.sub, field(p, o))
	case cArray:
		r.array(o, p)
	case cSlice:
		r.slice(o, p)
	case cMap:
		r.mapping(o, p)
	case cPointer:
		if r.present(o) {
			r.enter(o.sub, r.pointee(o, p))
		} else if r.st&rFailed == 0 {
			storeNil(p, o)
		}
	case cInline:
		r.inline(o, p)
	case cShared:
		r.object(o, p)
	case cSized:
		r.sized(o, p)
	case cBinary, cMarshalText:
		r.marshaler(o, p)
	case cSelf:
		r.self(o, p)
	}
}

// fresh reports whether memory of the destination must not be used again.
func (r *Reader) fresh() bool { return r.st&rSlow != 0 && r.x.opts.Fresh }

// text reads a string with a length.
func (r *Reader) text(o *op, p ptr) {
	at := r.Offset()
	n, ok := r.length(o)
	if !ok {
		return
	}
	s := r.readString(n)
	if o.flags&fUTF8 != 0 && !utf8.ValidString(s) {
		r.failBack(at, ErrUTF8)
		return
	}
	if r.st&rFailed == 0 {
		storeString(p, o, s)
	}
}

// bytes reads a byte slice into the memory of the old one.
func (r *Reader) bytes(o *op, p ptr) {
	nilable := o.flags&fNilable != 0
	if nilable && !r.present(o) {
		if r.st&rFailed == 0 {
			storeBytes(p, o, nil)
		}
		return
	}
	n, ok := r.length(o)
	if !ok {
		return
	}
	b := r.readBytes(loadBytes(p, o), n)
	if r.st&rFailed != 0 {
		return
	}
	if nilable && b == nil {
		b = []byte{}
	}
	storeBytes(p, o, b)
}

// exactly reads a string or byte slice of fixed length without the zeros at its
// end.
func (r *Reader) exactly(o *op, p ptr) {
	if o.code == cFixedBytes {
		have := loadBytes(p, o)
		b := bytes.TrimRight(r.readBytes(have, o.length), "\x00")
		if len(b) == 0 {
			b = have[:0] // nil if it was
		}
		if r.st&rFailed == 0 {
			storeBytes(p, o, b)
		}
		return
	}
	at := r.Offset()
	s := r.ReadStringN(o.length)
	switch {
	case r.st&rFailed != 0:
	case o.flags&fUTF8 != 0 && !utf8.ValidString(s):
		r.failBack(at, ErrUTF8)
	default:
		storeString(p, o, s)
	}
}

// pointee gives the value that a pointer shall point to: the old one or a new.
func (r *Reader) pointee(o *op, p ptr) ptr {
	if q, ok := loadPointer(p, o); ok && !r.fresh() {
		return q
	}
	return newPointer(p, o)
}

// inline reads a pointer of the NewLife profile that has no marker: at the end
// of the input it is nil.
func (r *Reader) inline(o *op, p ptr) {
	switch {
	case o.node.Fixed == 0:
		storeNil(p, o)
	case r.st&rElems == 0 && !r.more():
		if r.st&rFailed == 0 {
			storeNil(p, o)
		}
	default:
		r.enter(o.sub, r.pointee(o, p))
	}
}

// object reads the number of an object, and the object when it is new.
func (r *Reader) object(o *op, p ptr) {
	at := r.Offset()
	n, ok := r.uvarint(64, r.tolerates(o))
	if !ok {
		return
	}
	x := r.state()
	switch have := uint64(len(x.objects)); {
	case n == 0:
		storeNil(p, o)
	case n == have+1:
		q := newPointer(p, o)
		x.objects = append(x.objects, sharedObject{o.sub, q})
		r.enter(o.sub, q)
	case n > have:
		r.failBack(at, because(ErrMalformed, "object %d where %d is the next", n, have+1))
	case x.objects[n-1].typ != o.sub:
		r.failBack(at, because(ErrMalformed, "object %d is of another type", n))
	default:
		storePointer(p, o, x.objects[n-1].ptr)
	}
}

// sized reads a struct behind the length of its bytes.
func (r *Reader) sized(o *op, p ptr) {
	if s, ok := r.enterSized(r.tolerates(o)); ok {
		r.enter(o.sub, field(p, o))
		r.LeaveSized(s)
	}
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
