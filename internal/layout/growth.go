package layout

import "math"

// Sizer is implemented by feeds that know the size of Go values in memory.
type Sizer interface {
	Size(Ref) int64
}

// measureGrowth computes Growth. A list costs its element's memory for each of
// the smallest elements, a pointer costs what it points to; the bytes of a
// pointer may already have paid for the list element that holds it, so both
// are added.
func (w *walk) measureGrowth(post []*Node) {
	sizer, ok := w.c.feed.(Sizer)
	if !ok {
		return
	}
	settle(post, func(n *Node) bool {
		list, pointed := n.ownGrowth(sizer)
		n.each(func(m *Node) {
			list, pointed = max(list, m.listGrowth), max(pointed, m.pointerGrowth)
		})
		changed := list != n.listGrowth || pointed != n.pointerGrowth
		n.listGrowth, n.pointerGrowth = list, pointed
		n.Growth = int(min(list+pointed, math.MaxInt32))
		return changed
	})
}

// Memory that comes with a value: the smallest block the allocator hands out,
// and the header and control words of a map.
const (
	smallBlock = 8
	mapHeader  = 64
)

// ownGrowth returns a node's own memory per wire byte.
func (n *Node) ownGrowth(s Sizer) (list, pointed int64) {
	switch n.Op {
	case OpString, OpBytes, OpBinary, OpText, OpJSON, OpGob:
		return smallBlock, 0
	case OpSlice:
		return n.perByte(s.Size(n.Elem.Type), n.Elem.LeastSwitched), 0
	case OpMap:
		// A map is laid out in groups of eight slots, the smallest has one.
		slots := 8 * (s.Size(n.Key.Type) + s.Size(n.Elem.Type))
		return n.perByte(mapHeader+slots, plus(n.Key.LeastSwitched, n.Elem.LeastSwitched)), 0
	case OpPointer, OpShared, OpInline:
		return 0, max(s.Size(n.Elem.Type), smallBlock)
	}
	return 0, 0
}

// perByte divides an element's memory by its smallest size. Elements without
// bytes cost all that the limit allows for a single byte.
func (n *Node) perByte(size int64, least int) int64 {
	if least > 0 {
		return (size + int64(least) - 1) / int64(least)
	}
	if n.Max == Unlimited {
		return 0
	}
	return min(size, math.MaxInt32) * int64(n.Max)
}
