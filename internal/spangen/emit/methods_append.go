package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// emitAppend emits AppendSpan, and where the depth must be known the method that
// it calls.
func (g *unitEmitter) emitAppend() {
	outer, _ := g.depths()
	dst, results := jen.Id("dst []byte"), "([]byte, error)"
	if g.leaveAll(func(c *class) bool { return c.noWrite }) {
		body := []jen.Code{code("return span.PlanOf(v).Append(dst, v, %s)", outer)}
		switch {
		case g.unit.deep:
			g.define("appendSpan", "appends v, which is depth levels deep.", []jen.Code{dst}, g.depthParam(), results, body)
			body = []jen.Code{jen.Return(g.invoke("appendSpan", "dst", "0"))}
		case !g.unit.method:
			g.define("appendSpan", "appends v.", []jen.Code{dst}, nil, results, body)
		}
		g.appendAPI(body)
		return
	}
	if g.unit.method && g.unit.deep {
		g.appendAPI([]jen.Code{jen.Return(g.invoke("appendSpan", "dst", "0"))})
	}
	parts := g.parts()
	body := g.appendBody(parts)
	switch {
	case g.unit.method && !g.unit.deep:
		g.appendAPI(body)
	default:
		doc := "appends v."
		if g.unit.deep {
			doc = "appends v, which is depth levels deep."
		}
		g.define("appendSpan", doc, []jen.Code{dst}, g.depthParam(), results, body)
	}
	if len(parts) == 1 {
		return
	}
	for i, p := range parts {
		a := g.appender(p)
		doc := fmt.Sprintf("appends the fields %s, or returns spanrt.ErrPlan if the plan must append them.", fieldNames(g.unit.fields()[p.from:p.to]))
		g.define(fmt.Sprint("appendSpan", i+1), doc, []jen.Code{dst}, g.depthParam(), "([]byte, error)", a)
	}
}

// appendAPI adds the method AppendSpan.
func (g *unitEmitter) appendAPI(body []jen.Code) {
	if g.unit.method {
		g.define("AppendSpan", "appends v to dst. On an error it returns dst unchanged.",
			[]jen.Code{jen.Id("dst []byte")}, nil, "([]byte, error)", body)
	}
}

// appendBody makes the body of the method that appends all of v.
func (g *unitEmitter) appendBody(parts []part) []jen.Code {
	if len(parts) == 1 {
		return g.appender(part{0, -1})
	}
	f := g.fn(g.unit)
	outer, _ := g.depths()
	plan := code("return span.PlanOf(v).Append(dst, v, %s)", outer)
	f.add(jen.If(anyOf(g.refuseRoot())).Block(plan))
	depth := g.depthArg()
	sized := g.unit.node.Op == layout.OpSized
	if sized {
		f.do("start := len(dst)")
	}
	for i := range parts {
		call := g.invoke(fmt.Sprint("appendSpan", i+1), "b", depth...)
		switch {
		case i > 0:
			f.add(jen.If(code("err == nil")).Block(code("b, err = %v", call)))
		case sized:
			f.do("b, err := %v", g.invoke("appendSpan1", "append(dst, 0)", depth...))
		default:
			f.do("b, err := %v", g.invoke("appendSpan1", "dst", depth...))
		}
	}
	f.add(jen.If(code("err == spanrt.ErrPlan")).Block(plan))
	f.add(jen.If(code("err != nil")).Block(code("return dst, span.PlanOf(v).Within(err, \"\", len(b)-len(dst))")))
	if sized {
		f.do("b, ok := spanrt.PutSize(b, start)")
		f.add(jen.If(code("!ok")).Block(plan))
	}
	f.do("return b, nil")
	return *f.body
}

// refuseRoot returns the condition under which the plan refuses v at once.
func (g *unitEmitter) refuseRoot() []jen.Code {
	no := []jen.Code{code("v == nil")}
	if g.unit.cyclic {
		no = append(no, code("depth >= spanrt.MaxDepth"))
	}
	if g.mayShare() {
		no = append(no, code("span.PlanOf(v).Shares()"))
	}
	return no
}

// mayShare reports whether the unit is a generic type: instances may have
// shared pointers in what their arguments are, which are numbered over the
// whole message, so they are the plan's.
func (g *unitEmitter) mayShare() bool { return g.unit.method && g.generic(g.unit.node) }

// generic reports whether n is a value with a type parameter below it.
func (f *file) generic(n *layout.Node) bool {
	if is, ok := f.generics[n]; ok {
		return is
	}
	f.generics[n] = false
	is := n.Op == layout.OpParam || n.Key != nil && f.generic(n.Key) || n.Elem != nil && f.generic(n.Elem)
	if n.Struct != nil {
		for i := range n.Struct.Fields {
			is = is || f.generic(n.Struct.Fields[i].Node)
		}
	}
	f.generics[n] = is
	return is
}

// appender makes the body that appends the fields of a part, or with to below 0
// the whole value.
func (g *unitEmitter) appender(p part) []jen.Code {
	a := &appender{fn: g.fn(g.unit), part: p.to >= 0}
	a.outer, a.depth = g.depths()
	all := g.unit.fields()
	switch {
	case a.part:
		a.fields(p.from, p.to)
		return a.finish()
	case !g.isStruct():
		a.early = g.refuseRoot()
		a.sequence([]value{g.root()})
		return a.finish()
	}
	a.early = g.refuseRoot()
	if g.unit.node.Op != layout.OpSized {
		a.fields(0, len(all))
		return a.finish()
	}
	a.begin()
	a.reserve(constant(1), constant(1))
	start := "start"
	a.declare(start)
	a.do("%s := i", start)
	a.off++
	a.fields(0, len(all))
	a.endSized(start)
	return a.finish()
}
