package span

import "errors"

// Structs behind the length of their bytes.

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
		w.writeZeros(1)
		begin := w.Len()
		w.enter(pr, p)
		w.checkEnd(pr, p, begin)
		w.writeZeros(SizeLength(int(w.Len()-begin)) - 1)
		return
	}
	c := w.counter()
	c.enter(pr, p)
	c.checkEnd(pr, p, 0)
	n, err := c.Len(), c.x.err
	c.release()
	switch {
	case err != nil:
		err.Offset += w.Len() + 1 // as if the length took a byte
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

// sized reads a struct behind the length of its bytes.
func (r *Reader) sized(o *op, p ptr) {
	if s, ok := r.enterSized(r.tolerates(o)); ok {
		r.enter(o.sub, field(p, o))
		r.LeaveSized(s)
	}
}
