package span

// Nil pointers of the NewLife profile.

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
		w.nilAt = w.offset()
	}
}

// errNilInline is the reason for nil pointers without a place on the wire.
var errNilInline = because(ErrNil, "it writes nothing, so nothing may follow it in the message")

// checkEnd fails the Writer when something followed a nil pointer that wrote
// nothing, begin being the length before the message. Of two faults it is the
// first.
func (w *Writer) checkEnd(pr *program, p ptr, begin int64) {
	if w.st&wEnded != 0 && w.reached() != w.nilAt {
		w.findNil(pr.ops, p, begin)
	}
}

// reached returns how far into the message the Writer is, or was when it failed
// while it measured what was to follow.
func (w *Writer) reached() int64 {
	if w.st&wFailed != 0 {
		return max(w.offset(), w.x.err.Offset)
	}
	return w.offset()
}

// findNil fails the Writer with the path of the first nil pointer that wrote
// nothing. That it is at fault is known only after more has been written, so the
// values are walked once more.
func (w *Writer) findNil(ops []op, p ptr, begin int64) {
	if w.x != nil && w.x.broken {
		return
	}
	c := w.counter()
	c.st |= wSeek
	c.run(ops, p)
	err := c.x.err
	c.release()
	if err == nil {
		err = &Error{Op: "marshal", Offset: w.nilAt - begin, Err: errNilInline}
	}
	err.Offset += begin
	w.st &^= wFailed
	w.Fail(err)
}
