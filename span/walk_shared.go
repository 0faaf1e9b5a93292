package span

// Pointers that keep their identity.

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
		r.failBack(at, because(ErrMalformed, "object %d where %d comes next", n, have+1))
	case x.objects[n-1].typ != o.sub:
		r.failBack(at, because(ErrMalformed, "object %d is of another type", n))
	default:
		storePointer(p, o, x.objects[n-1].ptr)
	}
}
