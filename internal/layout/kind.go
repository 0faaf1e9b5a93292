package layout

import "cmp"

// fillKind is fill for types laid out by their kind.
func (w *walk) fillKind(n *Node, sh *Shape, o options, sc scope, at Site) {
	switch sh.Kind {
	case Bool:
		n.Op = OpBool
	case Int8, Int16, Int32, Int64, Int, Uint8, Uint16, Uint32, Uint64, Uint:
		n.Op = OpInt
		n.Size, n.Signed, n.Platform = intSize(sh.Kind)
		n.Enc, n.BE = o.leaf.integer(), o.leaf.be
		n.Switched = sc.newLife && !o.leaf.coded() && n.Size > 1
		n.Lenient = sc.newLife && n.Size > 1
	case Float32, Float64, Complex64, Complex128:
		n.Op, n.Size = floatSize(sh.Kind)
		n.BE, n.Lenient = o.leaf.be, false
		n.Switched = sc.newLife && !o.leaf.coded()
	case String:
		n.Op, n.UTF8 = OpString, o.leaf.utf8
		n.setLength(o.length)
	case Pointer:
		w.fillPointer(n, sh, o, sc, at)
	case Array:
		n.Op, n.Len, n.Lenient = OpArray, sh.Len, false
		n.Elem = w.node(sh.Elem, o.elem(), sc, at.In("[]"))
		n.ByteArray = n.Elem.Op == OpInt && n.Elem.Size == 1 && !n.Elem.Signed
	case Slice:
		n.setLength(o.length)
		if w.c.isBytes(sh, o.leaf.ask) {
			n.Op = OpBytes
			return
		}
		n.Op = OpSlice
		n.Elem = w.node(sh.Elem, o.elem(), sc, at.In("[]"))
		w.lists = append(w.lists, listSite{n, at})
	case Map:
		n.Op = OpMap
		n.setLength(o.length)
		n.Key = w.key(sh.Key, sc, at.In("[key]"))
		n.Elem = w.node(sh.Elem, o.elem(), sc, at.In("[]"))
		w.lists = append(w.lists, listSite{n, at})
	case TypeParam:
		n.Op, n.Lenient = OpParam, false
	default:
		w.report(at, sh.Name, unsupported(sh))
	}
}

// fillPointer chooses between the forms of a pointer.
func (w *walk) fillPointer(n *Node, sh *Shape, o options, sc scope, at Site) {
	if _, ok := w.c.deref(n.Type); !ok {
		w.report(at, sh.Name, pointless)
		return
	}
	f, _ := w.c.form(sh.Elem, o.leaf.ask, sc.pkg)
	shared := o.leaf.shared && f == formFields
	inner := o
	if shared {
		inner.leaf.shared = false
	}
	n.Elem = w.node(sh.Elem, inner, sc, at)
	switch {
	case shared:
		n.Op = OpShared
	case sc.newLife && (f == formFields || f == formSelf):
		n.Op, n.Lenient = OpInline, false
	default:
		n.Op = OpPointer
	}
}

// key compiles the key of a map. Options of the field do not reach it.
func (w *walk) key(ref Ref, sc scope, at Site) *Node {
	if what, fix := w.c.unfitKey(ref, sc.pkg); what != "" {
		name := w.c.shape(ref).Name
		w.report(at, name, Fault{CodeMapKey, "the map key " + name + " " + what, fix})
		return &Node{Type: ref, Name: name}
	}
	return w.node(ref, options{}, sc, at)
}

// unfitKey says what makes a type unfit as a key and what to do about it, "" if
// nothing does. Methods may do as they like.
func (c *Compiler) unfitKey(ref Ref, home string) (what, fix string) {
	const pointers = "use a key without pointers and interfaces, or skip the field with `span:\"-\"`"
	sh := c.shape(ref)
	f, _ := c.form(ref, askNothing, home)
	switch {
	case f == formKind && sh.Kind == Pointer:
		return "is a pointer", pointers
	case f == formKind && sh.Kind == Interface:
		return "is an interface", pointers
	case f == formKind && sh.Kind == Array:
		if what, fix := c.unfitKey(sh.Elem, home); what != "" {
			return "has elements, each of which " + what, fix
		}
	case f == formFields:
		return c.unfitFields(ref, cmp.Or(sh.Pkg, home))
	}
	return "", ""
}

// unfitFields is unfitKey for a struct laid out by its fields. One that is not on
// the wire, and not blank, tells keys apart that read back as one.
func (c *Compiler) unfitFields(ref Ref, home string) (what, fix string) {
	wire := map[int]bool{}
	for _, fi := range c.info(ref).fields {
		wire[fi.index] = fi.wire
	}
	for i, f := range c.shape(ref).Fields {
		switch {
		case wire[i]:
			if what, fix := c.unfitKey(f.Type, home); what != "" {
				return "has the field " + f.Name + ", which " + what, fix
			}
		case f.Name != "_" && !c.empty(f.Type):
			return "has the field " + f.Name + ", which is not on the wire, so keys that differ only in it would become one",
				"put the field on the wire, remove it from the key, or skip the map with `span:\"-\"`"
		}
	}
	return "", ""
}

func unsupported(sh *Shape) Fault {
	if sh.Kind == Unresolved {
		return Fault{CodeUnresolved, "the type could not be resolved", "fix the errors that the Go compiler reports for it"}
	}
	if sh.Kind == Interface {
		return Fault{
			CodeUnsupported, "the interface type " + sh.Name + " has no wire form",
			"use a concrete type, or skip the field with `span:\"-\"`",
		}
	}
	return Fault{
		CodeUnsupported, "the type " + sh.Name + " has no wire form",
		"use another type, or skip the field with `span:\"-\"`",
	}
}

func intSize(k Kind) (size int, signed, platform bool) {
	switch k {
	case Int8:
		return 1, true, false
	case Int16:
		return 2, true, false
	case Int32:
		return 4, true, false
	case Int64:
		return 8, true, false
	case Int:
		return 8, true, true
	case Uint8:
		return 1, false, false
	case Uint16:
		return 2, false, false
	case Uint32:
		return 4, false, false
	case Uint:
		return 8, false, true
	}
	return 8, false, false
}

func floatSize(k Kind) (Op, int) {
	switch k {
	case Float32:
		return OpFloat, 4
	case Float64:
		return OpFloat, 8
	case Complex64:
		return OpComplex, 8
	}
	return OpComplex, 16
}
