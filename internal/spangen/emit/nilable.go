package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"
)

// nilableKind writes a mark, 0 for nil and 1 otherwise, before a slice or map:
//
//	b[i] = spanrt.Bool(v.Tags != nil)
//	i++
//	if v.Tags != nil {
//		...
//	}
//
// Reading keeps the difference between nil and empty:
//
//	if v.Tags == nil {
//		v.Tags = make([]string, 0)
//	}
type nilableKind struct{}

// inner returns the value after the mark.
func (f *file) inner(x value) value {
	n := f.inners[x.node]
	if n == nil {
		c := *x.node
		c.Nilable = false
		c.Min = leadOf(&c)
		n = &c
		f.inners[x.node] = n
	}
	x.node = n
	return x
}

func (nilableKind) size(z *sizer, x value) {
	z.plus(constant(1))
	z.settle()
	body := z.within(func() { z.sequence([]value{z.inner(x)}) })
	z.add(jen.If(code("%s != nil", x)).Block(body...))
}

func (nilableKind) room(*file, value) (most, exact sum, no []refusal) {
	return constant(1), constant(1), nil
}

func (nilableKind) append(a *appender, x value) {
	a.do("b[%s] = spanrt.Bool(%s != nil)", a.at(), x)
	a.off++
	a.settle()
	y := a.inner(x)
	y.name = ""
	body := a.block(func() {
		a.sequence([]value{y})
		a.settle()
	})
	a.add(jen.If(code("%s != nil", x)).Block(body...))
}

func (nilableKind) opens() opening { return opening{append: true, read: true} }
func (nilableKind) lead(value) int { return 1 }

func (nilableKind) read(r *reader, x value, lead place, _ int) {
	r.doubt(code("%s > 1", lead.byte()))
	r.off++
	r.settle()
	mark := lead.byte()
	if lead.step != "" {
		mark = "b[i-1]"
	}
	y := r.inner(x)
	y.name = ""
	rest := r.rest
	body := r.block(func() {
		r.rest, r.known = -1, 0
		r.sequence([]value{y})
		r.settle()
		r.add(jen.If(code("%s == nil", x)).Block(code("%s = %v", x, r.empty(x))))
	})
	r.rest, r.known = rest, 0
	r.add(jen.If(code("%s == 0", mark)).Block(code("%s = nil", x)).Else().Block(body...))
}

// empty makes an empty slice or map.
func (r *reader) empty(x value) *jen.Statement {
	if _, ok := x.typ().Underlying().(*types.Map); ok {
		return code("make(%v)", r.typeCode(x.typ()))
	}
	return code("make(%v, 0)", r.typeCode(x.typ()))
}

// structKind is a folded struct. It never writes or reads: its fields stand in
// its place.
type structKind struct{}

func (structKind) size(z *sizer, x value) { z.sequence(z.flatten(x)) }
