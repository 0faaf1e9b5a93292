package span

// Sized is for generated code only: it is what EnterSized keeps for LeaveSized.
type Sized struct {
	outer   int64 // stream: absolute end of the enclosing window, -1 without
	tail    int   // bytes behind this struct in the enclosing window
	st      readerStatus
	objects []sharedObject
}

// enterSized is FastReader.EnterSized.
func (r *Reader) enterSized(lenient bool) (Sized, bool) {
	at := r.Offset()
	x, ok := r.uvarint(31, lenient)
	if !ok {
		return Sized{}, false
	}
	n := int(x)
	if !r.holds(n) {
		r.lacks(at, n, 1)
		return Sized{}, false
	}
	s := Sized{st: r.st & (rElems | rSized)}
	r.st = r.st&^rElems | rSized
	r.shareAll()
	if r.x != nil {
		s.objects, r.x.objects = r.x.objects, nil
		if r.x.src != nil {
			s.outer, r.x.end = r.x.end, r.Offset()+int64(n)
			r.narrow()
			return s, true
		}
	}
	s.tail = len(r.b) - r.off - n
	r.b = r.b[:r.off+n]
	return s, true
}

// leaveSized is FastReader.LeaveSized.
func (r *Reader) leaveSized(s Sized) {
	r.st = r.st&^(rElems|rSized) | s.st
	if r.x != nil {
		r.x.objects = s.objects
	}
	switch {
	case r.st&rFailed != 0:
	case r.x != nil && r.x.src != nil:
		for r.Offset() < r.x.end && r.more() {
			r.off = len(r.b)
		}
		if r.Offset() < r.x.end {
			r.truncated(r.x.end - r.Offset())
			return
		}
		r.x.end = s.outer
		r.narrow()
	default:
		r.off = len(r.b)
		r.b = r.b[:r.off+s.tail]
	}
}
