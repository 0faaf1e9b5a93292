package span

// FastWriter is for generated code only: it moves a Writer without the care that
// its own methods take. [Writer.Fast] returns it.
type FastWriter Writer

// Fast is for generated code only.
func (w *Writer) Fast() *FastWriter { return (*FastWriter)(w) }

// Failed reports whether an error has occurred.
func (f *FastWriter) Failed() bool { return f.st&wFailed != 0 }

// Direct returns the buffer to append to, and false when something is set that
// only the plan obeys. Put takes what was appended.
func (f *FastWriter) Direct() ([]byte, bool) {
	return f.b, f.st&(wFailed|wSlow|wFlush|wLimit) == 0
}

// Put takes the result of AppendSpan on the buffer that Direct gave. It is false
// where that does not fit into a fixed buffer: the plan then finds the field.
func (f *FastWriter) Put(b []byte, err error) bool {
	if err != nil {
		(*Writer)(f).putError(err)
		return true
	}
	if f.st&wFixed != 0 {
		return (*Writer)(f).putFixed(b)
	}
	f.b = b
	return true
}

// Depth returns how many levels have been entered.
func (f *FastWriter) Depth() int { return int(f.st / wDepth) }

// putError records an error, whose offset counts from the value's start.
func (w *Writer) putError(err error) {
	if e, ok := err.(*Error); ok && e.Offset >= 0 {
		e.Offset += w.offset()
	}
	w.Fail(err)
}

// putFixed brings b, which append may have moved, back into the fixed buffer.
func (w *Writer) putFixed(b []byte) bool {
	n := len(w.b)
	if len(b) > cap(w.b) {
		return false
	}
	w.b = w.b[:len(b)]
	if len(b) > n && &w.b[n] != &b[n] {
		copy(w.b[n:], b[n:])
	}
	return true
}
