package span

// The WriteSpan and ReadSpan that a type has by hand may lead anywhere, to a value
// of the same type too, and no layout tells. So whoever calls one counts it, apart
// from the types that are seen to lie on cycles: as many may lie within each other.

// Own is for generated code only: it is what EnterOwn keeps for LeaveOwn.
type Own struct{ st readerStatus }

// What stays as it was around a type's own method, whatever that does to the cursor.
const (
	rAround = rElems | rSized | ^(rOwn - 1)
	wAround = wElems | wSeek | ^(wOwn - 1)
)

// enterOwn counts a type's own ReadSpan, which is to be called, and reports whether
// the limit of depth allows it. Each enterOwn that gives true needs a leaveOwn.
func (r *Reader) enterOwn() (Own, bool) {
	own := Own{r.st & rAround}
	limit := readerStatus(maxDepth)
	if r.x != nil && r.x.opts.MaxDepth > 0 {
		limit = readerStatus(r.x.opts.MaxDepth)
	}
	if r.st%rDepth/rOwn >= limit {
		r.Fail(because(ErrDepth, "more than %d nested methods", limit))
		return own, false
	}
	r.st += rOwn
	return own, true
}

// leaveOwn undoes enterOwn.
func (r *Reader) leaveOwn(own Own) { r.st = r.st&^rAround | own.st }

// inOwn reports a Reader that a type's own ReadSpan was given by this package.
func (r *Reader) inOwn() bool { return r.st%rDepth >= rOwn }

// readOwn calls a type's own ReadSpan.
func (r *Reader) readOwn(s Serializable) {
	if own, ok := r.enterOwn(); ok {
		s.ReadSpan(r)
		r.leaveOwn(own)
	}
}

// EnterOwn counts a type's own ReadSpan, which is to be called, and reports whether
// the limit of depth allows it. Each EnterOwn that returns true needs a LeaveOwn.
func (f *FastReader) EnterOwn() (Own, bool) { return (*Reader)(f).enterOwn() }

// LeaveOwn undoes EnterOwn.
func (f *FastReader) LeaveOwn(own Own) { (*Reader)(f).leaveOwn(own) }

// writeOwn calls a type's own WriteSpan.
func (w *Writer) writeOwn(s Serializable) {
	limit := writerStatus(maxDepth)
	if w.x != nil && w.x.opts.MaxDepth > 0 {
		limit = writerStatus(w.x.opts.MaxDepth)
	}
	if w.st%wDepth/wOwn >= limit {
		w.Fail(because(ErrDepth, "more than %d nested methods", limit))
		return
	}
	around := w.st & wAround
	w.st += wOwn
	s.WriteSpan(w)
	w.st = w.st&^wAround | around
}

// inOwn reports a Writer that a type's own WriteSpan was given by this package.
func (w *Writer) inOwn() bool { return w.st%wDepth >= wOwn }

// ResetOwn makes the Writer append to buf by a type's own WriteSpan, depth levels
// having been entered around it.
func (f *FastWriter) ResetOwn(buf []byte, depth int) {
	f.b, f.x, f.st = buf, nil, writerStatus(depth)*wDepth|wOwn
}

// DirectOwn is Direct for types that lead to methods by hand. Within such a method
// it returns false: the plan carries on the count.
func (f *FastWriter) DirectOwn() ([]byte, bool) {
	if (*Writer)(f).inOwn() {
		return nil, false
	}
	return f.Direct()
}
