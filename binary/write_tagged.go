package binary

import (
	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// tagged writes a struct with tags, or under options or handlers that single
// members matter to.
func (e *Encoder) tagged(n *node, p ptr) {
	st := n.st
	if e.lengths(st, p); e.err != nil {
		return
	}
	start := len(e.b)
	var marks [binaryplan.MaxMarks]int
	for i := range st.fields {
		f := &st.fields[i]
		if f.x != nil && f.x.mark > 0 {
			marks[f.x.mark-1] = len(e.b)
		}
		if len(e.IgnoreMembers) > 0 {
			skip, err := e.leavesOut(f)
			if err != nil {
				e.fail(err)
				e.at(f.path)
				return
			}
			if skip {
				continue
			}
		}
		q, trailer := f.In(p), e.trailer
		if f.open {
			e.trailer += e.trailerOf(st, i, len(e.hosts))
		}
		switch {
		case st.member && f.name != "_" && e.memberAccessor(n, p, f.name):
		case f.x == nil:
			e.member(f, q)
		case e.absent(st, f, p, q):
		default:
			e.align(f.x.align)
			if f.x.mark > 0 {
				marks[f.x.mark-1] = len(e.b)
			}
			e.extra(f, p, q, start, &marks)
			e.zeros(f.x.pad)
		}
		if e.err != nil {
			if f.x == nil || f.x.run == nil { // else bits has said which
				e.at(f.path)
			}
			return
		}
		e.trailer = trailer
		if f.lends && !e.Compat {
			if e.lent(st, i, p); e.err != nil {
				return
			}
		}
	}
}

// lent checks, once member i is written, that the lengths in it are those of st:
// another struct may hold the same pointer or be that member, and have set its own.
func (e *Encoder) lent(st *structPlan, i int, p ptr) {
	for _, j := range st.refs {
		if r := e.lengthOf(&st.fields[j]); r == nil || r.field != i {
			continue
		}
		if e.agrees(st, &st.fields[j], p); e.err != nil {
			e.at(st.fields[j].path)
			return
		}
	}
}

// member writes a member whose tag, if any, is all in its plan.
func (e *Encoder) member(f *field, q ptr) {
	if n := f.node; n.bcd > 0 || n.sz.Form != binaryplan.Prefixed {
		e.sized(n, q, n.sz)
		return
	}
	e.value(f.node, q)
}

// align writes zeros up to a multiple of n in the message.
func (e *Encoder) align(n int) {
	if n > 0 {
		e.zeros((n - (len(e.b)-e.start)%n) % n)
	}
}

// absent reports a member that its condition leaves out, or that has failed.
func (e *Encoder) absent(st *structPlan, f *field, p, q ptr) bool {
	if len(e.IgnoreMembers) > 0 {
		e.fail(e.blind(st, f))
	}
	switch {
	case e.err != nil:
		return true
	case f.x.cond == nil:
		return false
	case e.present(f.x.cond, p):
		if n := f.node; n != nil && n.op == opObject && !n.elem.empty && !e.Compat && !e.UseRef && valueOf(n, q).IsNil() {
			e.fail(because(ErrNil, "a nil object writes nothing, but %s says that the member is there", f.x.cond.path))
		}
		return e.err != nil
	case !e.Compat && f.x.sum == nil && !valueOf(f.node, q).IsZero():
		e.fail(because(ErrRange, "the member has a value but %s says that it is not there", f.x.cond.path))
	}
	return true
}

// extra writes a member with its tag.
func (e *Encoder) extra(f *field, p, q ptr, start int, marks *[binaryplan.MaxMarks]int) {
	x := f.x
	switch {
	case x.run != nil:
		e.bits(x.run, p)
	case x.fixed != nil:
		e.constant(f, q)
	case x.sum != nil:
		if x.sum.slot >= 0 {
			start = marks[x.sum.slot]
		}
		e.b = appendNumber(e.b, f.node, x.sum.funct(e.b[start:]))
	case f.node == nil:
	case x.count != nil:
		e.counted(f, p, q, x.count)
	case x.sizes != nil:
		c := e.sizeCase(x.sizes)
		switch {
		case c == nil:
			e.value(f.node, q)
		case c.ref != nil:
			e.counted(f, p, q, c.ref)
		default:
			e.sized(f.node, q, c.sz)
		}
	default:
		e.member(f, q)
	}
}

// leavesOut reports a member that IgnoreMembers names. Bit fields have no place of
// their own that could be left out.
func (s *settings) leavesOut(f *field) (bool, error) {
	if f.x == nil || f.x.run == nil {
		return s.ignores(f.name), nil
	}
	for i := range f.x.run.fields {
		if name := f.x.run.fields[i].name; s.ignores(name) {
			return false, because(ErrUnsupported, "the bit field %s can't be left out", name)
		}
	}
	return false, nil
}

// blind is the error of a member that depends on one that is left out.
func (s *settings) blind(st *structPlan, f *field) error {
	refs := []*reference{f.x.count}
	if f.x.cond != nil {
		refs = append(refs, &f.x.cond.reference)
	}
	if c := s.sizeCase(f.x.sizes); c != nil {
		refs = append(refs, c.ref)
	}
	for _, r := range refs {
		if r != nil && s.ignores(st.fields[r.field].name) {
			return because(ErrUnsupported, "the member depends on %s, which IgnoreMembers leaves out", r.path)
		}
	}
	return nil
}

// sizeCase gives the first attribute for the version, nil where none fits.
func (s *settings) sizeCase(cases []sizeCase) *sizeCase {
	for i := range cases {
		if v := cases[i].version; v == "" || v == s.Version {
			return &cases[i]
		}
	}
	return nil
}

// lengths sets the members that hold lengths: those of what is not there first,
// since one that is may share the place, and then those of what is not there by
// these lengths. Two that are there must agree.
func (e *Encoder) lengths(st *structPlan, p ptr) {
	again := false
	for pass, there := range [...]bool{false, true, false} {
		for _, i := range st.refs {
			f := &st.fields[i]
			if (f.x.cond == nil || e.present(f.x.cond, p)) != there {
				continue
			}
			if pass == 2 {
				if r := e.lengthOf(f); r != nil && e.sharesLength(st, f, r, p) {
					continue
				}
				again = true // which may be what a condition asks for
			}
			if e.refer(f, p); e.err != nil {
				e.at(f.path)
				return
			}
		}
	}
	if len(st.refs) < 2 && !again || e.Compat {
		return
	}
	for _, i := range st.refs {
		if e.agrees(st, &st.fields[i], p); e.err != nil {
			e.at(st.fields[i].path)
			return
		}
	}
}

// agrees checks that the length of f is still where refer has put it.
func (e *Encoder) agrees(st *structPlan, f *field, p ptr) {
	r := e.lengthOf(f)
	if r == nil || f.x.cond != nil && !e.present(f.x.cond, p) || len(e.IgnoreMembers) > 0 && e.ignores(f.name) {
		return
	}
	length, ok := e.sizeOf(f.node, f.In(p))
	target, found := r.target(p)
	if !ok || !found || int64At(r.node, target) == int64(length)-int64(r.offset) {
		return
	}
	for _, i := range st.refs {
		other := &st.fields[i]
		if o := e.lengthOf(other); other != f && o != nil && o.same(r) {
			e.fail(because(ErrRange, "the length %d and that of %s share one member, %s", length, other.path, r.path))
		}
	}
	e.fail(because(ErrRange, "the length %d does not match %s", length, r.path))
}

// lengthOf leads to the member that holds the length of f, nil where none does.
func (s *settings) lengthOf(f *field) *reference {
	if f.x == nil {
		return nil
	}
	if f.x.count == nil {
		if c := s.sizeCase(f.x.sizes); c != nil {
			return c.ref
		}
	}
	return f.x.count
}

// sharesLength reports that a member that is there has its length where f, which
// is not, has it.
func (s *settings) sharesLength(st *structPlan, f *field, r *reference, p ptr) bool {
	for _, i := range st.refs {
		other := &st.fields[i]
		if o := s.lengthOf(other); other != f && o != nil && o.same(r) && (other.x.cond == nil || s.present(other.x.cond, p)) {
			return true
		}
	}
	return false
}

// refer sets the member that holds the length of f.
func (e *Encoder) refer(f *field, p ptr) {
	r := e.lengthOf(f)
	if r == nil || len(e.IgnoreMembers) > 0 && e.ignores(f.name) {
		return
	}
	length := 0
	if f.x.cond == nil || e.present(f.x.cond, p) {
		var ok bool
		if length, ok = e.sizeOf(f.node, f.In(p)); !ok {
			return
		}
	}
	target, ok := r.target(p)
	if !ok {
		e.fail(because(ErrNil, "%s, which holds the length, leads through a nil pointer", r.path))
		return
	}
	v := int64(length) - int64(r.offset)
	if r.value != nil {
		e.always(f, p, target, r, v)
		return
	}
	if e.Compat && length == 0 && e.isNull(f.node, f.In(p)) && int64At(r.node, target) != v {
		return // NewLife leaves the length of null as it is
	}
	if !setInt64(r.node, target, v) {
		e.fail(because(ErrRange, "the length of %d does not fit in %s", length, r.path))
	}
}

// always checks a length that is in a member with const.
func (e *Encoder) always(f *field, p, target ptr, r *reference, v int64) {
	if f.x.cond != nil && !e.present(f.x.cond, p) {
		return
	}
	if setInt64(r.node, target, v); bitsAt(r.node, target) != *r.value {
		e.fail(because(ErrConst, "the length makes %s %d, which is always %d", r.path, v, *r.value))
	}
}

// isNull reports a value that can be null in .NET: see Options.Compat.
func (e *Encoder) isNull(n *node, p ptr) bool {
	switch n.op {
	case opString, opChars:
		return true
	case opNullable:
		_, ok := mem.Load(p)
		return !ok
	}
	return valueOf(n, p).IsNil()
}

// sizeOf gives the number of bytes or elements of a value.
func (e *Encoder) sizeOf(n *node, p ptr) (int, bool) {
	switch n.op {
	case opString, opChars:
		s := mem.GetString(p)
		if e.Encoding == nil {
			return len(s), true
		}
		b, ok := e.encode(s)
		return len(b), ok
	case opNullable:
		q, ok := mem.Load(p)
		if !ok {
			return 0, true
		}
		return e.sizeOf(n.elem, q)
	case opMap:
		return valueOf(n, p).Len(), true
	}
	return mem.Len(p), true
}

// counted writes a value whose length has been set by refer.
func (e *Encoder) counted(f *field, p, q ptr, r *reference) {
	n, ok := e.sizeOf(f.node, q)
	if !ok {
		return
	}
	if f.x.cond != nil && !e.Compat { // which may have changed since refer
		if target, ok := r.target(p); !ok || int64At(r.node, target) != int64(n)-int64(r.offset) {
			e.fail(because(ErrRange, "the length %d does not match %s", n, r.path))
			return
		}
	}
	if e.Compat && n == 0 {
		if target, ok := r.target(p); ok && (f.node.op == opString || f.node.op == opChars) {
			n = int(min(max(int64At(r.node, target)+int64(r.offset), 0), chunk))
		}
	}
	e.sized(f.node, q, sizing{Form: binaryplan.Exact, N: n})
}

// present decides whether a conditional member is there.
func (s *settings) present(c *condition, p ptr) bool {
	target, ok := c.target(p)
	if !ok {
		return c.negate
	}
	switch {
	case c.bit < 0:
		return mem.GetBool(target) != c.negate
	case c.value != nil: // which zero stands for
		return *c.value>>c.bit&1 != 0 != c.negate
	}
	return bitsAt(c.node, target)>>c.bit&1 != 0 != c.negate
}
