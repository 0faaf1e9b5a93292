package binaryplan

import (
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/nearest"
)

// link resolves the members that tags name, and what only the whole struct
// shows.
func (b *builder) link() {
	marks := 0
	for i := range b.st.Fields {
		f, t := &b.st.Fields[i], b.tags[i]
		if f.Const != nil || f.Sum != nil && !t.Has("if") || f.Bits != nil && f.Bits.checks() {
			b.st.Last = i
		}
		if t == nil {
			continue
		}
		if t.Has("count") {
			f.Count = b.lengthRef("count", t.text("count"), t.offset, i)
			b.st.Refs = append(b.st.Refs, i)
		}
		b.linkSizes(f, t, i)
		if t.Has("if") {
			f.If = b.condition(t.text("if"), i)
		}
		if f.Sum != nil && f.Sum.from != "" {
			marks = b.linkSum(f.Sum, i, marks)
		}
	}
}

// linkSizes resolves the references of FieldSize attributes.
func (b *builder) linkSizes(f *Field, t *tag, i int) {
	if f.Sizes == nil {
		return
	}
	refs := false
	for j, s := range t.sizes {
		if s.ref != "" {
			f.Sizes[j].Ref = b.lengthRef("ref", s.ref, s.offset, i)
			refs = true
		}
	}
	if refs {
		b.st.Refs = append(b.st.Refs, i)
	}
}

// broken reports that a tag of member i names what makes no sense there.
func (b *builder) broken(i int, option, reason, fix string) {
	f := &b.st.Fields[i]
	typ := f.owner
	if f.Node != nil {
		typ = f.Node.Type
	}
	if fix == "" {
		row := rowOf(option)
		fix = "name " + strings.TrimPrefix(row.Wants, "takes ") + ", as in " + row.Example
	}
	b.report(b.at[i], typ, layout.Fault{Code: layout.CodeReference, Reason: reason, Fix: fix})
}

// lengthRef finds the integer that holds the length of member i.
func (b *builder) lengthRef(option, name string, offset, i int) *Reference {
	r := b.find(option, name, i)
	if r == nil {
		return nil
	}
	r.Offset = offset
	if !r.Node.isInt() && !r.Node.isOpenEnded() {
		b.broken(i, option, name+", which the length is taken from, is not an integer", "")
		return nil
	}
	if op := r.Steps[0].Node.Op; len(r.Steps) > 1 || op == OpObject || op == OpNullable {
		b.st.Fields[r.Field].Lends = true
	}
	return r
}

// condition finds the bool or bit that decides about member i.
func (b *builder) condition(text string, i int) *Condition {
	c := &Condition{Bit: -1}
	name, negate := strings.CutPrefix(text, "!")
	c.Negate = negate
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		if bit, err := strconv.Atoi(name[k+1:]); err == nil {
			name, c.Bit = name[:k], bit
		}
	}
	r := b.find("if", name, i)
	if r == nil {
		return nil
	}
	c.Reference = *r
	switch {
	case r.Node.isOpenEnded():
	case c.Bit < 0 && r.Node.Op != OpBool:
		b.broken(i, "if", name+", which decides whether the member is there, is not a bool", "name a bit, as in if="+name+".0")
	case c.Bit >= 0 && (!r.Node.isInt() || c.Bit >= 8*r.Node.Size):
		b.broken(i, "if", name+" has no bit "+strconv.Itoa(c.Bit), "")
	}
	return c
}

// find resolves a dotted path that begins at a member before member i.
func (b *builder) find(option, name string, i int) *Reference {
	r := &Reference{Text: name}
	rest := ""
	for j := range b.st.Fields[:i] {
		f := &b.st.Fields[j]
		if f.Bits != nil {
			for k := range f.Bits.Fields {
				if bf := &f.Bits.Fields[k]; !bf.Blank && r.start(j, name, bf.Name, bf.Path, Step{bf.Index, bf.Node}, &rest) {
					r.filled(bf.Const, nil)
				}
			}
			continue
		}
		if f.Node != nil && f.Name != "_" && r.start(j, name, f.Name, f.Path, Step{f.Index, f.Node}, &rest) {
			r.filled(f.Const, f.Sum)
		}
	}
	if r.Node == nil {
		b.broken(i, option, name+" is not a member before this one", b.meant(name, i))
		return nil
	}
	for word := range strings.SplitSeq(rest, ".") {
		if word != "" && !r.follow(word) {
			b.broken(i, option, name+" is not a path to a member: there is no "+word, "")
			return nil
		}
	}
	r.Node = r.Node.pointee()
	if r.sum {
		b.broken(i, option, name+" is a checksum, which can't determine other members", "")
		return nil
	}
	return r
}

// start lets the path begin at member j if its name, or its path through
// embedded structs, is what the text begins with.
func (r *Reference) start(j int, text, name, path string, s Step, rest *string) (begins bool) {
	for _, name := range [...]string{name, path} {
		after, ok := strings.CutPrefix(text, name)
		if ok && (after == "" || after[0] == '.') {
			r.Field, r.Node, r.Steps = j, s.Node, []Step{s}
			*rest = strings.TrimPrefix(after, ".")
			begins = true
		}
	}
	return begins
}

// filled notes what is in the member that the path has come to, whatever its
// value says.
func (r *Reference) filled(c *Const, s *Sum) {
	r.Value, r.sum = nil, s != nil
	if c != nil {
		r.Value = c.Value
	}
}

// follow goes one member down.
func (r *Reference) follow(name string) bool {
	n := r.Node.pointee()
	if n.Op != OpStruct {
		return false
	}
	for j := range n.Struct.Fields {
		f := &n.Struct.Fields[j]
		if f.Bits != nil {
			for k := range f.Bits.Fields {
				if bf := &f.Bits.Fields[k]; bf.Name == name && !bf.Blank {
					r.Node = bf.Node
					r.filled(bf.Const, nil)
					r.Steps = append(r.Steps, Step{bf.Index, bf.Node})
					return true
				}
			}
		}
		if f.Name == name && f.Node != nil {
			r.Node = f.Node
			r.filled(f.Const, f.Sum)
			r.Steps = append(r.Steps, Step{f.Index, f.Node})
			return true
		}
	}
	return false
}

// pointee returns what the pointers that a node may be lead to, itself where they
// lead back.
func (n *Node) pointee() *Node {
	p := n
	for seen := map[*Node]bool{}; (p.Op == OpNullable || p.Op == OpObject) && !seen[p]; p = p.Elem {
		seen[p] = true
	}
	return p
}

// meant helps with a misspelt member; names of a letter or two are all alike.
func (b *builder) meant(name string, i int) string {
	var names []string
	for j := range b.st.Fields[:i] {
		f := &b.st.Fields[j]
		if f.Bits != nil {
			for _, bf := range f.Bits.Fields {
				names = append(names, bf.Name)
			}
			continue
		}
		names = append(names, f.Name)
	}
	word, _, _ := strings.Cut(name, ".")
	if near := nearest.Of(word, names); len(word) > 2 && near != "" && near != "_" {
		return "did you mean " + near + "?"
	}
	return ""
}

// linkSum finds the member that a checksum starts from.
func (b *builder) linkSum(s *Sum, i, marks int) int {
	for j := range b.st.Fields[:i] {
		f := &b.st.Fields[j]
		named := f.Name == s.from && f.Name != "_"
		if f.Bits != nil {
			named = f.Bits.Fields[0].Name == s.from
		}
		if !named {
			continue
		}
		if f.Mark == 0 {
			if marks++; marks > MaxMarks {
				b.report(b.at[i], b.st.Fields[i].Node.Type, layout.Fault{
					Code:   layout.CodeLimit,
					Reason: "a struct may have at most " + strconv.Itoa(MaxMarks) + " members that sums start from",
					Fix:    "start the sums from the same members, or split the struct",
				})
				return marks
			}
			f.Mark = marks
		}
		s.Slot = f.Mark - 1
		return marks
	}
	b.broken(i, "from", s.from+", which the sum starts from, is not a member before this one", b.meant(s.from, i))
	return marks
}
