package span

import "github.com/spanwire/spanwire/span/spanrt"

// FastReader is for generated code only: it moves a Reader without the care that
// its own methods take. [Reader.Fast] returns it.
//
// Generated code is the fast path: whenever something is out of the ordinary -
// the input may end, a value may be out of range, options are set - it hands the
// struct to its [Plan], which knows every rule and finds the exact error.
type FastReader Reader

// Fast is for generated code only.
func (r *Reader) Fast() *FastReader { return (*FastReader)(r) }

// Failed reports whether an error has occurred.
func (f *FastReader) Failed() bool { return f.st&rFailed != 0 }

// Unread returns the bytes that are in memory and not yet read; none when the
// Reader has failed or when options are set that only the plan obeys. Skip
// moves past them.
func (f *FastReader) Unread() []byte {
	r := (*Reader)(f)
	if r.st&rSlow != 0 || r.off >= len(r.b) {
		return nil
	}
	return spanrt.At(r.b, r.off)
}

// Skip moves past n bytes of Unread.
func (f *FastReader) Skip(n int) { f.off += n }

// AtIndex puts field[i] in front of the error's path, and does nothing while
// there is no error.
func (f *FastReader) AtIndex(field string, i int) {
	if f.st&rFailed != 0 {
		f.x.err.within(spanrt.Index(i))
		f.x.err.within(field)
	}
}

// EnterElems marks that elements of a list or map are being read, where the
// input may not end early; LeaveElems takes its result.
func (f *FastReader) EnterElems() (was bool) { return (*Reader)(f).enterElems() }

// LeaveElems undoes EnterElems.
func (f *FastReader) LeaveElems(was bool) { (*Reader)(f).leaveElems(was) }

func (r *Reader) enterElems() (was bool) {
	was = r.st&rElems != 0
	r.st |= rElems
	return was
}

func (r *Reader) leaveElems(was bool) {
	if !was {
		r.st &^= rElems
	}
}

// EnterSized reads the length of a sized struct and narrows the Reader to that
// many bytes: inside, any field boundary may be the end. Lenient is the NewLife
// profile, which accepts a padded length. It reports false when the Reader has
// failed. Each EnterSized that returns true needs a LeaveSized.
func (f *FastReader) EnterSized(lenient bool) (Sized, bool) {
	return (*Reader)(f).enterSized(lenient && !(*Reader)(f).strict())
}

// LeaveSized skips what the struct's fields left unread and restores what
// EnterSized changed.
func (f *FastReader) LeaveSized(s Sized) { (*Reader)(f).leaveSized(s) }

// Claim claims n bytes for the elements of a list and reports whether the input
// that has come has as many left.
func (f *FastReader) Claim(n int) bool { return (*Reader)(f).claim(n) }

// Present reads the byte that reports whether a value follows, 0 or 1; with lenient,
// which is the NewLife profile, any byte but 0 is true.
func (f *FastReader) Present(lenient bool) bool {
	if b := f.Unread(); len(b) > 0 && b[0] <= 1 {
		f.off++
		return b[0] != 0
	}
	return (*Reader)(f).readPresence(lenient)
}

// Decimal returns the decimal of the four words at the start of b, which
// spanrt.FitsDecimal has looked at.
func (f *FastReader) Decimal(b []byte) Decimal {
	return Decimal{spanrt.GetUint32(b), spanrt.GetUint32(b[4:]), spanrt.GetUint32(b[8:]), spanrt.GetUint32(b[12:])}
}

// Keys is for generated code only: it makes the string keys of one map. In alias mode they share one private
// copy, since a key that changes breaks its map.
//
// It does not hold the Reader: what the keys are made of flows into the map,
// and the Reader would have to live on the heap with them.
type Keys struct {
	copy []byte // the entries' bytes
	at   int    // where they begin in Unread
}

// Keys prepares reading count entries that begin at b[i]; each value takes size
// bytes, or is itself a string or byte slice when size is below 0.
func (f *FastReader) Keys(b []byte, i, count, size int) Keys {
	r := (*Reader)(f)
	k := Keys{at: i}
	if StringMode(r.st) != AliasStrings || count == 0 {
		return k
	}
	end := i
	for range count {
		if end = spanrt.SkipString(b, end); size < 0 {
			end = spanrt.SkipString(b, end)
		} else {
			end += size
		}
		if end > len(b) || end < 0 {
			return Keys{at: i} // malformed: the caller finds out
		}
	}
	k.copy = cloneBytes(b[i:end])
	return k
}

// String returns the key b[i:i+n] of what f reads.
func (k *Keys) String(f *FastReader, b []byte, i, n int) string {
	r := (*Reader)(f)
	if k.copy != nil {
		return aliasString(k.copy[i-k.at : i-k.at+n])
	}
	if StringMode(r.st) == AliasStrings {
		return string(b[i : i+n])
	}
	return f.ownString(i, n, -1)
}

// readPresence is FastReader.Present with care.
//
//go:noinline
func (r *Reader) readPresence(lenient bool) bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 && (!lenient || r.strict()) {
		r.failAt(r.off-1, because(ErrMalformed, "a presence byte of %d", b[0]))
		return false
	}
	return b[0] != 0
}
