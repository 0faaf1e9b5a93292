package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// pointerKind writes a mark, 0 for nil and 1 otherwise, before what the pointer
// points to:
//
//	b[i] = spanrt.Bool(v.Next != nil)
//	i++
//	if v.Next != nil {
//		...
//	}
//
//	if c[4] == 0 {
//		v.Next = nil
//	} else {
//		if v.Next == nil {
//			v.Next = new(Node)
//		}
//		...
//	}
type pointerKind struct{}

func (pointerKind) size(z *sizer, x value) {
	z.plus(constant(1))
	if z.fixed(x.node.Elem) == 0 {
		return
	}
	z.pointed(x)
}

// pointed adds the size of what x points to.
func (z *sizer) pointed(x value) {
	z.settle()
	body := z.within(func() {
		if fixed := z.steady(x.node.Elem); fixed >= 0 {
			z.plus(constant(fixed))
			return
		}
		z.sequence(z.pointee(x))
	})
	z.add(jen.If(code("%s != nil", x)).Block(body...))
}

// pointee returns the values of what x points to; those of a struct by way of a
// variable.
func (f *fn) pointee(x value) []value {
	y := x.part(x.node.Elem, x.path.pointee())
	if y.node.Op == layout.OpStruct && f.class(y.node).fold && f.looksAt(y.node) && len(f.flatten(y)) > 1 {
		e := f.free("e")
		f.do("%s := %s", e, x)
		y.path, y.name = path{expr: e, deref: true}, ""
	}
	return f.flatten(y)
}

func (pointerKind) room(*file, value) (most, exact sum, no []refusal) {
	return constant(1), constant(1), nil
}

func (pointerKind) append(a *appender, x value) {
	a.do("b[%s] = spanrt.Bool(%s != nil)", a.at(), x)
	a.off++
	a.settle()
	if a.fixed(x.node.Elem) == 0 {
		return
	}
	body := a.block(func() { a.pointed(x) })
	a.add(jen.If(code("%s != nil", x)).Block(body...))
}

// pointed writes what x points to.
func (a *appender) pointed(x value) {
	ys := a.pointee(x)
	a.level++
	a.sequence(ys)
	a.settle()
	a.level--
}

func (pointerKind) opens() opening { return opening{append: true, read: true} }
func (pointerKind) lead(value) int { return 1 }

func (pointerKind) read(r *reader, x value, lead place, _ int) {
	r.doubt(code("%s > 1", lead.byte()))
	r.off++
	mark := lead.byte()
	calls := r.class(x.node).calls
	if calls {
		r.commit(x.field + 1)
	} else {
		r.settle()
		if lead.step != "" {
			mark = "b[i-1]"
		}
	}
	body := r.block(func() {
		r.add(jen.If(code("%s == nil", x)).Block(code("%s = new(%v)", x, r.typeCode(x.node.Elem.Type.(goType)))))
		if calls {
			r.readPointee(x)
			return
		}
		r.pointed(x)
	})
	r.add(jen.If(code("%s == 0", mark)).Block(code("%s = nil", x)).Else().Block(body...))
}

// pointed reads what x points to.
func (r *reader) pointed(x value) {
	if r.fixed(x.node.Elem) == 0 {
		return
	}
	rest := r.rest
	r.rest, r.known = -1, 0
	ys := r.pointee(x)
	r.level++
	r.sequence(ys)
	r.settle()
	r.level--
	r.rest, r.known = rest, 0
}

// readPointee reads what x points to by a call.
func (r *reader) readPointee(x value) {
	y := x.part(x.node.Elem, x.path.pointee())
	r.add(r.readCall(y))
	r.failed(code("r.At(%q)", x.name))
}

// inlineKind writes what the pointer points to, without a mark. Nil, which
// writes nothing, is left to the plan, as is input that may end here.
type inlineKind struct{}

func (inlineKind) size(z *sizer, x value) { z.pointed(x) }

func (inlineKind) room(f *file, x value) (most, exact sum, no []refusal) {
	if x.node.Fixed == 0 {
		return sum{}, sum{}, nil
	}
	return sum{}, sum{}, []refusal{{code: code("%s == nil", x)}}
}

func (inlineKind) append(a *appender, x value) {
	if a.fixed(x.node) == 0 {
		return
	}
	ys := a.pointee(x)
	a.level++
	a.sequence(ys)
	a.level--
}

func (inlineKind) opens() opening { return opening{append: true, read: true} }
func (inlineKind) lead(value) int { return 0 }

func (inlineKind) read(r *reader, x value, _ place, _ int) {
	if r.fixed(x.node) == 0 {
		r.do("%s = nil", x)
		return
	}
	r.need(max(1, r.min(x.node.Elem)))
	calls := r.class(x.node).calls
	if calls {
		r.commit(x.field + 1)
	} else {
		r.settle()
	}
	r.add(jen.If(code("%s == nil", x)).Block(code("%s = new(%v)", x, r.typeCode(x.node.Elem.Type.(goType)))))
	if calls {
		r.readPointee(x)
		return
	}
	rest := r.rest
	ys := r.pointee(x)
	r.level++
	r.sequence(ys)
	r.level--
	r.rest = rest
}
