package binary

import (
	"fmt"
)

// tagged reads a struct with tags, or under options or handlers that single
// members matter to.
func (d *Decoder) tagged(n *node, p ptr) {
	st := n.st
	start := d.off
	var marks [maxMarks]int
	for i := range st.fields {
		f := &st.fields[i]
		if f.x != nil && f.x.mark > 0 {
			marks[f.x.mark-1] = d.off
		}
		if len(d.IgnoreMembers) > 0 {
			skip, err := d.leavesOut(f)
			if err != nil {
				d.fail(err)
				d.at(f.path)
				return
			}
			if skip {
				continue
			}
		}
		if d.off >= len(d.b) && (f.min > 0 || f.own) && !d.more() && d.ends(f) {
			d.missing(n, p, i)
			return
		}
		q := f.in(p)
		switch {
		case st.member && f.name != "_" && d.memberAccessor(n, p, f.name):
		case f.x == nil:
			d.member(f, q)
		case d.absent(st, f, p, q):
		default:
			d.skip(f.x.toAlign(d.off - d.start))
			if f.x.mark > 0 {
				marks[f.x.mark-1] = d.off
			}
			d.extra(n, f, p, q, start, &marks)
			if d.err == nil {
				d.skip(f.x.pad)
			}
		}
		if d.err != nil {
			if f.x == nil || f.x.run == nil { // else bits has said which
				d.at(f.path)
			}
			return
		}
	}
}

// member reads a member whose tag, if any, is all in its plan.
func (d *Decoder) member(f *field, q ptr) {
	if n := f.node; n.bcd > 0 || n.sz.form != sizePrefix {
		d.sized(n, q, n.sz)
		return
	}
	d.value(f.node, q)
}

// toAlign gives the number of bytes up to a multiple of the alignment.
func (x *extra) toAlign(off int) int {
	if x.align == 0 {
		return 0
	}
	return (x.align - off%x.align) % x.align
}

// skip passes padding.
func (d *Decoder) skip(n int) {
	if n == 0 {
		return
	}
	for i, c := range d.take(n) {
		if c != 0 && d.Strict {
			d.off -= n - i
			d.fail(because(ErrMalformed, "padding of %#02x", c))
			return
		}
	}
}

// absent sets a member that its condition leaves out to zero, and reports it, or
// that it has failed.
func (d *Decoder) absent(st *structPlan, f *field, p, q ptr) bool {
	if len(d.IgnoreMembers) > 0 {
		d.fail(d.blind(st, f))
	}
	switch {
	case d.err != nil:
		return true
	case f.x.cond == nil || d.present(f.x.cond, p):
		return false
	}
	valueOf(f.node, q).SetZero()
	return true
}

// extra reads a member with its tag.
func (d *Decoder) extra(n *node, f *field, p, q ptr, start int, marks *[maxMarks]int) {
	x := f.x
	switch {
	case d.err != nil:
	case x.run != nil:
		d.bits(x.run, p)
	case x.fixed != nil:
		d.constant(f, q)
	case x.sum != nil:
		if x.sum.slot >= 0 {
			start = marks[x.sum.slot]
		}
		d.checkSum(f, q, x.sum.funct(d.b[start:d.off]))
	case f.node == nil:
	case x.count != nil:
		d.counted(n, f, p, q, x.count)
	case x.sizes != nil:
		c := d.sizeCase(x.sizes)
		switch {
		case c == nil:
			d.value(f.node, q)
		case c.ref != nil:
			d.counted(n, f, p, q, c.ref)
		default:
			d.sized(f.node, q, c.sz)
		}
	default:
		d.member(f, q)
	}
}

// counted reads a value whose length is in another member.
func (d *Decoder) counted(n *node, f *field, p, q ptr, r *reference) {
	target, ok := r.target(p)
	if !ok {
		d.fail(because(ErrNil, "%s, which holds the length, leads through a nil pointer", r.path))
		return
	}
	length := int64At(r.node, target) + int64(r.offset)
	if length < 0 && d.Compat {
		length = 0
	}
	if length < 0 || length > maxLength {
		d.fail(because(ErrRange, "%s gives a length of %d", r.path, length))
		return
	}
	if length > 0 && !d.more() && d.err == nil && !d.lacks(n, f) {
		valueOf(f.node, q).SetZero()
		return
	}
	if f.node.op != opSlice {
		if d.holds(int(length), 1); d.err != nil {
			return
		}
	}
	d.sized(f.node, q, sizing{form: sizeExact, n: int(length)})
}

// lacks reports that the input may not end before the member.
func (d *Decoder) lacks(n *node, f *field) bool {
	for i := range n.st.fields {
		if &n.st.fields[i] == f {
			return d.Strict || d.inner > 0 && !d.Compat || i <= n.st.last
		}
	}
	return true
}

// constant reads a const member and checks it.
func (d *Decoder) constant(f *field, q ptr) {
	start := d.off
	b := d.take(len(f.x.fixed))
	if d.err != nil {
		return
	}
	if string(b) != string(f.x.fixed) {
		got := fmt.Sprintf("%#x", b)
		if f.x.value != nil {
			got = fmt.Sprintf("%#x", fixedOf(b, f.node))
		}
		d.off = start
		d.fail(because(ErrConst, "%s where %s must be", got, f.x.want))
		return
	}
	if f.x.blank {
		return
	}
	switch f.node.op {
	case opString:
		setStr(q, string(b))
	case opBytes:
		setRaw(q, append(getRaw(q)[:0], b...))
	case opByteArray:
		copy(array(f.node, q), b)
	default:
		d.setBits(f.node, q, *f.x.value)
	}
}

// fixedOf gives the integer in b for a message.
func fixedOf(b []byte, n *node) uint64 {
	if len(b) == n.size {
		return fixedAt(b, n.le)
	}
	v := uint64(0)
	for i, c := range b {
		v |= uint64(c&0x7f) << (7 * i)
	}
	return v
}

// checkSum reads a checksum and compares it.
func (d *Decoder) checkSum(f *field, q ptr, want uint64) {
	start := d.off
	d.number(f.node, q)
	if got := bitsAt(f.node, q); d.err == nil && got != want {
		d.off = start
		d.fail(because(ErrSum, "%s is %#x, the bytes have %#x", f.x.sum.name, got, want))
	}
}

// bits reads a run of bit fields.
func (d *Decoder) bits(run *bitRun, p ptr) {
	start := d.off
	in := d.take(run.size)
	if in == nil {
		d.at(run.fields[0].path)
		return
	}
	pos := 0
	for i := range run.fields {
		f := &run.fields[i]
		v := getBits(in, pos, f.bits, run.lsb)
		pos += f.bits
		if f.value != nil && v != *f.value&(1<<f.bits-1) {
			d.off = start
			d.fail(because(ErrConst, "%d where %s must be", v, f.want))
			d.at(f.path)
			return
		}
		switch {
		case !f.blank:
			f.store(d, p, v)
		case f.value == nil && v != 0 && d.Strict:
			d.off = start
			d.fail(because(ErrMalformed, "%d in bits that are reserved", v))
			d.at(f.path)
			return
		}
	}
}

// store sets the field's value from its bits.
func (f *bitField) store(d *Decoder, p ptr, v uint64) {
	q := f.in(p)
	if f.node.op == opBool {
		setBool(q, v != 0)
		return
	}
	if f.node.signed {
		v = uint64(int64(v<<(64-f.bits)) >> (64 - f.bits))
	}
	d.setBits(f.node, q, v)
}
