package binaryplan

import (
	"cmp"
	"github.com/spanwire/spanwire/internal/layout"
)

// A Compiler compiles any number of root types of one feed. It keeps the plans
// of types that make sense, so that later roots share them. It is used by one
// goroutine at a time; the plans may be used by many.
type Compiler struct {
	feed   layout.Feed
	shapes map[layout.Ref]*layout.Shape
	nodes  map[nodeKey]*Node
}

// NewCompiler returns a Compiler for the types of the feed.
func NewCompiler(feed layout.Feed) *Compiler {
	return &Compiler{feed: feed, shapes: map[layout.Ref]*layout.Shape{}, nodes: map[nodeKey]*Node{}}
}

// nodeKey is all that a type's plan depends on.
type nodeKey struct {
	ref  layout.Ref
	form form
}

// form is what a member hands down to its value. The tags be and le change it.
type form struct {
	le, varint, fullTime, fieldSize bool
	length                          Length // of what has a length before it
}

func (f Form) inner() form {
	return form{
		le: f.LittleEndian, varint: f.EncodeInt, fullTime: f.FullTime, fieldSize: f.FieldSize,
		length: Length{Width: int8(f.SizeWidth), LE: f.LittleEndian, Varint: f.EncodeInt},
	}
}

// Compile returns the plan of a type, and every problem that keeps it from being
// used. Where all of them are types without a form, which [OfType] reports, a
// handler that takes these can use it all the same.
func (c *Compiler) Compile(root layout.Ref, f Form) (*Node, []layout.Problem) {
	w := &walk{
		Compiler: c, made: map[nodeKey]*Node{}, sites: map[*Node]layout.Site{}, told: map[layout.Problem]bool{}, open: map[string]int{},
	}
	n := w.node(root, f.inner(), layout.At(root, c.shape(root).Name))
	w.settle()
	if len(w.problems) == 0 {
		for k, n := range w.made {
			c.nodes[k] = n
		}
	}
	return n, w.problems
}

// OfType reports whether p is a problem of a type that a handler may know how
// to write.
func OfType(p layout.Problem) bool {
	return p.Code == layout.CodeUnsupported || p.Code == layout.CodeOpaque
}

// shape asks the feed once for each type.
func (c *Compiler) shape(ref layout.Ref) *layout.Shape {
	sh := c.shapes[ref]
	if sh == nil {
		s := c.feed.Shape(ref)
		sh = &s
		c.shapes[ref] = sh
	}
	return sh
}

// A walk compiles one root. What it makes is kept only if it succeeds.
type walk struct {
	*Compiler
	made     map[nodeKey]*Node
	order    []*Node // all new nodes, those of members alone included
	sites    map[*Node]layout.Site
	problems []layout.Problem
	told     map[layout.Problem]bool
	open     map[string]int // how many instances of a generic type the walk is in
}

// report adds a problem unless it is known.
func (w *walk) report(at layout.Site, ref layout.Ref, f layout.Fault) {
	p := at.Problem(w.shape(ref).Name, f)
	if !w.told[p] {
		w.told[p] = true
		w.problems = append(w.problems, p)
	}
}

// target reports a member that an option does not fit.
func (w *walk) target(at layout.Site, ref layout.Ref, reason, fix string) {
	w.report(at, ref, layout.Fault{Code: layout.CodeTagTarget, Reason: reason, Fix: fix})
}

// node returns the plan of a type; nodes are shared, so that types may contain
// themselves.
func (w *walk) node(ref layout.Ref, f form, at layout.Site) *Node {
	key := nodeKey{ref, f}
	if n := w.nodes[key]; n != nil {
		return n
	}
	if n := w.made[key]; n != nil {
		return n
	}
	sh := w.shape(ref)
	n := &Node{Type: ref, Name: sh.Name, kind: sh.Kind, LE: f.le, Varint: f.varint, Full: f.fullTime, Length: f.length}
	w.made[key] = n
	w.order = append(w.order, n)
	w.sites[n] = at
	origin := layout.Origin(sh.Name)
	w.open[origin]++
	n.Op = w.builtin(sh)
	if n.Op == OpTime {
		n.Op = cmp.Or(w.methods(ref, at), OpTime) // a type made of time.Time may write itself
	}
	switch {
	case n.Op != 0:
	case layout.IsEndless(sh, w.open[origin]):
		n.Op = OpUnknown
		w.report(at, ref, layout.EndlessInstance)
	default:
		if n.Op = w.methods(ref, at); n.Op == 0 {
			w.byKind(n, sh, f, at)
		}
	}
	w.open[origin]--
	n.measure()
	return n
}

// binaryPath is the package whose types are built in, and whose cursors the
// methods of types that write themselves take.
const binaryPath = "github.com/spanwire/spanwire/binary"

// named are the types, by name, with a form of their own.
var named = map[string]Op{
	"time.Duration":                OpDuration,
	"net/netip.Addr":               OpAddr,
	"net/netip.AddrPort":           OpAddrPort,
	binaryPath + ".Chars":          OpChars,
	binaryPath + ".Date":           OpDate,
	binaryPath + ".TimeOfDay":      OpTimeOfDay,
	binaryPath + ".DateTimeOffset": OpOffset,
}

// builtin returns the form of a built-in type.
func (c *Compiler) builtin(sh *layout.Shape) Op {
	switch sh.Builtin {
	case layout.Time:
		return OpTime
	case layout.GUID:
		return OpGUID
	case layout.Decimal:
		return OpDecimal
	case layout.Char:
		return OpChar
	}
	if !sh.Named {
		return 0
	}
	return named[sh.Name]
}

// methods returns the form of types that write themselves.
func (w *walk) methods(ref layout.Ref, at layout.Site) Op {
	sh := w.shape(ref)
	if sh.Kind == layout.Interface || sh.Kind == layout.Pointer {
		return 0
	}
	m := sh.Methods
	if m.Accessor && w.owns(sh, ref, at, accessor) {
		return OpAccessor
	}
	if m.Span && !m.Generated && !m.Promoted && w.owns(sh, ref, at, serializable) {
		return OpSpan
	}
	return 0
}

// A pair is two methods that make a type write itself.
type pair struct {
	has   func(layout.Methods) bool
	names string
}

var (
	accessor     = pair{func(m layout.Methods) bool { return m.Accessor }, "WriteBinary and ReadBinary"}
	serializable = pair{func(m layout.Methods) bool { return m.Span }, "WriteSpan and ReadSpan"}
)

// owns reports whether methods are a struct's own; where they may be promoted
// from an embedded field the type must say what is meant.
func (w *walk) owns(sh *layout.Shape, ref layout.Ref, at layout.Site, p pair) bool {
	switch w.typeOption(sh, ref, at) {
	case "fields":
		return false
	case "methods":
		return true
	}
	for i := range sh.Fields {
		f := &sh.Fields[i]
		t := w.shape(f.Type)
		if t.Kind == layout.Pointer {
			t = w.shape(t.Elem)
		}
		if f.Embedded && p.has(t.Methods) {
			w.report(at, ref, layout.Fault{
				Code:   layout.CodeMethods,
				Reason: sh.Name + " has " + p.names + " that may be promoted from " + f.Name,
				Fix:    "state which is meant with a field _ struct{} `binary:\"fields\"` or `binary:\"methods\"`",
			})
			break
		}
	}
	return true
}

// typeOption returns what a blank field without a value says about its struct.
func (w *walk) typeOption(sh *layout.Shape, ref layout.Ref, at layout.Site) string {
	for i := range sh.Fields {
		f := &sh.Fields[i]
		if f.Name != "_" || !w.empty(f.Type) {
			continue
		}
		text, _, faults := dialect.Text(f.Tag)
		for _, fault := range faults {
			w.report(at.At(ref, i, f.Name), f.Type, fault)
		}
		if isTypeOption(text) {
			return text
		}
	}
	return ""
}

func isTypeOption(text string) bool { return text == "fields" || text == "methods" }

// empty reports whether values of the type take no memory.
func (c *Compiler) empty(ref layout.Ref) bool { return layout.IsEmpty(c.shape, ref) }

// selfWriting reports whether sh is a type whose pointer has methods that
// count.
func selfWriting(sh *layout.Shape) bool { return sh.Methods.Accessor || sh.Methods.Span }

// byKind plans a type by its kind.
func (w *walk) byKind(n *Node, sh *layout.Shape, f form, at layout.Site) {
	switch sh.Kind {
	case layout.Slice:
		n.Op = OpSlice
		if elem := w.shape(sh.Elem); elem.Kind == layout.Uint8 && !selfWriting(elem) {
			n.Op = OpBytes
			return
		}
		n.Elem = w.node(sh.Elem, f, at.In("[]"))
	case layout.Array:
		n.Op, n.Len = OpArray, sh.Len
		n.Elem = w.node(sh.Elem, f, at.In("[]"))
		if n.Elem.Op == OpInt8 && !n.Elem.Signed && !selfWriting(w.shape(sh.Elem)) {
			n.Op = OpByteArray
		}
	case layout.Map:
		n.Op = OpMap
		n.Key = w.node(sh.Key, f, at.In("[key]"))
		if !w.isKey(sh.Key) {
			w.report(at, sh.Key, layout.Fault{
				Code:   layout.CodeMapKey,
				Reason: "map keys that are or contain pointers or interfaces have no form",
				Fix:    "use a key without them, or leave the field out with `binary:\"ignore\"`",
			})
		}
		n.Elem = w.node(sh.Elem, f, at.In("[]"))
	case layout.Pointer:
		n.Elem = w.node(sh.Elem, f, at)
		n.Op = OpNullable
		switch n.Elem.Op {
		case OpStruct, OpAccessor, OpSpan:
			n.Op = OpObject
		}
	case layout.StructKind:
		n.Op = OpStruct
		n.Struct = &Struct{Last: -1, Member: sh.Methods.MemberAccessor}
		w.structOf(n, sh, f, at)
	case layout.Interface:
		n.Op = OpAny
		if sh.Len > 0 {
			w.unknown(n, at, layout.CodeUnsupported, "the interface "+sh.Name+" has no form", "use []any, which is written by the types of its elements")
		}
	default:
		n.scalar()
		if n.Op == 0 {
			w.noForm(n, at)
		}
	}
}

// noForm reports a type without a form.
func (w *walk) noForm(n *Node, at layout.Site) {
	switch n.kind {
	case layout.TypeParam: // an instance tells
		n.Op = OpUnknown
		return
	case layout.Unresolved:
		n.Op = OpUnknown
		w.report(at, n.Type, layout.Fault{
			Code: layout.CodeUnresolved, Reason: "the type could not be resolved", Fix: "fix the errors that the Go compiler reports for it",
		})
		return
	}
	w.unknown(n, at, layout.CodeUnsupported, "the type "+n.Name+" has no form", "leave it out with `binary:\"ignore\"`")
}

// unknown keeps the reason why a type has no form of its own.
func (w *walk) unknown(n *Node, at layout.Site, code layout.Code, reason, fix string) {
	n.Op = OpUnknown
	w.report(at, n.Type, layout.Fault{Code: code, Reason: reason, Fix: fix})
}

// scalar plans numbers, bools and strings.
func (n *Node) scalar() {
	switch n.kind {
	case layout.Bool:
		n.Op = OpBool
	case layout.Int8, layout.Uint8:
		n.Op, n.Size = OpInt8, 1
	case layout.Int16, layout.Uint16:
		n.Op, n.Size = OpInt16, 2
	case layout.Int32, layout.Uint32:
		n.Op, n.Size = OpInt32, 4
	case layout.Int64, layout.Uint64:
		n.Op, n.Size = OpInt64, 8
	case layout.Int:
		n.Op, n.Size = OpInt, 8
	case layout.Uint:
		n.Op, n.Size = OpUint, 8
	case layout.Float32:
		n.Op, n.Size = OpFloat32, 4
	case layout.Float64:
		n.Op, n.Size = OpFloat64, 8
	case layout.String:
		n.Op = OpString
	}
	n.Signed = n.kind >= layout.Int && n.kind <= layout.Int64
}

// isInt reports whether n is an integer.
func (n *Node) isInt() bool { return n != nil && n.Op >= OpInt8 && n.Op <= OpUint }

// isKey reports whether ref is a type that can be the key of a map.
func (c *Compiler) isKey(ref layout.Ref) bool {
	sh := c.shape(ref)
	if c.builtin(sh) != 0 {
		return true
	}
	switch sh.Kind {
	case layout.Pointer, layout.Interface:
		return false
	case layout.Array:
		return c.isKey(sh.Elem)
	case layout.StructKind:
		for _, f := range sh.Fields {
			if f.Exported && !c.isKey(f.Type) {
				return false
			}
		}
	}
	return true
}
