package emit

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// partLimit is about how much code, in the units of weight, one function has; that of a
// larger struct share the work, so that the compiler's time stays linear.
const partLimit = 64

// methods emits the methods of a type.
func (f *file) methods(t *model.Type) {
	u := &unit{node: t.Plan.Root, typ: t.Ref.(types.Type), method: true, local: true}
	u.cyclic, u.deep = u.node.Cyclic, f.deep(u.node)
	if u.node.Op == layout.OpSized {
		u.cyclic = u.node.Elem.Cyclic
	}
	g := &unitEmitter{file: f, unit: u, name: t.Name, recv: t.Name, pos: t.Pos}
	if len(t.Params) > 0 {
		g.recv += "[" + f.params(u.typ.(*types.Named)) + "]"
	}
	g.emit()
}

// A unitEmitter emits the functions of one type.
type unitEmitter struct {
	*file
	unit *unit
	name string // of the type, in comments
	recv string // the receiver's type
	pos  token.Position
}

// checkName refuses a type that has something by the name of an unexported
// method already.
func (g *unitEmitter) checkName(name string) {
	if obj, _, _ := types.LookupFieldOrMethod(g.unit.typ, true, g.pkg.Types, name); obj != nil && !token.IsExported(name) {
		g.faults = append(g.faults, &Error{
			Pos:    g.pos,
			Reason: fmt.Sprintf("%s has a field or method %s, a name that its generated methods need: rename it", g.name, name),
		})
	}
}

func (g *unitEmitter) emit() {
	if n := g.structNode(); n != nil && !g.unit.wholly() {
		g.guard(n.Struct)
	}
	if g.unit.method {
		g.jen.Comment("SpanGenerated marks the methods of " + g.name + " as its own, not promoted.")
		g.jen.Func().Params(jen.Id("*" + g.recv)).Id("SpanGenerated").Params(jen.Id("*" + g.recv)).Block()
		g.jen.Line()
	}
	g.emitSize()
	g.emitAppend()
	if g.unit.method {
		g.emitWrite()
	}
	g.emitRead()
}

// define adds a method of the unit, or the function that it has instead; params
// follow the value.
func (g *unitEmitter) define(name, doc string, first, params []jen.Code, result string, body []jen.Code) {
	var head *jen.Statement
	if g.unit.method {
		g.checkName(name)
		head = jen.Func().Params(jen.Id("v *" + g.recv)).Id(name).Params(append(first, params...)...)
	} else {
		name = g.called(name)
		v := jen.Id("v").Op("*").Add(g.typeCode(g.unit.typ))
		head = jen.Func().Id(name).Params(append(append(first, v), params...)...)
	}
	g.jen.Comment(name + " " + doc)
	g.jen.Add(head.Id(result).Block(body...))
	g.jen.Line()
}

// called returns the name of the function that stands for a method:
// appendNode_tree for appendSpan, with the number of its part.
func (g *unitEmitter) called(method string) string {
	verb, part, _ := strings.Cut(method, "Span")
	if method == "readSpan" {
		verb = "readFields"
	}
	return strings.ToLower(verb[:1]) + verb[1:] + g.unit.suffix + part
}

// invoke calls a method of the unit on v, or the function.
func (g *unitEmitter) invoke(method string, first string, params ...string) *jen.Statement {
	var args []string
	if first != "" {
		args = append(args, first)
	}
	if g.unit.method {
		return code("v.%s(%s)", method, strings.Join(append(args, params...), ", "))
	}
	return code("%s(%s)", g.called(method), strings.Join(append(append(args, "v"), params...), ", "))
}

// A part is a stretch of a struct's fields that has functions of its own.
type part struct{ from, to int }

// parts cuts the fields of a large struct into parts of bounded size.
func (g *unitEmitter) parts() []part {
	all := g.unit.fields()
	var parts []part
	from, sum := 0, 0
	for k := range all {
		n := g.class(all[k].Node).weight
		if sum > 0 && sum+n > partLimit {
			parts = append(parts, part{from, k})
			from, sum = k, 0
		}
		sum += n
	}
	return append(parts, part{from, len(all)})
}

// leaveAll reports whether the plan does the unit as a whole, in one
// direction.
func (g *unitEmitter) leaveAll(only func(*class) bool) bool {
	if g.unit.wholly() {
		return true
	}
	all := g.unit.fields()
	if g.unit.node.Op != layout.OpStruct && g.unit.node.Op != layout.OpSized {
		return only(g.rootClass())
	}
	for k := range all {
		if !only(g.class(all[k].Node)) {
			return false
		}
	}
	return len(all) > 0
}

// rootClass is the class of a unit that is not a struct, as its own code sees
// it.
func (g *unitEmitter) rootClass() *class {
	n := *g.unit.node
	n.Cyclic = false
	if g.pkg.Constraint != nil {
		g.roots[&n] = true
	}
	g.unit.body = &n
	switch n.Op {
	case layout.OpBinary, layout.OpText, layout.OpJSON, layout.OpGob:
		// Nothing is gained here, and the plan notices a marshaler method that
		// calls these methods for its own value.
		return onlyPlan()
	}
	return g.class(&n)
}

// root is the value of a unit that is not a struct.
func (g *unitEmitter) root() value {
	g.rootClass()
	return value{path: path{expr: "v", deref: true}, node: g.unit.body}
}

// isStruct reports whether the unit has fields.
func (g *unitEmitter) isStruct() bool {
	return g.unit.node.Op == layout.OpStruct || g.unit.node.Op == layout.OpSized
}

// depthParam is the parameter of units that know how deep they are.
func (g *unitEmitter) depthParam() []jen.Code {
	if g.unit.deep {
		return []jen.Code{jen.Id("depth int")}
	}
	return nil
}

// depths returns the expressions of the level that the value is entered from
// and that of its fields.
func (g *unitEmitter) depths() (outer, inner string) {
	switch {
	case g.unit.cyclic:
		return "depth", "depth+1"
	case g.unit.deep:
		return "depth", "depth"
	}
	return "0", "0"
}
