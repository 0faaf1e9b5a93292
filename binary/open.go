package binary

import (
	"encoding/binary"
	"io"
	"math"
)

// Members that take the rest of the input. What stands behind one, in its struct
// and in those around it, is its trailer: its size is known before it is read, and
// the rest ends that many bytes before the input does.

// isOpen reports a member that ends where the input does, or before a trailer.
func (f *field) isOpen() bool {
	return f.node != nil && (f.node.sz.form == sizeRest || f.node.open)
}

// close computes the trailers of a struct's open members, once all nodes have
// settled, and reports what has no fixed size. It also reports open values that
// others of unknown number follow.
func (c *compiler) close(n *node) {
	if n.elem != nil && n.elem.open && n.op != opObject || n.key != nil && n.key.open {
		c.report(typeName(n.typ), "an element that takes the rest of the input leaves nothing for the next one")
	}
	if n.st == nil || !n.open {
		return
	}
	for i := range n.st.fields {
		f := &n.st.fields[i]
		if !f.isOpen() {
			continue
		}
		size, at := (&ruler{seen: map[*node]bool{}}).behind(n.st, i)
		if at >= 0 {
			c.report(typeName(n.typ)+"."+f.path, "it takes the rest of the input, but %s behind it has no fixed size", n.st.fields[at].path)
			continue
		}
		f.open, f.trailer, n.st.plain = true, size, false
		if last := len(n.st.fields) - 1; last > i {
			n.st.last = last // a missing trailer is never lenient
		}
	}
}

// ruler measures values whose size does not depend on what is in them.
type ruler struct {
	s     *settings      // nil when compiling: the options that plans do not know are zero
	hosts int            // enclosing objects, for UseRef
	seen  map[*node]bool // on the way, when compiling
}

// behind gives the size of the members behind member i and its padding, or the
// index of one without a fixed size.
func (r *ruler) behind(st *structPlan, i int) (size, at int) {
	if x := st.fields[i].x; x != nil {
		size = x.pad
	}
	for j := i + 1; j < len(st.fields); j++ {
		n, ok := r.member(&st.fields[j])
		if !ok || size > math.MaxInt32-n {
			return 0, j
		}
		size += n
	}
	return size, -1
}

// member gives the size of a member.
func (r *ruler) member(f *field) (int, bool) {
	if r.s != nil && (f.x == nil || f.x.run == nil) && r.s.ignores(f.name) {
		return 0, true
	}
	x := f.x
	if x == nil {
		return r.value(f.node)
	}
	size, ok := 0, true
	switch {
	case x.align > 0 || x.cond != nil || x.count != nil || x.sizes != nil:
		return 0, false
	case x.run != nil:
		size = x.run.size
	case x.fixed != nil:
		size = len(x.fixed)
	case f.node != nil:
		size, ok = r.value(f.node)
	}
	return size + x.pad, ok
}

// value gives the size of a value.
func (r *ruler) value(n *node) (int, bool) {
	switch n.op {
	case opBool, opChar:
		return 1, true
	case op8, opInt16, opInt32, opInt64, opInt, opUint:
		switch {
		case n.bcd > 0:
			return n.bcd, true
		case n.varint && n.size > 1:
			return 0, false
		}
		return n.size, true
	case opFloat32, opFloat64:
		return n.size, true
	case opGUID:
		return 16, true
	case opByteArray:
		return n.len, true
	case opString, opChars, opBytes:
		switch {
		case n.bcd > 0:
			return n.bcd, true
		case n.sz.form == sizeExact || n.sz.form == sizeTrimmed:
			return n.sz.n, true
		}
		return 0, false
	case opSlice:
		return r.times(n.sz.n, n.elem, n.sz.form == sizeExact)
	case opArray:
		return r.times(n.len, n.elem, true)
	case opStruct:
		return r.structure(n)
	}
	return r.number(n)
}

// number gives the size of times and other values made of integers.
func (r *ruler) number(n *node) (int, bool) {
	size := 0
	switch n.op {
	case opDate:
		size = 4
	case opTimeOfDay:
		size = 8
	case opDecimal:
		size = 16
	case opTime:
		size = timeSize(n)
	case opDuration:
		size = r.timeSpan()
	case opOffset:
		size = timeSize(n) + 8
		if r.s != nil && r.s.Compat {
			size = timeSize(n) + r.timeSpan()
		}
	}
	return size, size > 0 && !n.varint
}

func timeSize(n *node) int {
	if n.full {
		return 8
	}
	return 4
}

// timeSpan gives the size of a TimeSpan, under Compat that of its properties.
func (r *ruler) timeSpan() int {
	if r.s == nil || !r.s.Compat {
		return 8
	}
	return 8 + 12*timeSpanTail + r.mark()
}

// mark gives the size of what stands before an object under UseRef.
func (r *ruler) mark() int {
	switch {
	case r.s == nil || !r.s.UseRef || r.hosts == 0:
		return 0
	case r.s.SizeWidth == 0 || r.s.SizeWidth > 1 && r.s.EncodeInt:
		return len(binary.AppendUvarint(nil, uint64(r.hosts+1)))
	}
	return r.s.SizeWidth
}

func (r *ruler) times(count int, elem *node, fixed bool) (int, bool) {
	if !fixed || count == 0 {
		return 0, fixed
	}
	n, ok := r.value(elem)
	if !ok || n > math.MaxInt32/count {
		return 0, false
	}
	return n * count, true
}

func (r *ruler) structure(n *node) (int, bool) {
	if r.s == nil {
		if r.seen[n] {
			return 0, false // it contains itself
		}
		r.seen[n] = true
		defer delete(r.seen, n)
	}
	size := r.mark()
	r.hosts++
	defer func() { r.hosts-- }()
	for i := range n.st.fields {
		m, ok := r.member(&n.st.fields[i])
		if !ok || size > math.MaxInt32-m {
			return 0, false
		}
		size += m
	}
	return size, true
}

// trailerOf gives the size of what stands behind open member i in its struct.
func (s *settings) trailerOf(st *structPlan, i, hosts int) int {
	if !s.UseRef && !s.Compat && len(s.IgnoreMembers) == 0 {
		return st.fields[i].trailer
	}
	size, _ := (&ruler{s: s, hosts: hosts}).behind(st, i)
	return size
}

// restEnd gives where the rest of the input ends: before the trailer. A stream is
// read to its end.
func (d *Decoder) restEnd() (int, bool) {
	for d.fill(len(d.b) - d.off + 1) {
	}
	end := len(d.b) - d.trailer
	if d.err == nil && end < d.off {
		d.fail(because(io.ErrUnexpectedEOF, "%d bytes must follow what takes the rest, %d are left", d.trailer, len(d.b)-d.off))
	}
	d.whole = true // whatever follows is not lenient
	return end, d.err == nil
}

// atRest notes, when writing, where a message with an open member must end.
func (e *Encoder) atRest() {
	end := len(e.b) + e.trailer
	if e.open && e.ends != end {
		end = -1 // there are two
	}
	e.ends, e.open = end, true
}

// closed checks that what must end a message does.
func (e *Encoder) closed() {
	if e.err == nil && e.open && len(e.b) != e.ends {
		e.fail(because(ErrUnsupported, "bytes stand behind a member that takes the rest of the input, which would read them"))
	}
}
