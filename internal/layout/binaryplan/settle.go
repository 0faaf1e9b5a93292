package binaryplan

import "math"

// settle computes what follows from the parts of all nodes, round cycles.
func (w *walk) settle() {
	w.repeat((*Node).settle)
	for _, n := range w.order {
		w.close(n)
	}
	w.repeat((*Node).demand)
}

// repeat applies a rule to all nodes until nothing changes.
func (w *walk) repeat(rule func(*Node) bool) {
	for changed := true; changed; {
		changed = false
		for _, n := range w.order {
			changed = rule(n) || changed
		}
	}
}

// settle computes what follows from the parts of a node, and reports a change.
func (n *Node) settle() bool {
	mutates, empty, open := n.Mutates, n.Empty, n.Open
	switch {
	case n.Struct != nil:
		n.Mutates = len(n.Struct.Refs) > 0
		n.Empty = !n.Struct.Member
		for i := range n.Struct.Fields {
			f := &n.Struct.Fields[i]
			if f.Node != nil {
				n.Mutates = n.Mutates || f.Node.Mutates
			}
			n.Empty = n.Empty && f.Plain() && f.Node != nil && f.Node.Empty
			n.Open = n.Open || f.isOpen()
		}
	case n.Elem != nil:
		n.Mutates = n.Elem.Mutates
		n.Open = n.Op == OpObject && n.Elem.Open
		n.Empty = n.Op == OpArray && (n.Len == 0 || n.Elem.Empty) || n.Op == OpByteArray && n.Len == 0
	}
	return n.Mutates != mutates || n.Empty != empty || n.Open != open
}

// demand makes structs need the members that are, or are made of, structs which
// need members of theirs, and reports a change.
func (n *Node) demand() (changed bool) {
	if n.Struct == nil {
		return false
	}
	for i := len(n.Struct.Fields) - 1; i > n.Struct.Last; i-- {
		if f := &n.Struct.Fields[i]; f.Node != nil && f.If == nil && f.Node.demands() {
			n.Struct.Last = i
			return true
		}
	}
	return false
}

// demands reports whether n is a value with members without which it has no
// end.
func (n *Node) demands() bool {
	switch n.Op {
	case OpStruct:
		return n.Struct.Last >= 0
	case OpArray:
		return n.Len > 0 && n.Elem.demands()
	}
	return false
}

// measure computes the fewest bytes of a value. What leads back to a type is a
// pointer, list or map, so that sizes never depend on themselves.
func (n *Node) measure() {
	switch n.Op {
	case OpNullable:
		if n.Min = 1; n.Null != Flagged {
			n.Min = n.Elem.Min
		}
	case OpBool, OpInt8, OpChar:
		n.Min = 1
	case OpInt16, OpInt32, OpInt64, OpInt, OpUint:
		n.Min = n.Size
		if n.Varint {
			n.Min = 1
		}
		if n.BCD > 0 {
			n.Min = n.BCD
		}
	case OpFloat32, OpFloat64:
		n.Min = n.Size
	case OpGUID:
		n.Min = 16
	case OpTime, OpDate, OpTimeOfDay, OpDuration, OpDecimal, OpOffset:
		n.Min = 1 // of a uvarint, or what Compat writes: a lower bound will do
	case OpByteArray:
		n.Min = n.Len
	case OpString, OpBytes, OpChars, OpSlice, OpMap, OpAddr, OpAddrPort:
		n.Min = n.Length.Least(n)
	case OpArray:
		n.Min = atMost(int64(n.Len) * int64(n.Elem.Min))
	case OpStruct:
		sum := int64(0)
		for i := range n.Struct.Fields {
			sum += int64(n.Struct.Fields[i].Min)
		}
		n.Min = atMost(sum)
	}
}

func atMost(n int64) int { return int(min(n, math.MaxInt32)) }

// Least returns the fewest bytes of what has this length.
func (l Length) Least(n *Node) int {
	switch l.Form {
	case Prefixed:
		if l.Varint && l.Width > 1 {
			return 1
		}
		return max(int(l.Width), 1)
	case Exact, Trimmed:
		switch n.Op {
		case OpSlice:
			return atMost(int64(l.N) * int64(n.Elem.Min))
		case OpMap:
			return atMost(int64(l.N) * (int64(n.Key.Min) + int64(n.Elem.Min)))
		}
		return l.N
	case Until:
		return 1
	}
	return 0
}
