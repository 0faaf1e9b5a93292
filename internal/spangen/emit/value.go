package emit

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// A path is how generated code reaches a value: a variable or field, or what a
// pointer points to.
type path struct {
	expr  string
	deref bool // the value is *expr
}

// String returns the value.
func (p path) String() string {
	if p.deref {
		return "*" + p.expr
	}
	return p.expr
}

// operand returns the value so that an index or selector may follow.
func (p path) operand() string {
	if p.deref {
		return "(*" + p.expr + ")"
	}
	return p.expr
}

// field returns a field of the struct; Go follows the pointer.
func (p path) field(name string) path { return path{expr: p.receiver() + "." + name} }

func (p path) index(j string) path { return path{expr: p.operand() + "[" + j + "]"} }

// pointee returns what the pointer here points to.
func (p path) pointee() path { return path{expr: p.String(), deref: true} }

// address returns a pointer to the value.
func (p path) address() string {
	if p.deref {
		return p.expr
	}
	return "&" + p.expr
}

// receiver returns what a selector of a field, or of a method with a pointer
// receiver, may follow.
func (p path) receiver() string {
	if strings.HasPrefix(p.expr, "*") {
		return "(" + p.expr + ")"
	}
	return p.expr
}

// goType is what a ref is here.
type goType = types.Type

// A value is one value to be written and read.
type value struct {
	path
	node   *layout.Node
	name   string // for comments and error paths: the fields from the root on
	field  int    // number of the root's field that it belongs to
	key    bool   // part of a map key, whose strings are copied
	isNew  bool   // x is a variable still to be declared
	isPart bool   // x is not a field, but a part of the one named
	steps  []step // of error paths, from the root on
}

// A step of an error's path is a field, or the expression of an index.
type step struct{ field, index string }

// stepped returns x with one more step.
func (x value) stepped(s step) value {
	x.steps = append(slices.Clip(x.steps), s)
	return x
}

func (x value) typ() types.Type { return x.node.Type.(types.Type) }

// part returns a value within x that is not a field: an element, or what a
// pointer points to.
func (x value) part(n *layout.Node, p path) value {
	return value{path: p, node: n, name: x.name, field: x.field, key: x.key, isPart: true, steps: x.steps}
}

// fieldOf returns field k of a unit's struct.
func fieldOf(fields []layout.Field, k int) value {
	fd := &fields[k]
	return value{path: path{expr: "v." + fd.Name}, node: fd.Node, name: fd.Name, field: k, steps: []step{{field: fd.Name}}}
}

// flatten returns the values that a struct is made of, those of folded structs
// in their place.
func (f *file) flatten(x value) []value {
	if x.node.Op == layout.OpArray && f.fixed(x.node) == 0 {
		return nil
	}
	if x.node.Op != layout.OpStruct || !f.class(x.node).fold {
		return []value{x}
	}
	f.guard(x.node.Struct)
	var all []value
	for i := range x.node.Struct.Fields {
		fd := &x.node.Struct.Fields[i]
		if f.isNothing(fd.Node) {
			continue
		}
		name := fd.Name
		if x.name != "" {
			name = x.name + "." + name
		}
		y := x.part(fd.Node, x.path.field(fd.Name)).stepped(step{field: fd.Name})
		y.name, y.isPart = name, false
		all = append(all, f.flatten(y)...)
	}
	return all
}

// store returns the assignment of a result to the value.
func (x value) store(result *jen.Statement) *jen.Statement {
	if x.isNew {
		return code("%s := %v", x, result)
	}
	return code("%s = %v", x, result)
}

// comment names the fields of a step.
func comment(xs []value) string {
	var names []string
	for _, x := range xs {
		if x.name != "" && (len(names) == 0 || names[len(names)-1] != x.name) {
			names = append(names, x.name)
		}
	}
	if len(names) > 6 {
		return fmt.Sprintf("%s to %s", names[0], names[len(names)-1])
	}
	return strings.Join(names, ", ")
}

// A place is where in the message the bytes of a value are: at a constant
// offset from the start of a variable, plus a step within loops.
type place struct {
	base string // a slice or a pointer to an array
	off  int
	step string

	tail string // instead of all that: the index in b of a single number
}

func (p place) plus(n int) place {
	p.off += n
	return p
}

// at returns the offset as an expression.
func (p place) at() string {
	switch {
	case p.step == "":
		return fmt.Sprint(p.off)
	case p.off == 0:
		return p.step
	case p.base == "b" && p.step[0] == 'i':
		return fmt.Sprintf("%s+%d", p.step, p.off)
	}
	return fmt.Sprintf("%d+%s", p.off, p.step)
}

// byte returns the byte here.
func (p place) byte() string { return p.base + "[" + p.at() + "]" }

// bytes returns a slice that begins here.
func (p place) bytes() *jen.Statement {
	switch {
	case p.tail != "":
		return code("spanrt.At(b, %s)", p.tail)
	case p.off > 0 || p.step != "":
		return code("%s[%s:]", p.base, p.at())
	case p.base == "b":
		return code("b")
	}
	return code("%s[:]", p.base)
}

// slice returns the n bytes here.
func (p place) slice(n int) *jen.Statement {
	if p.step == "" {
		return code("%s[%d:%d]", p.base, p.off, p.off+n)
	}
	return code("%s[%s:][:%d]", p.base, p.at(), n)
}
