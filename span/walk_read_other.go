package span

import (
	"bytes"
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
	case cBinary, cMarshalText, cMarshalJSON, cMarshalGob:
		r.marshaler(o, p)
	case cSelf:
		r.self(o, p)
	default:
		r.Fail(errNoOperation)
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
		if rest := r.b[r.off:]; len(rest) >= o.length && !r.fresh() {
			storeBytes(p, o, append(have[:0], bytes.TrimRight(rest[:o.length], "\x00")...))
			r.off += o.length
			return
		}
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
