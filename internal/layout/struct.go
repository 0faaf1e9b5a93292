package layout

import "cmp"

// nowhere stands for the package of an anonymous struct that no named one
// holds: no type is at home there.
const nowhere = "-"

// structInfo is what the tags of a struct say, before any field's type is
// looked at. It is known for every struct, also for those that turn out to be
// written by methods.
type structInfo struct {
	newLife, sized, minZero bool
	ask                     ask
	optional                bool // some field is optional
	// hidden is the package of the struct's unexported fields if it has no
	// others, else "".
	hidden string
	// state lists the unexported fields that hold something, and their package.
	state    []string
	statePkg string

	where      map[string]int // the blank fields that give the type options
	typeFaults []fieldFault   // of the type options
	fields     []fieldInfo    // those on the wire or at fault
}

// fieldInfo is one field that counts.
type fieldInfo struct {
	index    int
	tag      string
	opts     options
	optional bool
	wire     bool // the field has a value on the wire
	faults   []Fault
}

type fieldFault struct {
	index int
	Fault
}

// info reads a struct's tags once.
func (c *Compiler) info(ref Ref) *structInfo {
	if in := c.infos[ref]; in != nil {
		return in
	}
	sh := c.shape(ref)
	in := &structInfo{}
	c.infos[ref] = in
	in.readTypeOptions(sh)
	exported, hidden := 0, ""
	for i := range sh.Fields {
		f := &sh.Fields[i]
		if f.Name == "_" {
			continue
		}
		m := MembershipOf(c.shape, f)
		if m == Member {
			exported++
		} else {
			hidden = f.Pkg
			in.addState(c, f)
		}
		if fi, ok := fieldInfoOf(f, i, m); ok {
			in.optional = in.optional || fi.optional
			in.fields = append(in.fields, fi)
		}
	}
	if exported == 0 {
		in.hidden = hidden
	}
	return in
}

// readTypeOptions collects the options in the tags of blank fields.
func (in *structInfo) readTypeOptions(sh *Shape) {
	all := OptionSet{}
	in.where = map[string]int{}
	add := func(index int, f Fault) { in.typeFaults = append(in.typeFaults, fieldFault{index, f}) }
	for i, f := range sh.Fields {
		if f.Name != "_" {
			continue
		}
		_, set, _, faults := SpanTags.parseTag(f.Tag, typeOptionTable)
		for _, f := range faults {
			add(i, f)
		}
		before := len(all.Conflicts(exclusive))
		for _, o := range typeOptionTable {
			if !set.Has(o.Name) {
				continue
			}
			if all.Has(o.Name) {
				add(i, Fault{CodeTagDuplicate, "the type has the option " + o.Name + " more than once", "keep one of them"})
			}
			all[o.Name], in.where[o.Name] = set[o.Name], i
		}
		if now := all.Conflicts(exclusive); len(set.Conflicts(exclusive)) == 0 && len(now) > before {
			add(i, now[len(now)-1])
		}
	}
	in.newLife = all.Has("newlife")
	in.sized = all.Has("sized")
	in.minZero = all.Has("min")
	if !all.Has("marshal") || !all.Has("fields") {
		in.ask = all.ask()
	}
}

// fieldInfoOf reads the tag of a field that is not blank; ok is false for one
// that is not part of the layout and not at fault.
func fieldInfoOf(f *FieldShape, index int, m Membership) (fi fieldInfo, ok bool) {
	text, set, skip, faults := SpanTags.parseTag(f.Tag, fieldOptionTable)
	fi = fieldInfo{index: index, tag: text, faults: faults}
	switch {
	case skip:
		return fi, len(faults) > 0
	case m == Unsettable:
		fi.faults = append(fi.faults, Fault{
			CodeEmbedded, "an embedded pointer to an unexported struct type can't be set when reading",
			"embed the struct itself, export its name, or skip the field with `span:\"-\"`",
		})
		return fi, true
	case m == Outside && text != "":
		fi.faults = append(fi.faults, Fault{
			CodeTagTarget, "the field is unexported, so it is not in the layout and its options have no effect",
			"export the field or remove the tag",
		})
		return fi, true
	case m == Outside:
		return fi, len(faults) > 0
	}
	fi.wire = true
	fi.optional = set.Has("optional")
	if len(faults) == 0 {
		fi.opts = set.options()
	}
	return fi, true
}

// structOf lays a struct out by its fields.
func (w *walk) structOf(ref Ref, out cut, sc scope, at Site) *Struct {
	sh, in := w.c.shape(ref), w.c.info(ref)
	inner := scope{newLife: in.newLife || !sh.Named && sc.newLife, pkg: sh.Pkg}
	if !sh.Named {
		inner.pkg = cmp.Or(sc.pkg, nowhere)
	}
	key := structKey{ref: ref, cut: out}
	if !sh.Named {
		key.scope = inner
	}
	if s := w.c.structs[key]; s != nil {
		return s
	}
	if s := w.structs[key]; s != nil {
		return s
	}
	s := &Struct{
		Type: ref, Name: sh.Name, Pkg: sh.Pkg,
		NewLife: inner.newLife, Sized: in.sized, Generated: sh.Methods.Generated && out == (cut{}), Partial: out != (cut{}),
	}
	w.structs[key] = s
	before := len(w.problems)
	w.typeFaults(ref, at)
	if in.minZero {
		w.reportType(ref, at, "min", Fault{
			CodeTagTarget, "the option min=0 is for types with their own WriteSpan and ReadSpan",
			"remove it: " + sh.Name + " is laid out by its fields",
		})
	}
	w.fieldsOf(s, in, out, inner, at)
	if !sh.Named && len(w.problems) > before {
		delete(w.structs, key) // report the next use of such a type as well
	}
	return s
}

// typeFaults reports what is wrong with the options of a struct type.
func (w *walk) typeFaults(ref Ref, at Site) {
	for _, f := range w.c.info(ref).typeFaults {
		w.report(at.At(ref, f.index, "_"), w.c.shape(ref).Name, f.Fault)
	}
}

// reportType reports a fault of a struct type's option, at the blank field.
func (w *walk) reportType(ref Ref, at Site, name string, f Fault) {
	w.report(at.At(ref, w.c.info(ref).where[name], "_"), w.c.shape(ref).Name, f)
}

// fieldsOf compiles the fields of a struct in order.
func (w *walk) fieldsOf(s *Struct, in *structInfo, out cut, sc scope, at Site) {
	sh := w.c.shape(s.Type)
	last := "" // the latest optional field
	for _, fi := range in.fields {
		f := &sh.Fields[fi.index]
		here := at.At(s.Type, fi.index, f.Name)
		typ := w.c.shape(f.Type).Name
		for _, f := range fi.faults {
			w.report(here, typ, f)
		}
		left, below := out.field(f.Name)
		if !fi.wire || left || out.bars(s.Name, f.Name) {
			continue
		}
		switch {
		case fi.optional:
			last = f.Name
		case last != "":
			w.report(here, typ, Fault{
				CodeOptional, "the field follows the optional field " + last + " but is not optional itself",
				"make it optional or move it before " + last,
			})
		}
		if len(fi.faults) == 0 {
			w.checkTargets(f.Type, fi.opts, sc, here)
		}
		o := fi.opts
		below.barred = sortedPaths(below.barred, w.omitted(f.Type, o.leaf, sc, here))
		o.leaf.cut = cut{sortedPaths(below.paths, o.leaf.cut.paths), below.barred}
		s.Fields = append(s.Fields, Field{
			Index: fi.index, Name: f.Name, Embedded: f.Embedded, Tag: fi.tag,
			Node: w.node(f.Type, o, sc, here), Optional: fi.optional, fields: o.leaf.ask == askFields, omit: fi.opts.leaf.cut.paths,
		})
	}
}
