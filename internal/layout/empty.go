package layout

import (
	"slices"
	"strings"
)

// Lists and maps of values without bytes: no input is too short for any number of
// them.

// listSite is a list or map and where it was met first.
type listSite struct {
	node *Node
	at   Site
}

// measureElement computes the smallest sizes of a value within a list or map,
// after those of its parts. Where pointers without a mark lead back to it, the
// reference counts 0.
func (g *graph) measureElement(n *Node, done map[*Node]bool) {
	if done[n] || g.comp[n] == 0 {
		return
	}
	done[n] = true
	n.Least, n.LeastSwitched = 0, 0
	switch n.Op {
	case OpInline:
		g.measureElement(n.Elem, done)
		n.Least, n.LeastSwitched = n.Elem.Least, n.Elem.LeastSwitched
	case OpArray:
		g.measureElement(n.Elem, done)
		n.Least, n.LeastSwitched = times(n.Len, n.Elem.Least), times(n.Len, n.Elem.LeastSwitched)
	case OpStruct:
		n.each(func(m *Node) {
			g.measureElement(m, done)
			n.Least, n.LeastSwitched = plus(n.Least, m.Least), plus(n.LeastSwitched, m.LeastSwitched)
		})
	default:
		n.Least, n.LeastSwitched = n.Min, n.MinSwitched
	}
}

// limitEmpty bounds a list or map whose elements may take no byte. Keys without
// bytes are all the same, so there is one at most. Elements that have no memory
// either are merely counted, except those that write themselves: reading calls
// a method for each. Others need a max, since no byte of the input pays for the
// memory that each of them takes.
func (w *walk) limitEmpty(l listSite) {
	n := l.node
	least := n.Elem.Least
	if n.Op == OpMap {
		least = plus(least, n.Key.Least)
		if !n.Key.unknown() && (n.Key.Nothing || least == 0 && w.c.empty(n.Key.Type)) {
			n.Max, n.MaxZero = 1, true
			return
		}
	}
	switch {
	case least > 0, n.Elem.unknown(), n.Key != nil && n.Key.unknown():
	case n.Op == OpSlice && w.c.empty(n.Elem.Type):
		if !n.Elem.Nothing && n.Max == Unlimited {
			n.Max, n.MaxZero = MaxCalls, true
		}
	case n.Max != Unlimited && n.Max <= MaxEmpty, w.faulty(l.at.Path()):
	default:
		w.report(l.at, n.Name, Fault{
			CodeEmpty, "the elements of " + n.Name + " may take no bytes, so a short input could announce any number of them",
			"set a max of 1024 or less on the field, or add a field that is on the wire to the element",
		})
	}
}

// faulty reports whether something at the path or below it has been found at
// fault.
func (w *walk) faulty(path string) bool {
	return slices.ContainsFunc(w.problems, func(p Problem) bool { return strings.HasPrefix(p.Path, path) })
}

// unknown reports whether n is a value whose size depends on a type that is not
// known here: a type parameter, or one that has a problem of its own.
func (n *Node) unknown() bool {
	seen := map[*Node]bool{}
	var visit func(*Node) bool
	visit = func(n *Node) bool {
		switch {
		case seen[n]:
			return false
		case n.Op == OpParam, n.Op == OpInvalid:
			return true
		}
		seen[n] = true
		switch n.Op {
		case OpArray, OpStruct, OpInline:
			return n.any(visit)
		}
		return false
	}
	return visit(n)
}
