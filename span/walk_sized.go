package span

import (
	"cmp"
	"errors"
	"slices"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

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
		if w.x != nil {
			w.x.sizes.begin()
		}
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
	begin := w.offset()
	w.enter(pr, p)
	if w.checkEnd(pr, p, begin); w.st&wFailed != 0 {
		return
	}
	n := len(w.b) - start - 1
	if more := wire.SizeLength(n) - 1; n <= maxLength && w.st&wFixed != 0 && cap(w.b)-len(w.b) < more {
		w.Fail(ErrShortBuffer)
		return
	}
	b, ok := spanrt.PutSize(w.b, start)
	if !ok {
		w.Fail(because(ErrRange, "a length of %d", n))
		return
	}
	w.b = b
}

// sizedAhead finds the length first, since what is flushed can't be changed. One
// walk measures the outermost struct and those inside.
func (w *Writer) sizedAhead(pr *program, p ptr) {
	if w.st&wCount != 0 {
		w.sizedCount(pr, p)
		return
	}
	if outermost := !w.x.sizes.known; outermost {
		c := w.sizer()
		if c.sizedCount(pr, p); !w.measured(c) {
			return
		}
		w.sizedKnown(pr, p)
		w.x.sizes = sizes{}
		return
	}
	w.sizedKnown(pr, p)
}

// sizedKnown writes a struct that has been measured.
func (w *Writer) sizedKnown(pr *program, p ptr) {
	n, long := w.x.sizes.next()
	switch {
	case !long: // it fits the buffer, and may be changed there
		if w.room(5 + flushChunk/2) {
			w.st &^= wFlush
			w.sizedBehind(pr, p)
			w.st |= wFlush
		}
		return
	case uint64(n) > maxLength:
		w.Fail(because(ErrRange, "a length of %d", n))
		return
	case w.room(5):
		w.b = wire.AppendLength(w.b, int(n))
	}
	begin := w.offset()
	w.enter(pr, p)
	if w.st&wFailed == 0 && w.offset()-begin != n {
		w.Fail(errChanged)
	}
}

// sizedCount counts the bytes of a struct and of its length, and keeps its size.
func (w *Writer) sizedCount(pr *program, p ptr) {
	s := &w.x.sizes
	number := s.begin()
	w.writeZeros(1)
	begin := w.offset()
	w.enter(pr, p)
	w.checkEnd(pr, p, begin)
	n := w.offset() - begin
	w.writeZeros(wire.SizeLength(int(min(n, maxLength))) - 1)
	s.keep(number, n)
}

// sizes has the lengths of sized structs in the order in which they begin, as one
// walk has found them for another. Only those are kept that do not fit the buffer
// of a flushing Writer.
type sizes struct {
	known bool  // the walk has been made, or is being made
	total int64 // all that the walk has counted
	count int   // structs that have begun
	long  []longSize
}

type longSize struct {
	number int
	size   int64
}

// begin counts a struct and gives its number.
func (s *sizes) begin() int {
	s.count++
	return s.count
}

// keep notes the size of a struct.
func (s *sizes) keep(number int, size int64) {
	if s.known && size > flushChunk/2 {
		s.long = append(s.long, longSize{number, size})
	}
}

// next gives the size of the struct that begins, if it is a long one.
func (s *sizes) next() (size int64, long bool) {
	if s.begin(); len(s.long) == 0 || s.long[0].number != s.count {
		return 0, false
	}
	size = s.long[0].size
	s.long = s.long[1:]
	return size, true
}

// sizer is a counter that keeps the sizes of sized structs.
func (w *Writer) sizer() *counter {
	c := w.counter()
	c.state.sizes.known = true
	return c
}

// measured takes the sizes from a counter that sizer gave, and releases it. Where
// counting has failed the Writer has its error.
func (w *Writer) measured(c *counter) bool {
	defer c.release()
	if c.st&wFailed != 0 {
		c.x.err.Offset += w.offset()
		w.Fail(c.x.err)
		return false
	}
	s := c.state.sizes
	slices.SortFunc(s.long, func(a, b longSize) int { return cmp.Compare(a.number, b.number) })
	s.total, s.count = c.offset(), 0
	w.x.sizes = s
	return true
}

// errChanged is the reason for values that do not keep still.
var errChanged = errors.New("a method or another goroutine changed the value while it was written")

// sized reads a struct behind the length of its bytes.
func (r *Reader) sized(o *op, p ptr) {
	if s, ok := r.enterSized(r.tolerates(o)); ok {
		r.enter(o.sub, field(p, o))
		r.leaveSized(s)
	}
}
