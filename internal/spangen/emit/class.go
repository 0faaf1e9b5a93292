package emit

import (
	"go/token"
	"go/types"

	"github.com/spanwire/spanwire/internal/layout"
)

// foldLimit is the most code, in the units of weight, of a struct that is written
// and read by the code of what holds it; a larger one has code of its own, which
// is called. The limit keeps functions readable and the compiler linear.
const foldLimit = 24

// weight is about how much code a value takes, a plain number taking 1.
func weight(n *layout.Node) int {
	switch n.Op {
	case layout.OpString, layout.OpBytes, layout.OpTime, layout.OpBinary, layout.OpText, layout.OpJSON, layout.OpGob:
		return 2
	case layout.OpPointer, layout.OpInline, layout.OpSized, layout.OpArray:
		return 3
	case layout.OpSlice:
		return 4
	case layout.OpMap:
		return 6
	}
	return 1
}

// A class says how the code of a value is made.
type class struct {
	fold   bool // a struct whose fields are part of the code around it
	weight int  // about how much code there is
	// calls: reading needs the Reader itself, since a type's own ReadSpan is
	// called. The position must then be known to the Reader.
	calls bool
	// noWrite and noRead: only the plan can write or read it. The field of the
	// root that holds the value is left to it as a whole.
	noWrite, noRead bool
	// noSize: its size is known only by making its bytes.
	noSize bool
	unit   *unit // whose code is called
}

// onlyPlan is the class of what generated code can't do at all.
func onlyPlan() *class { return &class{weight: 1, noWrite: true, noRead: true, noSize: true} }

// add makes c the class of a value that contains one of class d.
func (c *class) add(d *class) {
	c.weight += d.weight
	c.calls = c.calls || d.calls
	c.noWrite = c.noWrite || d.noWrite
	c.noRead = c.noRead || d.noRead
	c.noSize = c.noSize || d.noSize
}

// class classifies a node once.
func (f *file) class(n *layout.Node) *class {
	if c := f.classes[n]; c != nil {
		return c
	}
	f.classes[n] = onlyPlan() // for a type that leads to itself unnoticed
	c := f.classify(n)
	f.classes[n] = c
	return c
}

func (f *file) classify(n *layout.Node) *class {
	if what := n.Unknown(); what != "" {
		return f.noCode(n, what)
	}
	t := n.Type.(types.Type)
	switch {
	case f.isForeignBuild(n) || n.Cyclic || n.Op == layout.OpSized && n.Elem.Struct.Sized:
		return f.called(n)
	case n.Op == layout.OpStruct:
		return f.classifyStruct(n)
	case n.Op == layout.OpParam, n.Op == layout.OpShared, n.Lossy && n.Op == layout.OpText, !f.nameable(t), !f.makes(n):
		return onlyPlan()
	}
	c := &class{weight: weight(n)}
	switch n.Op {
	case layout.OpTime:
		if n.Enc != layout.EncFixed || n.BE && n.Time == layout.TimeFull {
			return onlyPlan()
		}
	case layout.OpBytes:
		if n.FixedLen > 0 && !isByte(t.Underlying().(*types.Slice).Elem()) {
			return onlyPlan()
		}
	case layout.OpSlice:
		c.noRead = n.MaxZero // the plan counts the calls
	case layout.OpInline:
		c.noRead = n.Nothing // there is no byte at which code could set it to nil
	case layout.OpSelf:
		c.calls, c.noSize = true, true
	case layout.OpBinary, layout.OpText, layout.OpJSON, layout.OpGob:
		c.noSize = true
		c.noWrite = n.Prefix != 0 || n.Nilable
		c.noRead = c.noWrite
		c.noWrite = c.noWrite || n.Lossy // the plan reads back what is written
	case layout.OpBool, layout.OpInt, layout.OpFloat, layout.OpComplex, layout.OpString, layout.OpArray, layout.OpMap,
		layout.OpPointer, layout.OpSized, layout.OpGUID, layout.OpDecimal, layout.OpChar:
	default:
		return f.noCode(n, "the form "+n.Op.String())
	}
	if n.Key != nil {
		c.add(f.class(n.Key))
		c.noRead = c.noRead || f.class(n.Key).calls
	}
	if n.Elem != nil {
		f.classifyPart(c, n)
	}
	c.noRead = c.noRead || c.calls && n.Nilable
	return c
}

// noCode makes the file fail because of a value of a form that this package does not
// know.
func (f *file) noCode(n *layout.Node, what string) *class {
	f.faults = append(f.faults, &Error{Reason: "there is no code for " + what + " of " + n.Name + "; report it as a bug in spangen"})
	return onlyPlan()
}

// makes reports whether functions of the file can mention what reading a
// pointer or map must make.
func (f *file) makes(n *layout.Node) bool {
	switch n.Op {
	case layout.OpPointer, layout.OpInline:
		return f.nameable(n.Elem.Type.(types.Type))
	case layout.OpMap:
		return f.nameable(n.Key.Type.(types.Type)) && f.nameable(n.Elem.Type.(types.Type))
	}
	return true
}

// classifyPart adds the class of what a container contains.
func (f *file) classifyPart(c *class, n *layout.Node) {
	d := f.class(n.Elem)
	c.add(d)
	if n.Op == layout.OpSized && n.Elem.Shares {
		*c = *onlyPlan() // it numbers its objects
	}
	if n.Op != layout.OpPointer && n.Op != layout.OpInline && n.Op != layout.OpSized {
		// A nil that writes nothing is never legal in here.
		c.noWrite = c.noWrite || d.calls && n.Elem.MayEndNil
	}
	if d.calls && !readsThrough(n) {
		c.noRead = true
	}
}

// readsThrough reports the containers whose parts can be read by calls: nothing
// but calls and marks before them may be between the container's head and its
// end, for there the plan could not take over.
func readsThrough(n *layout.Node) bool {
	switch n.Op {
	case layout.OpPointer, layout.OpInline, layout.OpSized:
		return n.Elem.Op == layout.OpStruct || n.Elem.Op == layout.OpSelf || n.Elem.Op == layout.OpSized
	case layout.OpArray:
		return plainCall(n.Elem)
	case layout.OpSlice:
		return plainCall(n.Elem)
	}
	return false
}

// plainCall reports whether n is a value that is read by a call, or by a mark
// and a call.
func plainCall(n *layout.Node) bool {
	if n.Op == layout.OpPointer {
		n = n.Elem
	}
	return n.Op == layout.OpStruct || n.Op == layout.OpSelf || n.Op == layout.OpSized
}

// classifyStruct decides whether a struct is folded.
func (f *file) classifyStruct(n *layout.Node) *class {
	c := &class{fold: true}
	t := n.Type.(types.Type)
	_, named := t.(*types.Named)
	for i := range n.Struct.Fields {
		fd := &n.Struct.Fields[i]
		if f.isNothing(fd.Node) {
			continue
		}
		c.add(f.class(fd.Node))
		if !token.IsExported(fd.Name) && f.foreignField(t, fd.Index) {
			return onlyPlan()
		}
	}
	if c.calls || c.noRead || c.noWrite || named && c.weight > foldLimit {
		return f.called(n)
	}
	return c
}

// isNothing reports whether n is a struct that needs no code, such as an
// embedded mark.
func (f *file) isNothing(n *layout.Node) bool { return n.Op == layout.OpStruct && n.Idle() }

// foreignField reports whether the field is unexported and of another package.
func (f *file) foreignField(t types.Type, index int) bool {
	s := t.Underlying().(*types.Struct)
	return s.Field(index).Pkg() != f.pkg.Types
}

// called is the class of a type that has code of its own: generated methods, or
// a function of this file.
func (f *file) called(n *layout.Node) *class {
	if isPartial(n) {
		return onlyPlan()
	}
	u := f.unitOf(n)
	if u == nil {
		return onlyPlan()
	}
	return &class{weight: 1, calls: true, unit: u}
}

// isPartial reports whether n is a struct of which a field's tag leaves
// something out: the type's own methods and plan are those of the whole.
func isPartial(n *layout.Node) bool {
	if n.Op == layout.OpSized {
		n = n.Elem
	}
	return n.Struct != nil && n.Struct.Partial
}

// isForeignBuild reports whether n is a type whose declaration is built under
// another constraint than this file, so that it may look different there.
func (f *file) isForeignBuild(n *layout.Node) bool {
	if _, ok := n.Type.(*types.Named); !ok || f.pkg.Constraint == nil || f.roots[n] {
		return false
	}
	limits := f.pkg.Constraint(n.Type)
	return limits != "" && limits != f.out.Constraint
}
