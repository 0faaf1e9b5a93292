package layout

import (
	"cmp"
	"strings"
)

// State that a struct keeps in unexported fields is not part of its layout.
// Where the struct is the user's own, that is the user's choice; what other
// packages' types keep there would be lost.

// addState notes an unexported field that holds something.
func (in *structInfo) addState(c *Compiler, f *FieldShape) {
	if _, _, skip, faults := SpanTags.parseTag(f.Tag, fieldOptionTable); skip && len(faults) == 0 || c.stateless(f.Type) {
		return
	}
	in.state, in.statePkg = append(in.state, f.Name), f.Pkg
}

// stateless reports whether ref is a type without a value worth keeping: one
// that takes no memory, and what only guards or coordinates, as the types of
// sync do.
func (c *Compiler) stateless(ref Ref) bool {
	sh := c.shape(ref)
	if syncs(sh.Pkg) {
		return true
	}
	switch sh.Kind {
	case Pointer:
		return syncs(c.shape(sh.Elem).Pkg)
	case Array:
		return sh.Len == 0 || c.stateless(sh.Elem)
	case StructKind:
		for i := range sh.Fields {
			if !c.stateless(sh.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return false
}

func syncs(pkg string) bool { return pkg == "sync" || pkg == "sync/atomic" }

// foreignState reports whether ref is a struct with state of another package
// than home, which is that of the struct that holds it, "" where none does.
func (c *Compiler) foreignState(ref Ref, home string) bool {
	in := c.info(ref)
	if home == "" {
		home = c.shape(ref).Pkg
	}
	return len(in.state) > 0 && home != "" && in.statePkg != home
}

// wrapper reports whether ref is a struct whose single field is embedded and
// has marshaler methods: those of the struct can say nothing that the field
// does not.
func (c *Compiler) wrapper(ref Ref) bool {
	in, sh := c.info(ref), c.shape(ref)
	if len(in.fields) != 1 || !in.fields[0].wire {
		return false
	}
	for i := range sh.Fields {
		if sh.Fields[i].Name != "_" && i != in.fields[0].index {
			return false
		}
	}
	f := &sh.Fields[in.fields[0].index]
	t := c.shape(f.Type)
	if t.Kind == Pointer {
		t = c.shape(t.Elem)
	}
	return f.Embedded && t.Kind != Interface && (t.Methods.AnyBinary || t.Methods.AnyText || t.Methods.AnyJSON)
}

// A keeper looks for state that would be lost below a root.
type keeper struct {
	*walk
	seen map[kept]bool
}

// kept is all that what is lost below a node depends on.
type kept struct {
	node         *Node
	home, holder string
}

// keepState reports the structs of other packages whose state would be lost. At
// home are the types of the root's package, and below a generated type those of
// its package: its author has chosen.
func (w *walk) keepState(root *Node, at Site) {
	k := &keeper{walk: w, seen: map[kept]bool{}}
	k.visit(root, k.own, k.own, false, at)
}

func (k *keeper) visit(n *Node, home, holder string, fields bool, at Site) {
	if home == "" && n.Struct != nil {
		home = cmp.Or(n.Struct.Pkg, k.c.info(n.Struct.Type).statePkg) // what a list at the root holds
		k.own = home
	}
	if n.Struct != nil && !fields {
		k.check(n.Struct, home, holder, at)
	}
	key := kept{n, home, holder}
	if k.seen[key] {
		return
	}
	k.seen[key] = true
	if n.Struct == nil {
		defer delete(k.seen, key) // each way to a struct counts
	}
	switch {
	case n.Struct != nil:
		k.fields(n.Struct, home, holder, at)
	case n.Elem != nil:
		if n.Key != nil {
			k.visit(n.Key, home, holder, false, at.In("[key]"))
		}
		if n.Op == OpArray || n.Op == OpSlice || n.Op == OpMap {
			at = at.In("[]")
		}
		k.visit(n.Elem, home, holder, fields, at)
	}
}

func (k *keeper) fields(s *Struct, home, holder string, at Site) {
	if s.Generated {
		home = s.Pkg
	}
	home, holder = cmp.Or(home, nowhere), cmp.Or(s.Pkg, holder)
	for i := range s.Fields {
		f := &s.Fields[i]
		k.visit(f.Node, home, holder, f.fields, at.At(s.Type, f.Index, f.Name))
	}
}

// check reports a struct whose state would be lost.
func (k *keeper) check(s *Struct, home, holder string, at Site) {
	in := k.c.info(s.Type)
	told := in.hidden != "" && in.hidden != holder // as having nothing else
	if len(in.state) == 0 || in.statePkg == home || in.statePkg == k.own || told ||
		in.ask == askFields || s.Generated {
		return
	}
	if in.hidden != "" {
		k.report(at, s.Name, opaque(s.Name, in))
		return
	}
	names, most := in.state, 3
	if len(names) > most {
		names = append(names[:most:most], "...")
	}
	fix := "write only its exported fields with `span:\"fields\"`, on the field or on a blank one in the type, or skip the field with `span:\"-\"`"
	switch {
	case at.field < 0:
		fix = "add WriteSpan and ReadSpan to the type"
	case k.c.shape(s.Type).Methods.JSON:
		fix = "write its JSON with `span:\"marshal=json\"`, " + fix
	}
	k.report(at, s.Name, Fault{
		CodeOpaque, s.Name + " has unexported fields (" + strings.Join(names, ", ") + ") of package " + in.statePkg + ", which would be lost", fix,
	})
}
