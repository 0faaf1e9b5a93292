package layout

import (
	"cmp"
	"strings"
)

// nobody is the package of no type: import paths have no blank.
const nobody = "no package"

// node returns the node of a type under the options of its field.
func (w *walk) node(ref Ref, o options, sc scope, at Site) *Node {
	sh := w.c.shape(ref)
	if IsEndless(sh, w.open[Origin(sh.Name)]) {
		w.report(at, sh.Name[:64]+"...", EndlessInstance)
		return &Node{Type: ref, Name: sh.Name}
	}
	f, fl := w.c.form(ref, o.leaf.ask, sc.pkg)
	if fl != nil {
		w.formFault(ref, o.leaf.ask, *fl, at)
		return &Node{Type: ref, Name: sh.Name}
	}
	if f == formFields {
		return w.structNode(ref, o, sc, at)
	}
	if sc.root {
		// What a list at the root holds has no struct around it whose package
		// might know its unexported fields: the list's own takes that place.
		if sc.root, sc.pkg = false, sh.Pkg; !sh.Named {
			sc.pkg = nobody
		}
	}
	if f != formKind || w.c.through(ref, o.leaf.ask) == nil {
		sc.pkg, o.leaf.cut = "", cut{} // nothing below depends on them
	}
	return w.memo(nodeKey{ref: ref, form: f, opts: o, scope: sc}, func(n *Node) {
		n.Lenient = sc.newLife
		n.Generated = sh.Methods.Generated && o == (options{}) && !sc.newLife
		w.fill(n, f, o, sc, at)
	})
}

// IsEndless reports whether sh is an instance of a generic type that contains
// itself with ever larger arguments, in open others of its kind. The Go
// compiler refuses such types, but a generator meets them in source that does
// not compile. Only long names are suspected, and only below many other
// instances.
func IsEndless(sh *Shape, open int) bool {
	const longName, manyInstances = 512, 100
	return sh.Named && len(sh.Name) > longName && open > manyInstances
}

// EndlessInstance is the fault of a type that IsEndless reports.
var EndlessInstance = Fault{
	CodeRecursive, "the generic type contains ever larger instances of itself", "use it within itself with the same type arguments",
}

// Origin returns the name of the generic type of an instance, "" for others.
func Origin(name string) string {
	generic, _, ok := strings.Cut(name, "[")
	if !ok {
		return ""
	}
	return generic
}

// formFault reports why a type's form can't be decided: at the field, or at the
// type's own option where that is the cause.
func (w *walk) formFault(ref Ref, asked ask, f Fault, at Site) {
	name := ""
	if asked == askNothing && w.c.shape(ref).Kind == StructKind {
		switch w.c.info(ref).ask {
		case askNothing:
		case askFields:
			name = "fields"
		default:
			name = "marshal"
		}
	}
	if name == "" {
		w.report(at, w.c.shape(ref).Name, f)
		return
	}
	w.reportType(ref, at, name, f)
}

// memo returns the node of the key, filled once. A node with problems is
// forgotten, so that each of its uses reports them.
func (w *walk) memo(key nodeKey, fill func(*Node)) *Node {
	if n := w.c.nodes[key]; n != nil {
		return n
	}
	if n := w.nodes[key]; n != nil {
		return n
	}
	sh := w.c.shape(key.ref)
	n := &Node{Type: key.ref, Name: sh.Name, Max: Unlimited, named: sh.Named}
	w.nodes[key] = n
	w.order = append(w.order, n)
	before := len(w.problems)
	w.open[Origin(n.Name)]++
	fill(n)
	w.open[Origin(n.Name)]--
	if len(w.problems) > before {
		delete(w.nodes, key)
	}
	return n
}

// structNode returns the node of a struct laid out by its fields, with the
// length of a sized one in front.
func (w *walk) structNode(ref Ref, o options, sc scope, at Site) *Node {
	sh, in := w.c.shape(ref), w.c.info(ref)
	w.checkNesting(sh, in, o, sc, at)
	bare := nodeKey{ref: ref, bare: true}
	bare.opts.leaf.cut = o.leaf.cut
	if !sh.Named {
		bare.scope = scope{newLife: sc.newLife, pkg: sc.pkg}
	}
	elem := w.memo(bare, func(n *Node) {
		n.Op = OpStruct
		n.Struct = w.structOf(ref, o.leaf.cut, sc, at)
		n.Generated = n.Struct.Generated
	})
	if !in.sized && !o.leaf.sized {
		return elem
	}
	// The type's own length is part of its generated methods, so its profile
	// is the type's; a field's is the field's.
	key := nodeKey{ref: ref, opts: bare.opts, scope: scope{newLife: in.newLife}}
	if !in.sized {
		key.opts.leaf.sized, key.scope = true, scope{newLife: sc.newLife, pkg: bare.scope.pkg}
	} else if !sh.Named {
		key.scope = scope{newLife: in.newLife || sc.newLife, pkg: sc.pkg}
	}
	return w.memo(key, func(n *Node) {
		n.Op, n.Elem, n.Lenient, n.named = OpSized, elem, key.scope.newLife, false
		n.Generated = in.sized && elem.Generated
	})
}

// checkNesting refuses structs that can't be at their place.
func (w *walk) checkNesting(sh *Shape, in *structInfo, o options, sc scope, at Site) {
	if in.optional && !in.sized && !o.leaf.sized && !sc.root {
		w.report(at, sh.Name, Fault{
			CodeNesting, sh.Name + " has optional fields, so its end can't be distinguished from what follows",
			"tag the field sized, or set the option sized on the type",
		})
	}
	home := cmp.Or(sc.pkg, sh.Pkg)
	if in.hidden != "" && home != "" && in.hidden != home {
		w.report(at, sh.Name, opaque(sh.Name, in))
	}
}

// opaque is the fault of a struct that would write nothing.
func opaque(name string, in *structInfo) Fault {
	fix := "skip the field with `span:\"-\"`"
	if !syncs(in.hidden) { // which must not be copied
		fix = "add WriteSpan and ReadSpan or marshaler methods to the type, or " + fix
	}
	return Fault{
		CodeOpaque, name + " has only unexported fields of package " + in.hidden + ", so nothing of it would be written", fix,
	}
}

// fill sets the form of a node.
func (w *walk) fill(n *Node, f form, o options, sc scope, at Site) {
	sh := w.c.shape(n.Type)
	switch f {
	case formTime:
		n.Op, n.Time, n.BE, n.Enc = OpTime, timeEnc(o.leaf.time, sc), o.leaf.be, o.leaf.integer()
		n.Switched = sc.newLife && !o.leaf.coded()
	case formGUID:
		n.Op, n.Lenient = OpGUID, false
	case formChar:
		n.Op, n.Lenient = OpChar, false
	case formDecimal:
		n.Op, n.Switched = OpDecimal, sc.newLife
	case formSelf, formBinary, formText, formJSON, formGob:
		w.fillMethods(n, f, o, at)
	default:
		w.fillKind(n, sh, o, sc, at)
	}
}

// fillMethods is fill for types that write themselves.
func (w *walk) fillMethods(n *Node, f form, o options, at Site) {
	if w.c.shape(n.Type).Kind == StructKind {
		w.typeFaults(n.Type, at)
		in := w.c.info(n.Type)
		w.checkOwn(n, f, in, at)
		n.free = in.minZero
	}
	switch f {
	case formSelf:
		n.Op, n.Lenient = OpSelf, false
		return
	case formBinary:
		n.Op = OpBinary
		n.Lossy = w.c.shape(n.Type).lossyBinary()
	case formText:
		n.Op, n.UTF8 = OpText, o.leaf.utf8
		n.Lossy = w.c.shape(n.Type).lossyText()
	case formJSON:
		n.Op = OpJSON
		n.Chosen = !o.leaf.ask.marshals() && !(w.c.shape(n.Type).Kind == StructKind && w.c.info(n.Type).ask.marshals())
	case formGob:
		n.Op = OpGob
	}
	n.setLength(o.length)
}

// checkOwn refuses type options that mean nothing together with methods.
func (w *walk) checkOwn(n *Node, f form, in *structInfo, at Site) {
	if in.sized {
		w.reportType(n.Type, at, "sized", Fault{
			CodeTagTarget, "the option sized is for structs laid out by their fields",
			"remove it: " + n.Name + " is written by its methods",
		})
	}
	if in.minZero && f != formSelf {
		w.reportType(n.Type, at, "min", Fault{
			CodeTagTarget, "the option min=0 is for types with their own WriteSpan and ReadSpan",
			"remove it: " + n.Name + " is written by its marshaler methods",
		})
	}
}

// setLength applies the options of a length.
func (n *Node) setLength(o lengthOptions) {
	n.Prefix, n.FixedLen, n.Nilable = o.prefix, o.fixed, o.nilable
	if o.max > 0 {
		n.Max = o.max
	}
}

func timeEnc(t timeTag, sc scope) TimeEnc {
	switch t {
	case timeUnix:
		return TimeSeconds
	case timeUnixMilli:
		return TimeUnixMilli
	case timeUnixNano:
		return TimeUnixNano
	case timeTicks:
		return TimeTicks
	}
	if sc.newLife {
		return TimeSeconds
	}
	return TimeFull
}

// Idle reports whether a value takes no byte and reading it changes nothing. It
// is known once the plan is.
func (n *Node) Idle() bool {
	switch {
	case n.Op == OpArray && n.Len == 0:
		return true
	case !n.Nothing, n.Op == OpInline: // which reads as nil
		return false
	}
	for i := 0; n.Struct != nil && i < len(n.Struct.Fields); i++ {
		if !n.Struct.Fields[i].Node.Idle() {
			return false
		}
	}
	return n.Elem == nil || n.Elem.Idle()
}
