package binary

import (
	"fmt"
	"io"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// tagged reads a struct with tags, or under options or handlers that single
// members matter to.
func (d *Decoder) tagged(n *node, p ptr) {
	st := n.st
	start := d.off
	var marks [binaryplan.MaxMarks]int
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
		q, trailer := f.In(p), d.trailer
		if f.open {
			d.trailer += d.trailerOf(st, i, len(d.hosts))
		}
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
			d.extra(n, i, p, q, start, &marks)
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
		d.trailer = trailer
	}
}

// member reads a member whose tag, if any, is all in its plan.
func (d *Decoder) member(f *field, q ptr) {
	if n := f.node; n.bcd > 0 || n.sz.Form != binaryplan.Prefixed {
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
	case f.x.cond == nil:
		return false
	case d.present(f.x.cond, p):
		if need := d.needs(f); need > 0 && !d.more() {
			d.fail(because(io.ErrUnexpectedEOF, "%s says that the member is there: %d bytes are needed, 0 are left", f.x.cond.path, need))
		}
		return d.err != nil
	}
	valueOf(f.node, q).SetZero()
	if r := d.lengthOf(f); r != nil && r.value == nil && d.Strict && !d.sharesLength(st, f, r, p) {
		if n, ok := d.lengthIn(r, p); ok && n != 0 {
			d.fail(because(ErrMalformed, "%s gives a length of %d, but %s says that the member is not there", r.path, n, f.x.cond.path))
		}
	}
	return true
}

// extra reads a member with its tag.
func (d *Decoder) extra(n *node, i int, p, q ptr, start int, marks *[binaryplan.MaxMarks]int) {
	f := &n.st.fields[i]
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
		d.counted(n, i, p, q, x.count)
	case x.sizes != nil:
		c := d.sizeCase(x.sizes)
		switch {
		case c == nil:
			d.value(f.node, q)
		case c.ref != nil:
			d.counted(n, i, p, q, c.ref)
		default:
			d.sized(f.node, q, c.sz)
		}
	default:
		d.member(f, q)
	}
}

// counted reads a value whose length is in another member.
func (d *Decoder) counted(n *node, i int, p, q ptr, r *reference) {
	f := &n.st.fields[i]
	length, ok := d.lengthIn(r, p)
	if !ok {
		d.fail(because(ErrNil, "%s, which holds the length, leads through a nil pointer", r.path))
		return
	}
	if length < 0 && d.Compat {
		length = 0
	}
	if length < 0 || length > maxLength {
		d.fail(because(ErrRange, "%s gives a length of %d", r.path, length))
		return
	}
	if length > 0 && d.Compat && !d.more() && d.err == nil && d.lenient(n.st, i) {
		valueOf(f.node, q).SetZero() // NewLife stops reading where the input ends
		return
	}
	if f.node.op != opSlice && f.node.op != opMap {
		if d.holds(int(length), 1); d.err != nil {
			return
		}
	}
	d.sized(f.node, q, sizing{Form: binaryplan.Exact, N: int(length)})
}

// lenient reports that the input may end before member i.
func (d *Decoder) lenient(st *structPlan, i int) bool {
	return !d.Strict && !d.whole && (d.inner == 0 || d.Compat) && i > st.last
}

// promised fails where the input has ended before member i although what was read
// says that member f, i or one behind it, is there.
func (d *Decoder) promised(f *field, p ptr, i int) {
	x := f.x
	if x == nil || len(d.IgnoreMembers) > 0 && d.ignores(f.name) {
		return
	}
	if c := x.cond; c != nil && c.field < i && !(c.negate && d.cut && len(c.steps) > 1) {
		need := d.needs(f)
		if need > 0 && d.present(c, p) {
			d.fail(because(io.ErrUnexpectedEOF, "%s says that the member is there: %d bytes are needed, 0 are left", c.path, need))
		}
	}
	r := d.lengthOf(f)
	if r != nil && r.field < i && !d.Compat && d.err == nil && (x.cond == nil || d.present(x.cond, p)) {
		if n, ok := d.lengthIn(r, p); ok && n > 0 {
			d.fail(because(io.ErrUnexpectedEOF, "%s gives a length of %d with 0 bytes left", r.path, n))
		}
	}
	d.at(f.path)
}

// needs gives the fewest bytes of a conditional member that is there.
func (d *Decoder) needs(f *field) int {
	switch {
	case f.x.sum != nil:
		return f.x.sum.size
	case f.node == nil || f.x.count != nil || f.x.sizes != nil:
		return 0
	case f.node.op == opObject && !f.node.elem.empty:
		return max(f.node.elem.min, 1)
	}
	return f.node.min
}

// lengthIn gives the length that another member holds.
func (d *Decoder) lengthIn(r *reference, p ptr) (int64, bool) {
	target, ok := r.target(p)
	if !ok {
		return 0, false
	}
	return int64At(r.node, target) + int64(r.offset), true
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
		mem.SetString(q, string(b))
	case opBytes:
		mem.SetBytes(q, append(mem.GetBytes(q)[:0], b...))
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
	q := f.In(p)
	if f.node.op == opBool {
		mem.SetBool(q, v != 0)
		return
	}
	if f.node.signed {
		v = uint64(int64(v<<(64-f.bits)) >> (64 - f.bits))
	}
	d.setBits(f.node, q, v)
}
