package binaryplan

import (
	"slices"

	"github.com/spanwire/spanwire/internal/layout"
)

// builder makes the plan of one struct. Members of embedded structs are members
// of it.
type builder struct {
	*walk
	st   *Struct
	form form
	tags []*tag        // of each member
	at   []layout.Site // of each member
	run  *openRun      // the bit fields at the end so far
}

func (w *walk) structOf(n *Node, sh *layout.Shape, f form, at layout.Site) {
	b := &builder{walk: w, st: n.Struct, form: f}
	exported, hidden := b.fields(n.Type, nil, "", at)
	if !exported && hidden {
		w.unknown(n, at, layout.CodeOpaque, "the type "+sh.Name+" has only unexported fields", "leave it out with `binary:\"ignore\"`")
	}
	b.endRun()
	b.link()
}

// fields adds the members of a struct that is at index. It reports whether
// there are any, and fields that do not count.
func (b *builder) fields(ref layout.Ref, index []int, prefix string, at layout.Site) (exported, hidden bool) {
	sh := b.shape(ref)
	for i := range sh.Fields {
		f := &sh.Fields[i]
		m := member{
			FieldShape: f, owner: ref, at: i, path: prefix + f.Name, site: at.At(ref, i, f.Name),
			index: append(slices.Clone(index), i),
		}
		b.readTag(&m)
		skipped := m.tag != nil && m.tag.Has("ignore")
		switch layout.MembershipOf(b.shape, f) {
		case layout.Unsettable:
			if !skipped {
				b.report(m.site, f.Type, layout.Fault{
					Code: layout.CodeEmbedded, Reason: "an embedded pointer to an unexported struct type can't be set when reading",
					Fix: "embed the struct itself, export its name, or leave it out with `binary:\"ignore\"`",
				})
			}
		case layout.Outside:
			if f.Name == "_" {
				b.blank(m)
				continue
			}
			hidden = true
			if m.tag != nil && !skipped {
				b.target(m.site, f.Type, "the field is unexported, so its tag has no effect", "export the field or remove the tag")
			}
		default:
			exported = true
			if !skipped {
				b.member(m)
			}
		}
	}
	return exported, hidden
}

// member is a field on its way to the plan.
type member struct {
	*layout.FieldShape
	owner layout.Ref
	at    int
	index []int
	path  string
	site  layout.Site
	tag   *tag
}

// readTag reads the tag of a member and reports what is wrong with it; then the
// member counts as one without a tag.
func (b *builder) readTag(m *member) {
	if m.Name == "_" && b.empty(m.Type) {
		if text, _, _ := dialect.Text(m.Tag); isTypeOption(text) {
			return
		}
	}
	t, faults := parseTag(m.Tag)
	for _, f := range faults {
		b.report(m.site, m.Type, f)
	}
	if m.tag = t; len(faults) > 0 {
		m.tag, b.st.spoilt = nil, true
	}
}

// member adds one member, or those of an embedded struct.
func (b *builder) member(m member) {
	if m.Embedded && m.tag == nil && b.inlined(m.Type) {
		b.fields(m.Type, m.index, m.path+".", m.site)
		return
	}
	if !m.Exported {
		b.report(m.site, m.Type, layout.Fault{
			Code: layout.CodeEmbedded, Reason: "an embedded struct of an unexported type can only be laid out by its fields, without a tag",
			Fix: "export its name, or remove the tag",
		})
		return
	}
	b.add(m, Field{})
}

// inlined reports whether ref is an embedded struct whose members are those of
// its holder.
func (b *builder) inlined(ref layout.Ref) bool {
	sh := b.shape(ref)
	if sh.Kind != layout.StructKind || b.builtin(sh) != 0 {
		return false
	}
	probe := &walk{Compiler: b.Compiler, told: map[layout.Problem]bool{}}
	return probe.methods(ref, layout.At(ref, sh.Name)) == 0
}

// blank adds a field without a value of its own.
func (b *builder) blank(m member) {
	t := m.tag
	if t == nil || t.Has("ignore") {
		return
	}
	if !t.Has("bits") && !t.Has("const") && (!t.Has("pad") && !t.Has("align") || !b.empty(m.Type)) {
		b.target(m.site, m.Type, "a blank field may carry const or bits, or be a struct{} with pad or align", "name the field or remove the tag")
		return
	}
	b.add(m, Field{Blank: true})
}

// add appends a member with its tag.
func (b *builder) add(m member, f Field) {
	f.Name, f.Path, f.owner, f.at = m.Name, m.path, m.owner, m.at
	if !f.Blank {
		f.Index = m.index
	}
	if m.tag != nil && m.tag.Has("bits") {
		b.bits(m, f)
		return
	}
	b.endRun()
	form := b.form
	if m.tag != nil && (m.tag.Has("be") || m.tag.Has("le")) {
		form.le, form.varint = m.tag.Has("le"), false
	}
	if !f.Blank || !b.empty(m.Type) {
		f.Node = b.node(m.Type, form, m.site)
		f.Min = f.Node.Min
		f.Own = f.Node.Op == OpAccessor || f.Node.Op == OpSpan
	}
	if m.tag != nil {
		b.tagged(&f, m)
	}
	b.append(f, m.tag, m.site)
}

func (b *builder) append(f Field, t *tag, at layout.Site) {
	b.st.Fields = append(b.st.Fields, f)
	b.tags = append(b.tags, t)
	b.at = append(b.at, at)
}
