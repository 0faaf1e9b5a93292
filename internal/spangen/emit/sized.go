package emit

import (
	"github.com/dave/jennifer/jen"
)

// sizedKind writes a struct after the number of its bytes:
//
//	start := i
//	i++
//	...
//	if b, i = spanrt.EndSized(b[:i], start); i < 0 { ... }
//
//	if n > len(b)-i { ... }
//	outer, end := b, i+n
//	b = b[:end]
//	...
//	b, i = outer, end
//
// What the fields leave unread is skipped. An early end is left to the plan.
type sizedKind struct{}

func (sizedKind) size(z *sizer, x value) {
	z.settle()
	z.scoped(func() {
		z.do("start := n")
		z.sequence(z.flatten(x.part(x.node.Elem, x.path)))
		z.settle()
		z.do("n += spanrt.SizeLength(n-start)")
	}, "start")
}

func (sizedKind) room(*file, value) (most, exact sum, no []refusal) {
	return constant(1), constant(1), nil
}

func (sizedKind) append(a *appender, x value) {
	a.scoped(func() {
		a.do("start := %s", a.at())
		a.off++
		a.sequence(a.flatten(x.part(x.node.Elem, x.path)))
		a.endSized("start")
	}, "start")
}

// endSized completes what begins after index start with its length.
func (a *appender) endSized(start string) {
	a.settle()
	a.add(jen.If(code("b, i = spanrt.EndSized(b[:i], %s)", start), code("i < 0")).Block(a.plan()...))
}

func (sizedKind) opens() opening { return opening{append: true, read: true} }

func (sizedKind) lead(value) int { return 0 }

func (sizedKind) read(r *reader, x value, _ place, _ int) {
	if r.class(x.node).calls {
		r.checkEnd(x)
		r.checkNil()
		r.commit(x.field + 1)
		r.add(r.readCall(x))
		r.failed(code("r.At(%q)", x.name))
		return
	}
	r.need(1)
	lead := r.run(nil, 1)
	r.doubt(append(r.length("n", x.node, lead), code("n > len(b)-i"))...)
	r.scoped(func() {
		r.do("outer, end := b, i+n")
		r.do("b = b[:end]")
		rest := r.rest
		r.rest, r.known = -1, 0
		r.sequence(r.flatten(x.part(x.node.Elem, x.path)))
		r.rest = rest
		r.do("b, i = outer, end")
		r.off, r.known = 0, 0
	}, "outer", "end")
}

// sizedCall reads a struct by a call, from the bytes that are its own:
//
//	if sized, ok := f.EnterSized(false); ok {
//		v.Inner.ReadSpan(r)
//		f.LeaveSized(sized)
//	}
func (r *reader) sizedCall(x value) *jen.Statement {
	return jen.If(code("sized, ok := %v", r.cursor("EnterSized(%t)", x.node.Lenient)), code("ok")).Block(
		r.readCall(x.part(x.node.Elem, x.path)),
		r.cursor("LeaveSized(sized)"),
	)
}
