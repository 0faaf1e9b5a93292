package binary

import (
	"reflect"
	"strconv"
	"strings"
)

// bits adds a bit field to the run at the end of the members.
func (b *builder) bits(f field, t reflect.Type, tg *tag) {
	path := b.path + "." + f.path
	n := &node{typ: t}
	n.scalar(t)
	width := 8 * n.size
	switch {
	case n.op == opBool:
		width = 1
	case !n.isInt():
		b.report(path, "the option bits needs an integer or a bool")
		return
	}
	if tg.bits > width {
		b.report(path, "%d bits have no place in %s", tg.bits, t)
		return
	}
	if b.run != nil && b.run.lsb != tg.lsb {
		b.endRun()
	}
	if b.run == nil {
		b.run = &bitRun{lsb: tg.lsb}
	}
	bf := bitField{place: f.place, node: n, name: f.name, path: f.path, bits: tg.bits, blank: f.x != nil}
	if tg.constant != nil {
		v, ok := constInt(*tg.constant, n)
		if !ok || n.op == opBool || !fitsBits(v, bf) {
			b.report(path, "const=%s is no value of this member", *tg.constant)
		}
		bf.want, bf.value = *tg.constant, &v
	}
	b.run.fields = append(b.run.fields, bf)
}

// endRun ends a run of bit fields: it is one member of the struct.
func (b *builder) endRun() {
	run := b.run
	if run == nil {
		return
	}
	b.run = nil
	total := 0
	for _, f := range run.fields {
		total += f.bits
	}
	if total%8 != 0 {
		b.report(b.path+"."+run.fields[0].path, "the bit fields from here on have %d bits, which is no whole number of bytes", total)
	}
	run.size = total / 8
	b.st.fields = append(b.st.fields, field{
		place: run.fields[0].place, name: run.fields[0].name, path: run.fields[0].path,
		x: &extra{run: run}, min: run.size,
	})
	b.places = append(b.places, run.fields[0].place)
	b.tags = append(b.tags, nil)
}

// link resolves the members that tags name, and what only the whole struct
// shows.
func (b *builder) link() {
	marks := 0
	for i := range b.st.fields {
		f := &b.st.fields[i]
		tg := b.tags[i]
		if f.x != nil && (f.x.fixed != nil || f.x.sum != nil && tg.cond == "" || f.x.run != nil && f.x.run.checks()) {
			b.st.last = i
		}
		if tg == nil {
			continue
		}
		path := b.path + "." + f.path
		if tg.count != "" {
			if f.x == nil {
				f.x = &extra{}
			}
			f.x.count = b.lengthRef(tg.count, tg.offset, i, path)
			b.st.refs = append(b.st.refs, i)
		}
		b.linkSizes(f, tg, i, path)
		if tg.cond != "" {
			f.x.cond = b.condition(tg.cond, i, path)
		}
		if f.x != nil && f.x.sum != nil && f.x.sum.from != "" {
			marks = b.linkSum(f.x.sum, i, marks, path)
		}
	}
}

func (r *bitRun) checks() bool {
	for _, f := range r.fields {
		if f.value != nil {
			return true
		}
	}
	return false
}

// linkSizes resolves the references of FieldSize attributes.
func (b *builder) linkSizes(f *field, tg *tag, i int, path string) {
	if f.x == nil || f.x.sizes == nil {
		return
	}
	refs := false
	for j, s := range tg.sizes {
		if s.ref != "" {
			f.x.sizes[j].ref = b.lengthRef(s.ref, s.offset, i, path)
			refs = true
		}
	}
	if refs {
		b.st.refs = append(b.st.refs, i)
	}
}

// lengthRef finds the integer that holds the length of member i.
func (b *builder) lengthRef(name string, offset, i int, path string) *reference {
	r := b.find(name, i, path)
	if r == nil {
		return nil
	}
	r.offset = offset
	if !r.node.isInt() {
		b.report(path, "%s, which the length is taken from, is no integer", name)
		return nil
	}
	if op := r.steps[0].node.op; len(r.steps) > 1 || op == opObject || op == opNullable {
		b.st.fields[r.field].lends = true
	}
	return r
}

// condition finds the bool or bit that decides about member i.
func (b *builder) condition(text string, i int, path string) *condition {
	c := &condition{bit: -1}
	name, negate := strings.CutPrefix(text, "!")
	c.negate = negate
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		if bit, err := strconv.Atoi(name[k+1:]); err == nil {
			name, c.bit = name[:k], bit
		}
	}
	r := b.find(name, i, path)
	if r == nil {
		return nil
	}
	c.reference = *r
	switch {
	case c.bit < 0 && r.node.op != opBool:
		b.report(path, "%s, which decides whether the member is there, is no bool; name a bit as in if=%s.0", name, name)
	case c.bit >= 0 && (!r.node.isInt() || c.bit >= 8*r.node.size):
		b.report(path, "%s has no bit %d", name, c.bit)
	}
	return c
}

// find resolves a dotted path that begins at a member before member i.
func (b *builder) find(name string, i int, path string) *reference {
	r := &reference{path: name}
	rest := ""
	for j := range b.st.fields[:i] {
		f := &b.st.fields[j]
		if f.x != nil && f.x.run != nil {
			for k := range f.x.run.fields {
				if bf := &f.x.run.fields[k]; !bf.blank && r.start(j, name, bf.name, bf.path, step{bf.place, bf.node}, &rest) {
					r.value, r.sum = bf.value, false
				}
			}
			continue
		}
		if f.node != nil && f.name != "_" && r.start(j, name, f.name, f.path, step{f.place, f.node}, &rest) {
			r.filled(f)
		}
	}
	if r.node == nil {
		b.report(path, "%s is no member before this one", name)
		return nil
	}
	for name := range strings.SplitSeq(rest, ".") {
		if name != "" && !r.follow(name) {
			b.report(path, "%s leads to no member %s", r.path, name)
			return nil
		}
	}
	for r.node.op == opNullable || r.node.op == opObject {
		r.node = r.node.elem
	}
	if r.sum {
		b.report(path, "%s is a checksum: what is there can't follow from it", name)
		return nil
	}
	return r
}

// start lets the path begin at member j if its name, or its path through
// embedded structs, is what the text begins with.
func (r *reference) start(j int, text, name, path string, s step, rest *string) (begins bool) {
	for _, name := range [...]string{name, path} {
		after, ok := strings.CutPrefix(text, name)
		if ok && (after == "" || after[0] == '.') {
			r.field, r.node, r.steps = j, s.node, []step{s}
			*rest = strings.TrimPrefix(after, ".")
			begins = true
		}
	}
	return begins
}

// filled notes what is in the member that the path has come to, whatever its
// value says.
func (r *reference) filled(f *field) {
	r.value, r.sum = nil, false
	if f.x != nil {
		r.value, r.sum = f.x.value, f.x.sum != nil
	}
}

// follow goes one member down.
func (r *reference) follow(name string) bool {
	n := r.node
	for n.op == opObject || n.op == opNullable {
		n = n.elem
	}
	if n.op != opStruct {
		return false
	}
	for j := range n.st.fields {
		f := &n.st.fields[j]
		if f.x != nil && f.x.run != nil {
			for k := range f.x.run.fields {
				if bf := &f.x.run.fields[k]; bf.name == name && !bf.blank {
					r.node, r.value, r.sum = bf.node, bf.value, false
					r.steps = append(r.steps, step{bf.place, bf.node})
					return true
				}
			}
		}
		if f.name == name && f.node != nil {
			r.node = f.node
			r.filled(f)
			r.steps = append(r.steps, step{f.place, f.node})
			return true
		}
	}
	return false
}

// linkSum finds the member that a checksum starts from.
func (b *builder) linkSum(s *sumPlan, i, marks int, path string) int {
	for j := range b.st.fields[:i] {
		f := &b.st.fields[j]
		named := f.name == s.from && f.name != "_"
		if f.x != nil && f.x.run != nil {
			named = f.x.run.fields[0].name == s.from
		}
		if !named {
			continue
		}
		if f.x == nil {
			f.x = &extra{}
		}
		if f.x.mark == 0 {
			if marks++; marks > maxMarks {
				b.report(path, "a struct may have at most %d members that sums start from", maxMarks)
				return marks
			}
			f.x.mark = marks
		}
		s.slot = f.x.mark - 1
		return marks
	}
	b.report(path, "%s, which the sum starts from, is no member before this one", s.from)
	return marks
}
