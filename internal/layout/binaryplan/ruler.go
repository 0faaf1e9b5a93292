package binaryplan

import (
	"encoding/binary"
	"math"

	"github.com/spanwire/spanwire/internal/layout"
)

// Members that take the rest of the input. What comes after one, in its struct
// and in those around it, is its trailer: its size is known before it is read,
// and the rest ends that many bytes before the input does.

// isOpen reports whether f is a member that ends where the input does, or
// before a trailer.
func (f *Field) isOpen() bool {
	return f.Node != nil && (f.Node.Length.Form == Rest || f.Node.Open)
}

// close computes the trailers of a struct's open members, once all nodes have
// settled, and reports what has no fixed size. It also reports open values that
// others of unknown number follow.
func (w *walk) close(n *Node) {
	if n.Elem != nil && n.Elem.Open && n.Op != OpObject || n.Key != nil && n.Key.Open {
		w.report(w.sites[n], n.Type, layout.Fault{
			Code: layout.CodeOpenEnd, Reason: "an element that takes the rest of the input leaves nothing for the next one",
			Fix: "give the element's open member a length",
		})
	}
	if n.Struct == nil || !n.Open {
		return
	}
	for i := range n.Struct.Fields {
		f := &n.Struct.Fields[i]
		if !f.isOpen() {
			continue
		}
		size, at := (&Ruler{seen: map[*Node]bool{}}).After(n.Struct, i)
		if at >= 0 && n.Struct.spoilt {
			continue
		}
		if at >= 0 {
			w.report(w.sites[n].At(f.owner, f.at, f.Path), f.Node.Type, layout.Fault{
				Code: layout.CodeOpenEnd, Reason: "it takes the rest of the input, but " + n.Struct.Fields[at].Path + " after it has no fixed size",
				Fix: "give " + n.Struct.Fields[at].Path + " a fixed size, or move it before this member",
			})
			continue
		}
		f.Open, f.Trailer = true, size
		if last := len(n.Struct.Fields) - 1; last > i {
			n.Struct.Last = last // a missing trailer is never lenient
		}
	}
}

// A Ruler measures values whose size does not depend on what is in them, under
// options that plans do not depend on. The zero Ruler is what plans are made
// by.
type Ruler struct {
	UseRef    bool
	Hosts     int // enclosing objects, for UseRef
	Compat    bool
	SizeWidth int
	EncodeInt bool
	Ignores   func(name string) bool // nil for none

	seen map[*Node]bool // on the way, while plans are made: later none contains itself
}

// After returns the size of the members after member i and its padding, or the
// index of one without a fixed size.
func (r *Ruler) After(st *Struct, i int) (size, at int) {
	size = st.Fields[i].Pad
	for j := i + 1; j < len(st.Fields); j++ {
		n, ok := r.member(&st.Fields[j])
		if !ok || size > math.MaxInt32-n {
			return 0, j
		}
		size += n
	}
	return size, -1
}

// member returns the size of a member.
func (r *Ruler) member(f *Field) (int, bool) {
	if r.Ignores != nil && f.Bits == nil && r.Ignores(f.Name) {
		return 0, true
	}
	size, ok := 0, true
	switch {
	case f.Align > 0 || f.If != nil || f.Count != nil || f.Sizes != nil:
		return 0, false
	case f.Bits != nil:
		size = f.Bits.Size
	case f.Const != nil:
		size = f.Min
	case f.Node != nil:
		size, ok = r.value(f.Node)
	}
	return size + f.Pad, ok
}

// value returns the size of a value.
func (r *Ruler) value(n *Node) (int, bool) {
	switch n.Op {
	case OpBool, OpChar:
		return 1, true
	case OpInt8, OpInt16, OpInt32, OpInt64, OpInt, OpUint:
		switch {
		case n.BCD > 0:
			return n.BCD, true
		case n.Varint && n.Size > 1:
			return 0, false
		}
		return n.Size, true
	case OpFloat32, OpFloat64:
		return n.Size, true
	case OpGUID:
		return 16, true
	case OpByteArray:
		return n.Len, true
	case OpString, OpChars, OpBytes:
		switch {
		case n.BCD > 0:
			return n.BCD, true
		case n.Length.Form == Exact || n.Length.Form == Trimmed:
			return n.Length.N, true
		}
		return 0, false
	case OpSlice:
		return r.times(n.Length.N, n.Elem, n.Length.Form == Exact)
	case OpArray:
		return r.times(n.Len, n.Elem, true)
	case OpStruct:
		return r.structure(n)
	case OpUnknown:
		return 0, n.isOpenEnded() // where nothing is known nothing is wrong
	}
	return r.number(n)
}

// number returns the size of times and other values made of integers.
func (r *Ruler) number(n *Node) (int, bool) {
	size := 0
	switch n.Op {
	case OpDate:
		size = 4
	case OpTimeOfDay:
		size = 8
	case OpDecimal:
		size = 16
	case OpTime:
		size = timeSize(n)
	case OpDuration:
		size = r.timeSpan()
	case OpOffset:
		size = timeSize(n) + 8
		if r.Compat {
			size = timeSize(n) + r.timeSpan()
		}
	}
	return size, size > 0 && !n.Varint
}

func timeSize(n *Node) int {
	if n.Full {
		return 8
	}
	return 4
}

// TimeSpanTail is the number of integers and floats after the ticks of a
// TimeSpan under Compat.
const TimeSpanTail = 7

// timeSpan returns the size of a TimeSpan, under Compat that of its properties.
func (r *Ruler) timeSpan() int {
	if !r.Compat {
		return 8
	}
	return 8 + 12*TimeSpanTail + r.mark()
}

// mark returns the size of what comes before an object under UseRef.
func (r *Ruler) mark() int {
	switch {
	case !r.UseRef || r.Hosts == 0:
		return 0
	case r.SizeWidth == 0 || r.SizeWidth > 1 && r.EncodeInt:
		return len(binary.AppendUvarint(nil, uint64(r.Hosts+1)))
	}
	return r.SizeWidth
}

func (r *Ruler) times(count int, elem *Node, fixed bool) (int, bool) {
	if !fixed || count == 0 {
		return 0, fixed
	}
	n, ok := r.value(elem)
	if !ok || n > math.MaxInt32/count {
		return 0, false
	}
	return n * count, true
}

func (r *Ruler) structure(n *Node) (int, bool) {
	if r.seen[n] {
		return 0, false // it contains itself
	}
	if r.seen != nil {
		r.seen[n] = true
		defer delete(r.seen, n)
	}
	size := r.mark()
	r.Hosts++
	defer func() { r.Hosts-- }()
	for i := range n.Struct.Fields {
		m, ok := r.member(&n.Struct.Fields[i])
		if !ok || size > math.MaxInt32-m {
			return 0, false
		}
		size += m
	}
	return size, true
}
