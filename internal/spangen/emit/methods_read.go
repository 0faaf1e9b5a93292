package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// emitWrite emits WriteSpan:
//
//	f := w.Fast()
//	if b, ok := f.Direct(); ok && f.Put(v.AppendSpan(b)) {
//		return
//	}
//	span.PlanOf(v).Write(w, v)
func (g *unitEmitter) emitWrite() {
	plan := code("span.PlanOf(v).Write(w, v)")
	body := []jen.Code{plan}
	if !g.leaveAll(func(c *class) bool { return c.noWrite }) {
		call := code("v.AppendSpan(b)")
		if g.unit.deep {
			call = code("v.appendSpan(b, f.Depth())")
		}
		direct := "Direct"
		if g.leadsToOwn(g.unit.node) {
			direct = "DirectOwn"
		}
		body = []jen.Code{
			code("f := w.Fast()"),
			jen.If(code("b, ok := f.%s()", direct), code("ok && f.Put(%v)", call)).Block(jen.Return()),
			plan,
		}
	}
	g.define("WriteSpan", "writes v. The Writer keeps the error.", []jen.Code{jen.Id("w").Op("*").Qual(spanPath, "Writer")}, nil, "", body)
}

// emitRead emits ReadSpan. Where something must be done before and after, it
// calls a method that reads the fields.
func (g *unitEmitter) emitRead() {
	r := []jen.Code{jen.Id("r").Op("*").Qual(spanPath, "Reader")}
	read := func(name, doc, result string, body []jen.Code) {
		g.define(name, doc, r, nil, result, body)
	}
	const doc = "reads v, reusing its memory. The Reader keeps the error."
	sized := g.unit.node.Op == layout.OpSized
	if g.leaveAll(func(c *class) bool { return c.noRead }) {
		plan := code("span.PlanOf(v).Read(r, v, -1)")
		if n := g.structNode(); n != nil && n.Struct.RootShared {
			plan = code("span.PlanOf(v).ReadRoot(r, v)")
		}
		read("ReadSpan", doc, "", []jen.Code{plan})
		return
	}
	name := "ReadSpan"
	if g.unit.cyclic || sized {
		read(name, doc, "", append(g.leaveShared(), g.around()...))
		name = "readSpan"
	}
	parts := g.parts()
	body := g.reader
	if len(parts) > 1 {
		body = func(part) []jen.Code { return g.readParts(parts) }
	}
	if name == "readSpan" {
		read("readSpan", "reads the fields of v.", "", body(part{0, -1}))
	} else {
		read("ReadSpan", doc, "", append(g.leaveShared(), body(part{0, -1})...))
	}
	if len(parts) == 1 {
		return
	}
	for i, p := range parts {
		doc := fmt.Sprintf("reads the fields %s, and reports whether there is more to do.", fieldNames(g.unit.fields()[p.from:p.to]))
		read(fmt.Sprint("readSpan", i+1), doc, "bool", g.reader(p))
	}
}

// leaveShared leaves instances with shared pointers to the plan.
func (g *unitEmitter) leaveShared() []jen.Code {
	if !g.mayShare() {
		return nil
	}
	return []jen.Code{jen.If(code("span.PlanOf(v).Shares()")).Block(code("span.PlanOf(v).ReadRoot(r, v)"), jen.Return())}
}

// around makes the body that counts the level of depth and narrows the Reader
// to the bytes of a sized struct.
func (g *unitEmitter) around() []jen.Code {
	body := []jen.Code{g.readFields()}
	if g.unit.cyclic {
		body = []jen.Code{jen.If(code("r.Enter()")).Block(append(body, code("r.Leave()"))...)}
	}
	if g.unit.node.Op == layout.OpSized {
		body = []jen.Code{
			code("f := r.Fast()"),
			jen.If(code("sized, ok := f.EnterSized(%t)", g.unit.node.Lenient), code("ok")).Block(append(body, code("f.LeaveSized(sized)"))...),
		}
	}
	return body
}

// readFields calls what around is around.
func (g *unitEmitter) readFields() *jen.Statement { return g.invoke("readSpan", "r") }

// readParts makes the body that calls the parts.
func (g *unitEmitter) readParts(parts []part) []jen.Code {
	calls := jen.Null()
	for i := range parts {
		if i > 0 {
			calls.Op("&&")
			if i%4 == 0 {
				calls.Line()
			}
		}
		calls.Add(g.invoke(fmt.Sprint("readSpan", i+1), "r"))
	}
	return []jen.Code{
		jen.If(code("v == nil")).Block(code("span.PlanOf(v).Read(r, v, 0)"), jen.Return()),
		jen.Id("_").Op("=").Add(calls),
	}
}

// structNode returns the node of the unit's struct, nil where it is none.
func (g *unitEmitter) structNode() *layout.Node {
	switch g.unit.node.Op {
	case layout.OpStruct:
		return g.unit.node
	case layout.OpSized:
		return g.unit.node.Elem
	}
	return nil
}

// reader makes the body that reads the fields of a part, or with to below 0 the
// whole value.
func (g *unitEmitter) reader(p part) []jen.Code {
	r := &reader{fn: g.fn(g.unit), part: p.to >= 0, notNil: p.to >= 0, first: p.from}
	to := p.to
	if to < 0 {
		to = len(g.unit.fields())
	}
	if g.isStruct() {
		r.fields(p.from, to)
	} else {
		r.sequence([]value{g.root()})
	}
	r.checkNil()
	r.commit(to)
	if r.part {
		r.do("return true")
	}
	return r.finish()
}
