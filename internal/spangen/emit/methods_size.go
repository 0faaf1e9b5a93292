package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// emitSize emits SizeSpan, and where the depth must be known the method that it
// calls.
func (g *unitEmitter) emitSize() {
	const doc = "returns the number of bytes that AppendSpan appends."
	if g.leaveAll(func(c *class) bool { return c.noSize || c.noWrite }) {
		g.defineSize(doc, []jen.Code{code("return span.PlanOf(v).Size(v)")})
		return
	}
	parts := g.parts()
	z := g.sizer()
	zero := []jen.Code{code("v == nil")}
	if g.unit.cyclic {
		zero = append(zero, code("depth >= spanrt.MaxDepth"))
	}
	z.add(jen.If(anyOf(zero)).Block(code("return 0")))
	if g.mayShare() {
		z.add(jen.If(code("span.PlanOf(v).Shares()")).Block(code("return span.PlanOf(v).Size(v)")))
	}
	switch {
	case !g.isStruct():
		z.sequence([]value{g.root()})
	case len(parts) == 1:
		z.fields(0, len(g.unit.fields()))
	default:
		for i := range parts {
			z.plus(sum{terms: []jen.Code{g.invoke(fmt.Sprint("sizeSpan", i+1), "", g.depthArg()...)}})
		}
	}
	if g.unit.node.Op == layout.OpSized {
		z.settle()
		z.do("return n + spanrt.SizeLength(n)")
	} else {
		z.done()
	}
	g.defineSize(doc, *z.body)
	if len(parts) == 1 {
		return
	}
	for i, p := range parts {
		z := g.sizer()
		z.fields(p.from, p.to)
		z.done()
		doc := fmt.Sprintf("returns the number of bytes of the fields %s.", fieldNames(g.unit.fields()[p.from:p.to]))
		g.define(fmt.Sprint("sizeSpan", i+1), doc, nil, g.depthParam(), "int", *z.body)
	}
}

func (g *unitEmitter) sizer() *sizer {
	z := &sizer{fn: g.fn(g.unit)}
	_, z.depth = g.depths()
	return z
}

// defineSize adds SizeSpan and what it calls.
func (g *unitEmitter) defineSize(doc string, body []jen.Code) {
	if !g.unit.deep {
		g.define("SizeSpan", doc, nil, nil, "int", body)
		return
	}
	if g.unit.method {
		g.define("SizeSpan", doc, nil, nil, "int", []jen.Code{code("return v.sizeSpan(0)")})
	}
	g.define("sizeSpan", "returns the size of v, which is depth levels deep.", nil, g.depthParam(), "int", body)
}

// depthArg is the argument for depthParam.
func (g *unitEmitter) depthArg() []string {
	if g.unit.deep {
		return []string{"depth"}
	}
	return nil
}
