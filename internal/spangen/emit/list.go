package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// numbersKind writes a slice of numbers at once:
//
//	i = spanrt.PutLength(b, i, len(v.Ints))
//	spanrt.PutNumbers(b[i:], v.Ints)
//	i += 8 * len(v.Ints)
//
//	if n > (len(b)-i)/8 { ... }
//	v.Ints = spanrt.ReadNumbers(v.Ints, b[i:], n)
//	i += 8 * n
type numbersKind struct{}

// bytes returns the size of n numbers.
func (numbersKind) bytes(x value, n string) string {
	if x.node.Elem.Size == 1 {
		return n
	}
	return fmt.Sprintf("%d*%s", x.node.Elem.Size, n)
}

// suffix is the end of the names of functions for int and uint.
func (numbersKind) suffix(x value) string {
	if x.node.Elem.Platform {
		return "Ints"
	}
	return "Numbers"
}

func (k numbersKind) size(z *sizer, x value) {
	z.plus(headSize(x.node, lengthOf(x)).plus(term(0, "%s", k.bytes(x, lengthOf(x)))))
}

func (k numbersKind) room(f *file, x value) (most, exact sum, no []refusal) {
	all := term(0, "%s", k.bytes(x, lengthOf(x)))
	most, exact = head(x.node, lengthOf(x))
	return most.plus(all), exact.plus(all), f.limit(x.node, lengthOf(x))
}

func (k numbersKind) append(a *appender, x value) {
	a.putLength(x.node, lengthOf(x))
	a.settle()
	a.do("spanrt.Put%s(b[i:], %s)", k.suffix(x), x)
	a.do("i += %s", k.bytes(x, lengthOf(x)))
}

func (numbersKind) opens() opening   { return opening{} }
func (numbersKind) lead(x value) int { return leadOf(x.node) }

func (k numbersKind) read(r *reader, x value, lead place, after int) {
	doubts := r.length("n", x.node, lead)
	r.doubt(append(doubts, code("n > %s", r.quotient(after, x.node.Elem.Size)))...)
	r.readNumbers(x)
	r.do("i += %s", k.bytes(x, "n"))
}

// readNumbers reads n numbers at b[i].
func (r *reader) readNumbers(x value) {
	if !x.node.Elem.Platform {
		r.do("%s = spanrt.ReadNumbers(%s, b[i:], n)", x, x)
		return
	}
	r.doubt(code("!spanrt.FitInts(%s, b[i:], n)", x))
	r.do("%s = spanrt.ReadInts(%s, b[i:], n)", x, x)
}

// quotient is how many values of a size are left besides bytes that must be.
func (r *reader) quotient(after, size int) string {
	if size == 1 {
		return r.minus(after)
	}
	return fmt.Sprintf("(%s)/%d", r.minus(after), size)
}

// listKind writes a slice of any other values, one after the other:
//
//	i = spanrt.PutLength(b, i, len(v.Items))
//	for j := range v.Items {
//		e := &v.Items[j]
//		...
//	}
//
//	count, i := int(b[0]), 1
//	...
//	if count > (len(b)-i)/22 { ... }
//	v.Items = spanrt.List(v.Items, count)
//	for j := 0; j < count; j++ {
//		if j == len(v.Items) {
//			v.Items = spanrt.Extend(v.Items, count)
//		}
//		e := &v.Items[j]
//		...
//	}
type listKind struct{}

func (listKind) size(z *sizer, x value) {
	z.plus(headSize(x.node, lengthOf(x)))
	switch fixed := z.steady(x.node.Elem); {
	case fixed < 0:
		z.each(x, x.String())
	case fixed == 1:
		z.plus(term(0, "%s", lengthOf(x)))
	case fixed > 0:
		z.plus(term(0, "%d*%s", fixed, lengthOf(x)))
	}
}

func (listKind) room(f *file, x value) (most, exact sum, no []refusal) {
	most, exact = head(x.node, lengthOf(x))
	return most, exact, f.limit(x.node, lengthOf(x))
}

func (listKind) append(a *appender, x value) {
	a.putLength(x.node, lengthOf(x))
	if a.fixed(x.node.Elem) != 0 {
		a.each(x)
	}
}

func (listKind) opens() opening   { return opening{append: true, read: true} }
func (listKind) lead(x value) int { return leadOf(x.node) }

func (listKind) read(r *reader, x value, lead place, _ int) {
	count, j, e := r.nested("count"), r.nested("j"), r.nested("e")
	doubts := r.length(count, x.node, lead)
	elem := x.node.Elem
	least := r.minElem(x.node)
	switch {
	case least > 0:
		doubts = append(doubts, code("%s > %s", count, r.quotient(0, least)))
	case r.most(x.node) == layout.Unlimited:
		doubts = append(doubts, code("%s >= spanrt.MaxLength", count)) // or malformed
	}
	r.doubt(doubts...)
	start := func() { r.do("%s = spanrt.List(%s, %s)", x, x, count) }
	grow := func() {
		r.add(jen.If(code("%s == len(%s)", j, x)).Block(code("%s = spanrt.Extend(%s, %s)", x, x, count)))
	}
	loop := fmt.Sprintf("%s := 0; %s < %s; %s++", j, j, count, j)
	if r.class(elem).calls {
		if x.node.Looped && least > 0 {
			r.claim(count, least)
		}
		r.readCalls(x, loop, start, grow)
		return
	}
	start()
	if r.fixed(elem) == 0 && len(r.inLoop(0, func() { r.sequence(r.element(x, j, e)) })) == 0 {
		r.add(jen.For(code("len(%s) < %s", x, count)).Block(code("%s = spanrt.Extend(%s, %s)", x, x, count)))
		return
	}
	known := 0
	if r.isFixed(value{node: elem}) || r.class(elem).fold && r.fixed(elem) > 0 && r.allFixed(elem) {
		known = r.fixed(elem)
	}
	body := r.inLoop(known, func() {
		grow()
		r.sequence(r.element(x, j, e))
	})
	r.add(jen.For(code("%s", loop)).Block(body...))
}

// claim claims the bytes of a list that lies on a cycle of types, unless it may be
// longer than what has come: then the plan decides.
//
//	if !f.Claim(2*count) { ... }
func (r *reader) claim(count string, least int) {
	if least > 1 {
		count = fmt.Sprintf("%d*%s", least, count)
	}
	r.add(jen.If(code("!%v", r.cursor("Claim(%s)", count))).Block(r.plan()...))
}

// readCalls reads elements that the Reader reads itself:
//
//	f.Skip(i)
//	elems := f.EnterElems()
//	for j := range v.Kids {
//		v.Kids[j].ReadSpan(r)
//		if f.Failed() {
//			f.AtIndex("Kids", j)
//			return
//		}
//	}
//	f.LeaveElems(elems)
func (r *reader) readCalls(x value, loop string, start func(), each ...func()) {
	j := r.nested("j")
	r.commit(x.field + 1)
	if start != nil {
		start()
	}
	r.scoped(func() {
		r.do("elems := %v", r.cursor("EnterElems()"))
		y := x.part(x.node.Elem, x.path.index(j))
		body := r.block(func() {
			for _, f := range each {
				f()
			}
			r.readCalled(y)
			r.failed(r.cursor("AtIndex(%q, %s)", x.name, j))
		})
		r.add(jen.For(code("%s", loop)).Block(body...))
		r.add(r.cursor("LeaveElems(elems)"))
	}, "elems")
}

// readCalled reads a value by a call, or a mark and by a call what it is about.
func (r *reader) readCalled(y value) {
	if y.node.Op != layout.OpPointer || r.class(y.node).unit != nil {
		r.add(r.readCall(y))
		return
	}
	p := y.part(y.node.Elem, y.path.pointee())
	r.add(jen.If(r.cursor("Present(%t)", y.node.Lenient)).Block(
		jen.If(code("%s == nil", y)).Block(code("%s = new(%v)", y, r.typeCode(p.typ()))),
		r.readCall(p),
	).Else().Block(code("%s = nil", y)))
}

// readCall is the call that reads a value of its own.
func (r *reader) readCall(x value) *jen.Statement {
	switch u := r.class(x.node).unit; {
	case u != nil:
		return u.readCall(x)
	case x.node.Op == layout.OpSized:
		return r.sizedCall(x)
	}
	return jen.If(code("own, ok := %v", r.cursor("EnterOwn()")), code("ok")).Block(
		code("%s.ReadSpan(r)", x.receiver()),
		r.cursor("LeaveOwn(own)"),
	)
}
