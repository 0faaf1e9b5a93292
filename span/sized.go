package span

// Sized is what EnterSized keeps for LeaveSized.
type Sized struct {
	outer   int64 // stream: absolute end of the enclosing window, -1 without
	tail    int   // bytes behind this struct in the enclosing window
	st      readerStatus
	objects []sharedObject
}

// EnterSized reads the length of a sized struct and narrows the Reader to that
// many bytes: inside, any field boundary may be the end. It reports false when
// the Reader has failed. Each EnterSized that gives true needs a LeaveSized.
func (r *Reader) EnterSized() (Sized, bool) { return r.enterSized(false) }

// EnterSizedLenient is EnterSized for the NewLife profile, which accepts a
// padded length.
func (r *Reader) EnterSizedLenient() (Sized, bool) { return r.enterSized(!r.strict()) }

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

// LeaveSized skips what the struct's fields left unread and restores what
// EnterSized changed.
func (r *Reader) LeaveSized(s Sized) {
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

// PutSize completes a sized struct that was appended behind one byte reserved at
// b[start]: it stores the number of bytes behind that byte as a uvarint, moving
// them when it takes more than one. It reports false where they are more than
// MaxLength.
func PutSize(b []byte, start int) ([]byte, bool) {
	n := len(b) - start - 1
	if uint(n) < 0x80 {
		b[start] = byte(n)
		return b, true
	}
	return putLongSize(b, start, n)
}

//go:noinline
func putLongSize(b []byte, start, n int) ([]byte, bool) {
	if n < 0 || n > maxLength {
		return b, false
	}
	more := SizeLength(n) - 1
	b = Grow(b, more)
	b = b[:len(b)+more]
	copy(b[start+1+more:], b[start+1:])
	putLongLength(b, start, n)
	return b, true
}
