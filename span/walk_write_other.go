package span

import (
	"unicode/utf8"

	"github.com/spanwire/spanwire/span/spanrt"
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
	case cBinary, cMarshalText, cMarshalJSON, cMarshalGob:
		w.marshaler(o, p)
	case cSelf:
		w.self(o, p)
	default:
		w.Fail(errNoOperation)
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
	if n == 0 || o.flags&fIdle != 0 {
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
			w.At(spanrt.Index(i))
			break
		}
	}
	w.st = w.st&^wElems | was
}
