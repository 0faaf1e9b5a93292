package layout

import "slices"

// Pointers of the NewLife profile have no presence byte: where the input goes on,
// each of them leads to a value. A value that leads to another of its own kind
// before any byte is read never comes to an end, however little the input holds,
// and each turn takes the memory of the whole.

// endless is the fault of a pointer on such a loop.
func endless(n *Node) Fault {
	return Fault{
		CodeRecursive, n.Name + " has no presence byte and leads back to itself before anything is read, so reading a few bytes would never end",
		"put a field that takes a byte before it, or skip the field with `span:\"-\"`",
	}
}

// refuseEndless reports the pointers on loops that take no byte, each at the first
// path that leads to it.
func (w *walk) refuseEndless(root *Node, at Site) {
	if !slices.ContainsFunc(w.order, func(n *Node) bool { return n.Op == OpInline }) {
		return
	}
	takes := map[*Node]bool{} // every value takes a byte
	settle(w.order, func(n *Node) bool {
		if takes[n] || !n.mustTake(takes) {
			return false
		}
		takes[n] = true
		return true
	})
	g := w.components(root, func(n *Node, f func(*Node)) { n.eachAtOnce(takes, f) })
	if len(g.loops) > 0 {
		l := loopFinder{walk: w, graph: g, seen: map[*Node]bool{}}
		l.visit(root, 0, at)
	}
}

// A loopFinder looks for the places of loops below a root.
type loopFinder struct {
	*walk
	*graph
	seen map[*Node]bool
}

// visit reports the pointers below n that lie on a loop with the struct that holds
// them, which is in component holder.
func (l *loopFinder) visit(n *Node, holder int, at Site) {
	if n.Op == OpInline && l.graph.loops[n] && l.comp[n] == holder {
		l.report(at, n.Name, endless(n))
	}
	if l.seen[n] {
		return
	}
	switch {
	case n.Struct != nil:
		l.seen[n] = true
		for i := range n.Struct.Fields {
			f := &n.Struct.Fields[i]
			l.visit(f.Node, l.comp[n], at.At(n.Struct.Type, f.Index, f.Name))
		}
	case n.Elem != nil:
		l.seen[n] = true
		defer delete(l.seen, n) // each way to a struct counts
		if n.Key != nil {
			l.visit(n.Key, holder, at.In("[key]"))
		}
		switch n.Op {
		case OpArray:
			at = at.In("[]")
		case OpSlice, OpMap:
			at, holder = at.In("[]"), 0 // the count comes first
		}
		l.visit(n.Elem, holder, at)
	}
}

// mustTake reports whether n is a node of which every value takes a byte
// where no pointer is nil, as far as that is known of its parts. What is not
// known here, such as type parameters, is checked once it is known.
func (n *Node) mustTake(takes map[*Node]bool) bool {
	switch n.Op {
	case OpInvalid, OpParam:
		return true
	case OpArray:
		return n.Len > 0 && n.Elem.takesByte(takes)
	case OpStruct:
		return n.any(func(m *Node) bool { return m.takesByte(takes) })
	case OpInline:
		return n.Elem.takesByte(takes)
	}
	return n.Min > 0
}

// takesByte asks for a part, which an earlier walk may have known.
func (n *Node) takesByte(takes map[*Node]bool) bool { return takes[n] || n.Least > 0 }

// eachAtOnce calls f for the nodes that are entered before a byte is read.
func (n *Node) eachAtOnce(takes map[*Node]bool, f func(*Node)) {
	switch n.Op {
	case OpInline:
		if n.Elem.takes { // else it always reads as nil
			f(n.Elem)
		}
	case OpArray:
		if n.Len > 0 {
			f(n.Elem)
		}
	case OpStruct:
		for i := range n.Struct.Fields {
			m := n.Struct.Fields[i].Node
			if f(m); m.takesByte(takes) {
				return
			}
		}
	}
}
