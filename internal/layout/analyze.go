package layout

import "math"

// analyze computes what can be said of whole graphs: sizes, cycles and the
// flags. Nodes of earlier roots are complete, nothing in them leads to new ones.
func (w *walk) analyze(root *Node) {
	g := w.components(root, (*Node).each)
	settle(g.post, func(n *Node) bool { return set(&n.takes, n.mayTake()) })
	measured := map[*Node]bool{}
	for _, n := range g.post {
		g.measure(n, measured)
	}
	inLists := map[*Node]bool{}
	for _, n := range g.post {
		n.Nothing = !n.takes
		g.measureElement(n, inLists)
	}
	for _, n := range g.post {
		if n.Op == OpInline { // on a cycle the pointer may have been measured first
			n.Least, n.LeastSwitched = n.Elem.Least, n.Elem.LeastSwitched
		}
	}
	for _, l := range w.lists {
		w.limitEmpty(l)
	}
	settle(g.post, func(n *Node) bool {
		changed := set(&n.Shares, n.mayShare())
		changed = set(&n.Structs, n.hasStructs()) || changed
		changed = set(&n.loose, n.isLoose()) || changed
		return set(&n.MayEndNil, n.mayEndNil()) || changed
	})
	w.markCycles(g)
	w.markShared(root)
	for _, s := range w.structs {
		s.SelfDelimiting = s.Sized || !s.hasOptional() && !s.mayEndNil()
		s.Canonical = !s.isLoose()
	}
	w.measureGrowth(g.post)
}

// settle repeats update over all nodes until nothing changes.
func settle(nodes []*Node, update func(*Node) bool) {
	for changed := true; changed; {
		changed = false
		for _, n := range nodes {
			changed = update(n) || changed
		}
	}
}

func set(to *bool, v bool) bool {
	changed := *to != v
	*to = v
	return changed
}

// each calls f for the nodes directly below.
func (n *Node) each(f func(*Node)) {
	if n.Key != nil {
		f(n.Key)
	}
	if n.Elem != nil {
		f(n.Elem)
	}
	if n.Struct != nil {
		for i := range n.Struct.Fields {
			f(n.Struct.Fields[i].Node)
		}
	}
}

// any reports whether f holds for a node directly below.
func (n *Node) any(f func(*Node) bool) bool {
	found := false
	n.each(func(m *Node) { found = found || f(m) })
	return found
}

// mayTake reports whether some value takes a byte.
func (n *Node) mayTake() bool {
	switch n.Op {
	case OpArray:
		return n.Len > 0 && n.Elem.takes
	case OpStruct, OpInline:
		return n.any(func(m *Node) bool { return m.takes })
	}
	return true
}

// mayShare: see Node.Shares.
func (n *Node) mayShare() bool {
	switch n.Op {
	case OpShared:
		return true
	case OpSized:
		return false
	}
	return n.any(func(m *Node) bool { return m.Shares })
}

// hasStructs: see Node.Structs.
func (n *Node) hasStructs() bool {
	return n.Op == OpStruct || n.any(func(m *Node) bool { return m.Structs })
}

// isLoose reports whether some accepted bytes are not those that writing
// produces.
func (n *Node) isLoose() bool {
	switch n.Op {
	case OpMap, OpSized, OpBinary, OpText, OpJSON, OpGob, OpSelf, OpParam:
		return true
	case OpTime:
		if n.Time == TimeTicks {
			return true
		}
	case OpStruct:
		return n.Struct.isLoose()
	}
	return n.Lenient || n.any(func(m *Node) bool { return m.loose })
}

func (s *Struct) isLoose() bool {
	if s.NewLife || s.hasOptional() {
		return true
	}
	for i := range s.Fields {
		if s.Fields[i].Node.loose {
			return true
		}
	}
	return false
}

func (s *Struct) hasOptional() bool {
	return len(s.Fields) > 0 && s.Fields[len(s.Fields)-1].Optional
}

// mayEndNil: see Node.MayEndNil. A sized struct ends by its length, and in a
// list or array a nil is never legal.
func (n *Node) mayEndNil() bool {
	switch n.Op {
	case OpInline:
		return n.Elem.takes
	case OpStruct:
		return n.Struct.mayEndNil()
	case OpPointer, OpShared:
		return n.Elem.MayEndNil
	}
	return false
}

func (s *Struct) mayEndNil() bool {
	for i := len(s.Fields) - 1; i >= 0; i-- {
		n := s.Fields[i].Node
		if n.MayEndNil {
			return true
		}
		if n.Min > 0 {
			return false
		}
	}
	return false
}

// measure measures a new node after the parts that its size is made of. These
// never lead back to it: on each cycle is a list or a pointer.
func (g *graph) measure(n *Node, done map[*Node]bool) {
	if done[n] || g.comp[n] == 0 {
		return
	}
	done[n] = true
	if n.Op == OpStruct || n.Op == OpArray {
		n.each(func(m *Node) { g.measure(m, done) })
	}
	n.measure()
}

// measure computes the sizes of a node whose parts are measured.
func (n *Node) measure() {
	n.Min, n.MinSwitched, n.Fixed = 0, 0, -1
	switch n.Op {
	case OpBool, OpChar:
		n.exactly(1)
	case OpInt:
		if n.Enc != EncFixed {
			n.Min = 1
			break
		}
		n.exactly(n.Size)
	case OpFloat, OpComplex:
		n.exactly(n.Size)
	case OpGUID, OpDecimal:
		n.exactly(16)
	case OpTime:
		n.measureTime()
	case OpString, OpBytes, OpSlice, OpMap, OpBinary, OpText, OpJSON, OpGob:
		n.measureLength()
	case OpPointer, OpShared, OpSized:
		n.Min = 1
	case OpInline:
		if !n.Elem.takes {
			n.Fixed = 0
		}
	case OpArray:
		n.Min, n.MinSwitched = times(n.Len, n.Elem.Min), times(n.Len, n.Elem.MinSwitched)
		if size := times(n.Len, n.Elem.Fixed); (n.Len == 0 || n.Elem.Fixed >= 0) && size < math.MaxInt32 {
			n.Fixed = size
		}
		return
	case OpStruct:
		n.measureStruct()
		return
	case OpSelf:
		if !n.free {
			n.Min = 1
		}
	case OpInvalid, OpParam: // of any size
	}
	n.MinSwitched = n.switched(n.Min)
}

func (n *Node) exactly(size int) { n.Min, n.Fixed = size, size }

// switched returns the smallest size a switch may leave of a value.
func (n *Node) switched(size int) int {
	switch {
	case !n.Switched:
		return size
	case n.Op == OpInt, n.Op == OpTime:
		return 1
	case n.Op == OpDecimal:
		return 4
	}
	return size
}

func (n *Node) measureTime() {
	switch {
	case n.Enc != EncFixed:
		n.Min = 1
	case n.Time == TimeFull:
		n.exactly(12)
	case n.Time == TimeSeconds:
		n.exactly(4)
	case n.Time == TimeUnixMilli, n.Time == TimeUnixNano, n.Time == TimeTicks:
		n.exactly(8)
	}
}

func (n *Node) measureLength() {
	switch {
	case n.Nilable:
		n.Min = 1
	case n.FixedLen > 0:
		n.exactly(n.FixedLen)
	default:
		n.Min = max(n.Prefix, 1)
	}
}

func (n *Node) measureStruct() {
	n.Fixed = 0
	for i := range n.Struct.Fields {
		m := n.Struct.Fields[i].Node
		n.Min, n.MinSwitched = plus(n.Min, m.Min), plus(n.MinSwitched, m.MinSwitched)
		if m.Fixed < 0 || plus(n.Fixed, m.Fixed) == math.MaxInt32 {
			n.Fixed = -1
		}
		if n.Fixed >= 0 {
			n.Fixed += m.Fixed
		}
	}
}

// plus and times stop at the largest length, which no message can reach.
func plus(a, b int) int { return int(min(int64(a)+int64(b), math.MaxInt32)) }

func times(a, b int) int {
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > math.MaxInt32/b {
		return math.MaxInt32
	}
	return a * b
}
