package layout

import "slices"

// A graph holds the new nodes of a walk.
type graph struct {
	post  []*Node // parts before the whole, except on cycles
	loops map[*Node]bool
	comp  map[*Node]int // the component of each new node, 0 for all others
}

// components finds the strongly connected components of the new nodes (Tarjan),
// along the edges that each visits.
func (w *walk) components(root *Node, each func(*Node, func(*Node))) *graph {
	fresh := map[*Node]bool{}
	for _, n := range w.order {
		fresh[n] = true
	}
	g := &graph{loops: map[*Node]bool{}, comp: map[*Node]int{}}
	index, low := map[*Node]int{}, map[*Node]int{}
	var stack []*Node
	var visit func(n *Node)
	visit = func(n *Node) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		each(n, func(m *Node) {
			switch {
			case !fresh[m]:
			case index[m] == 0:
				visit(m)
				low[n] = min(low[n], low[m])
			case g.comp[m] == 0:
				low[n] = min(low[n], index[m])
			}
			if m == n {
				g.loops[n] = true
			}
		})
		if low[n] == index[n] {
			stack = g.pop(stack, n)
		}
	}
	for _, n := range append([]*Node{root}, w.order...) {
		if fresh[n] && index[n] == 0 {
			visit(n)
		}
	}
	return g
}

// pop takes the component of n, whose nodes lie on the stack from n on.
func (g *graph) pop(stack []*Node, n *Node) []*Node {
	i := len(stack) - 1
	for stack[i] != n {
		i--
	}
	id := len(g.post) + 1
	for j := len(stack) - 1; j >= i; j-- {
		m := stack[j]
		g.comp[m] = id
		g.post = append(g.post, m)
		if j > i || i < len(stack)-1 {
			g.loops[m] = true
		}
	}
	return stack[:i]
}

// markCycles sets Cyclic on the nodes of named types that lie on a type cycle.
// Such a node leads to itself, or to a node of the same type under other
// options.
func (w *walk) markCycles(g *graph) {
	count := map[Ref]int{}
	for _, n := range g.post {
		if n.named {
			count[n.Type]++
		}
	}
	for _, n := range g.post {
		n.Looped = g.loops[n]
		if !n.named {
			continue
		}
		n.Cyclic = g.loops[n]
		if !n.Cyclic && count[n.Type]+len(w.c.byType[n.Type]) > 1 {
			n.Cyclic = n.leadsTo(n.Type)
		}
	}
}

// leadsTo reports whether a node of the type lies below.
func (n *Node) leadsTo(ref Ref) bool {
	seen := map[*Node]bool{}
	var search func(*Node) bool
	search = func(n *Node) bool {
		return n.any(func(m *Node) bool {
			if seen[m] {
				return false
			}
			seen[m] = true
			return m.Type == ref && m.named || search(m)
		})
	}
	return search(n)
}

// markShared sets RootShared. A struct leads back to itself through an OpShared
// just where that node and its element are in one component of the graph, cut
// at sized structs.
func (w *walk) markShared(root *Node) {
	if !slices.ContainsFunc(w.order, func(n *Node) bool { return n.Shares }) {
		return
	}
	g := w.components(root, func(n *Node, f func(*Node)) {
		if n.Op != OpSized {
			n.each(f)
		}
	})
	for _, n := range g.post {
		if n.Op == OpShared && g.comp[n] == g.comp[n.Elem] {
			n.Elem.Struct.RootShared = true
		}
	}
}

// newPlan collects the structs below the root.
func (c *Compiler) newPlan(root *Node) *Plan {
	p := &Plan{Root: root, SelfDelimiting: !root.MayEndNil}
	if s := root.Struct; s != nil {
		p.SelfDelimiting = s.SelfDelimiting
	}
	c.round++
	for _, s := range root.structs(nil) {
		c.collect(p, s)
	}
	return p
}

// collect adds a struct and those below it to a plan, each in the order of
// first use. The stamps are the compiler's own: readers of plans do not look at
// them.
func (c *Compiler) collect(p *Plan, s *Struct) {
	if s.stamp == c.round {
		return
	}
	s.stamp = c.round
	p.Structs = append(p.Structs, s)
	if s.below == nil {
		s.below = []*Struct{}
		for i := range s.Fields {
			s.below = s.Fields[i].Node.structs(s.below)
		}
	}
	for _, t := range s.below {
		c.collect(p, t)
	}
}

// structs appends the structs that a node leads to without passing another.
func (n *Node) structs(all []*Struct) []*Struct {
	seen := map[*Node]bool{}
	var visit func(*Node)
	visit = func(n *Node) {
		switch {
		case !n.Structs || seen[n]:
			return
		case n.Struct != nil:
			if !slices.Contains(all, n.Struct) {
				all = append(all, n.Struct)
			}
			return
		}
		seen[n] = true
		n.each(visit)
	}
	visit(n)
	return all
}
