package binary

import (
	"io"
	"math"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
)

// How much memory open lists and maps may take before their elements are read. A
// count is believed as far as the input can hold it, but where a type holds itself
// each level could claim the same bytes: so every element claims the bytes that it
// takes at least, which are its own, and all claims of a message together can't be
// more than it has. What is not backed so - in a stream whose bytes have not
// come, under Compat, for elements that may take no byte - shares 64 KiB, and
// grows with the elements that were read.

// growth is the memory of one list or map.
type growth struct {
	size  int  // of an element
	plain bool // its elements have claimed their bytes
	begun bool
	ahead int // memory ahead of the bytes that came
}

// growth claims the bytes of count elements of at least least bytes and of size
// bytes of memory.
func (d *Decoder) growth(sz sizing, count, least, size int) growth {
	g := growth{size: max(size, 1)}
	if sz.Form != binaryplan.Prefixed || least == 0 { // a fixed number is part of what holds the list
		return g
	}
	total := int(min(int64(count)*int64(least), math.MaxInt32))
	switch {
	case total <= d.room:
		d.room -= total
		g.plain = true
	case d.r != nil || d.Compat:
		d.room = max(d.room-total, -math.MaxInt32/2) // less would not fit 32 bits
	default:
		d.fail(because(io.ErrUnexpectedEOF, "%d elements of at least %d bytes with %d bytes not claimed by an enclosing list", count, least, d.room))
	}
	return g
}

// step gives the elements that may be added beside as many as there are.
func (g *growth) step(d *Decoder) int {
	switch {
	case g.plain:
		return max(chunk/g.size, 1)
	case g.begun:
		return 1
	}
	g.begun = true
	most := chunk
	if d.r != nil { // which may not have as many bytes as the count says
		most /= 4
	}
	n := max((most-d.ahead)/g.size, 1)
	g.ahead = n * g.size
	d.ahead += g.ahead
	return n
}
