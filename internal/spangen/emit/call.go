package emit

import (
	"github.com/dave/jennifer/jen"
)

// callKind writes a value by the generated methods of its type, or by functions
// of this file:
//
//	b, err = v.Inner.AppendSpan(b[:i])
//	if err != nil {
//		return dst, span.Within(err, "Inner", i-len(dst))
//	}
//	i, b = len(b), b[:cap(b)]
//
//	r.Skip(i)
//	v.Inner.ReadSpan(r)
//	if r.Failed() {
//		r.At("Inner")
//		return
//	}
type callKind struct{}

func (callKind) size(z *sizer, x value) {
	z.plus(sum{terms: []jen.Code{z.class(x.node).unit.sizeCall(x, z.depth)}})
}

func (callKind) room(*file, value) (most, exact sum, no []refusal) { return sum{}, sum{}, nil }

func (callKind) append(a *appender, x value) {
	a.settle()
	a.call(x, a.class(x.node).unit.appendCall(x, "b[:i]", a.depth), a.within(x)...)
}

// within returns an error of a nested value, with the step that led there. Where
// more than one step did, the plan finds the error again.
func (a *appender) within(x value) []jen.Code {
	switch {
	case x.name == "" || a.loops > 1 || a.loops == 1 && x.index == "":
		return a.plan()
	case x.index != "":
		return []jen.Code{code("return dst, span.WithinIndex(err, %q, %s, i-len(dst))", x.name, x.index)}
	}
	return []jen.Code{code("return dst, span.Within(err, %q, i-len(dst))", x.name)}
}

func (callKind) opens() opening { return opening{append: true, read: true} }
func (callKind) lead(value) int { return 0 }

func (callKind) read(r *reader, x value, _ place, _ int) {
	r.checkEnd(x)
	r.checkNil()
	r.commit(x.field + 1)
	r.add(r.readCall(x))
	r.failed(code("r.At(%q)", x.name))
}

// selfKind writes a value by the WriteSpan and ReadSpan that its type has by
// hand:
//
//	var own span.Writer
//	own.Reset(b[:i])
//	v.Shape.WriteSpan(&own)
//	if own.Failed() { ... }
//	b = own.Bytes()
type selfKind struct{}

func (selfKind) size(*sizer, value) { panic("emit: the plan knows this size") }

func (selfKind) room(*file, value) (most, exact sum, no []refusal) { return sum{}, sum{}, nil }

func (selfKind) append(a *appender, x value) {
	a.settle()
	own := a.fn.fresh("own")
	a.do("var %s span.Writer", own)
	a.do("%s.Reset(b[:i])", own)
	a.do("%s.WriteSpan(&%s)", x.receiver(), own)
	a.refuse(code("%s.Failed()", own))
	a.do("b = %s.Bytes()", own)
	a.do("i, b = len(b), b[:cap(b)]")
}

func (selfKind) opens() opening { return opening{append: true, read: true} }
func (selfKind) lead(value) int { return 0 }

func (selfKind) read(r *reader, x value, lead place, after int) { callKind{}.read(r, x, lead, after) }
