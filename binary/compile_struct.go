package binary

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
)

// builder makes the plan of one struct. Members of embedded structs are members
// of it.
type builder struct {
	*compiler
	st     *structPlan
	form   form
	path   string
	places []place // of each member's value
	tags   []*tag  // of each member
	run    *bitRun // the bit fields at the end so far
}

func (c *compiler) structOf(n *node, t reflect.Type, f form, path string) {
	b := &builder{compiler: c, st: n.st, form: f, path: path}
	exported, hidden := b.fields(t, place{}, "")
	if !exported && hidden {
		b.unknown(n, path, "the type %s has only unexported fields", t)
	}
	b.endRun()
	b.link()
	n.st.member = reflect.PointerTo(t).Implements(memberType)
	n.st.plain = !n.st.member && len(n.st.refs) == 0
	for i := range n.st.fields {
		fl := &n.st.fields[i]
		if fl.x != nil || fl.node == nil {
			n.st.plain = false
			continue
		}
		fl.quick = fl.node.quick()
	}
}

// fields adds the members of a struct at pl. It tells whether there are any, and
// fields that do not count.
func (b *builder) fields(t reflect.Type, pl place, prefix string) (exported, hidden bool) {
	shape := (fromreflect.Feed{}).Shape(t)
	for i, fs := range shape.Fields {
		sf := t.Field(i)
		path := prefix + sf.Name
		tg, err := parseTag(b.tagText(sf))
		if err != nil {
			b.report(b.path+"."+path, "%v", err)
			continue
		}
		switch layout.MembershipOf(fs, kindOf(sf.Type), elemKind(sf.Type)) {
		case layout.Unsettable:
			if tg == nil || !tg.ignore {
				b.report(b.path+"."+path, "an embedded pointer to an unexported struct type can't be set when reading")
			}
		case layout.Outside:
			if sf.Name == "_" {
				b.blank(sf, tg, path)
				continue
			}
			hidden = true
			if tg != nil && !tg.ignore {
				b.report(b.path+"."+path, "the field is unexported, its tag has no effect")
			}
		default:
			exported = true
			if tg == nil || !tg.ignore {
				b.member(sf, pl.and(placeOf(t, i)), tg, path)
			}
		}
	}
	return exported, hidden
}

// tagText hides the type options of a blank field.
func (b *builder) tagText(sf reflect.StructField) string {
	if text, err := layout.TagText(string(sf.Tag), tagKey); err == nil && sf.Name == "_" && sf.Type.Size() == 0 &&
		(text == "fields" || text == "methods") {
		return ""
	}
	return string(sf.Tag)
}

func kindOf(t reflect.Type) layout.Kind { return (fromreflect.Feed{}).Shape(t).Kind }

func elemKind(t reflect.Type) layout.Kind {
	if t.Kind() != reflect.Pointer {
		return layout.Unresolved
	}
	return kindOf(t.Elem())
}

// member adds one member, or those of an embedded struct.
func (b *builder) member(sf reflect.StructField, pl place, tg *tag, path string) {
	if sf.Anonymous && sf.Type.Kind() == reflect.Struct && tg == nil && b.inlined(sf.Type) {
		b.fields(sf.Type, pl, path+".")
		return
	}
	if !sf.IsExported() {
		b.report(b.path+"."+path, "an embedded struct of an unexported type can only be laid out by its fields, without a tag")
		return
	}
	b.add(field{place: pl, name: sf.Name, path: path}, sf.Type, tg)
}

// inlined reports an embedded struct whose members are those of its holder.
func (b *builder) inlined(t reflect.Type) bool {
	n := &node{}
	probe := &compiler{told: map[string]bool{}}
	return !n.builtin(t) && !probe.methods(n, t, "")
}

// blank adds a field without a value of its own.
func (b *builder) blank(sf reflect.StructField, tg *tag, path string) {
	if tg == nil || tg.ignore {
		return
	}
	if tg.bits == 0 && tg.constant == nil && (tg.pad == 0 && tg.align == 0 || sf.Type.Size() != 0) {
		b.report(b.path+"._", "a blank field may carry const or bits, or be a struct{} with pad or align")
		return
	}
	b.add(field{name: "_", path: path, x: &extra{blank: true}}, sf.Type, tg)
}

// add appends a member with its tag.
func (b *builder) add(f field, t reflect.Type, tg *tag) {
	if tg != nil && tg.bits > 0 {
		b.bits(f, t, tg)
		return
	}
	b.endRun()
	form := b.form
	if tg != nil && (tg.be || tg.le) {
		form.le, form.varint = tg.le, false
	}
	path := b.path + "." + f.path
	if f.x == nil || t.Size() > 0 {
		f.node = b.node(t, form, path)
		f.min = f.node.min
		f.own = f.node.op == opAccessor || f.node.op == opSpan
	}
	if tg != nil {
		if (tg.be || tg.le) && f.node != nil && !hasNumber(f.node, map[*node]bool{}) {
			b.report(path, "the options be and le find no number of 16 or more bits in %s", t)
		}
		if tg.null {
			b.null(&f, path)
		}
		b.tagged(&f, tg, path)
	}
	b.st.fields = append(b.st.fields, f)
	b.places = append(b.places, f.place)
	b.tags = append(b.tags, tg)
}

// hasNumber reports a number whose byte order can be chosen.
func hasNumber(n *node, seen map[*node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	switch n.op {
	case opInt16, opInt32, opInt64, opInt, opUint, opFloat32, opFloat64, opTime, opDecimal,
		opDate, opTimeOfDay, opOffset, opDuration, opAddrPort:
		return true
	case opStruct:
		for i := range n.st.fields {
			if f := &n.st.fields[i]; hasNumber(f.node, seen) {
				return true
			}
		}
	}
	return hasNumber(n.elem, seen) || hasNumber(n.key, seen)
}

// tagged gives a member what its tag says.
func (b *builder) tagged(f *field, tg *tag, path string) {
	if f.x == nil {
		f.x = &extra{}
	}
	f.x.pad, f.x.align = tg.pad, tg.align
	b.lengths(f, tg, path)
	if tg.constant != nil {
		b.constant(f, *tg.constant, path)
	}
	if tg.cond != "" || tg.rest || tg.count != "" || len(f.x.sizes) > 0 {
		f.min = 0
	}
	if tg.sum != "" {
		b.sum(f, tg, path)
	}
	if x := *f.x; x.sizes == nil && x.pad == 0 && x.align == 0 && tg.cond == "" && tg.count == "" &&
		tg.sum == "" && x.want == "" && !x.blank {
		f.x = nil // all is in the node
	}
}
