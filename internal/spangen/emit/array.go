package emit

import (
	"fmt"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// fixedArrayKind writes an array of values of a fixed kind, at constant strides:
//
//	for j := range v.Grid {
//		spanrt.PutUint16(c[3+2*j:], v.Grid[j])
//	}
type fixedArrayKind struct{ fixedSize }

func (fixedArrayKind) put(a *appender, x value, to place) {
	if a.fixed(x.node) == 0 {
		return
	}
	j := a.nested("j")
	a.level++
	body := a.block(func() {
		to := to.stride(a.fixed(x.node.Elem), j)
		for _, y := range a.flatten(x.part(x.node.Elem, x.path.index(j))) {
			a.kind(y.node).(fixed).put(a, y, to)
			to = to.plus(a.fixed(y.node))
		}
	})
	a.level--
	a.loop(body, "%s := range %s", j, x)
}

func (fixedArrayKind) get(r *reader, x value, from place) {
	if r.fixed(x.node) == 0 {
		return
	}
	j := r.nested("j")
	r.level++
	body := r.block(func() {
		from := from.stride(r.fixed(x.node.Elem), j)
		ys := r.flatten(x.part(x.node.Elem, x.path.index(j)))
		var doubts []jen.Code
		at := from
		for _, y := range ys {
			doubts = append(doubts, r.kind(y.node).(fixed).doubt(r, y, at)...)
			at = at.plus(r.fixed(y.node))
		}
		r.doubt(doubts...)
		for _, y := range ys {
			r.kind(y.node).(fixed).get(r, y, from)
			from = from.plus(r.fixed(y.node))
		}
	})
	r.level--
	r.loop(body, "%s := range %s", j, x)
}

// stride returns the place of element j of values of a size.
func (p place) stride(size int, j string) place {
	step := j
	if size != 1 {
		step = fmt.Sprintf("%d*%s", size, j)
	}
	if p.step != "" {
		step = p.step + "+" + step
	}
	p.step = step
	return p
}

// fixedStructKind is a struct of values of fixed kinds: the element of an array.
type fixedStructKind struct{ fixedSize }

func (fixedStructKind) put(a *appender, x value, to place) {
	for _, y := range a.flatten(x) {
		a.kind(y.node).(fixed).put(a, y, to)
		to = to.plus(a.fixed(y.node))
	}
}

func (fixedStructKind) get(r *reader, x value, at place) {
	for _, y := range r.flatten(x) {
		r.kind(y.node).(fixed).get(r, y, at)
		at = at.plus(r.fixed(y.node))
	}
}

// numbersArrayKind writes an array of numbers at once:
//
//	*(*[16]byte)(c[3:]) = v.Hash
//	spanrt.PutNumbers(c[19:], v.Counts[:])
//
//	v.Hash = *(*[16]byte)(c[3:])
//	spanrt.GetNumbers(v.Counts[:], c[19:])
type numbersArrayKind struct{ fixedSize }

func (numbersArrayKind) put(a *appender, x value, to place) {
	switch {
	case a.fixed(x.node) == 0:
	case isByte(x.typ().Underlying().(*types.Array).Elem()):
		a.do("*(*[%d]byte)(%v) = %s", x.node.Len, to.bytes(), x)
	default:
		a.do("spanrt.PutNumbers(%v, %s[:])", to.bytes(), x.operand())
	}
}

func (numbersArrayKind) get(r *reader, x value, at place) {
	switch {
	case r.fixed(x.node) == 0:
	case isByte(x.typ().Underlying().(*types.Array).Elem()):
		r.do("%s = *(*[%d]byte)(%v)", x, x.node.Len, at.bytes())
	default:
		r.do("spanrt.GetNumbers(%s[:], %v)", x.operand(), at.bytes())
	}
}

// isNumbers reports whether n is a list or array of numbers that lie in memory
// as they do on the wire, except for the order of bytes.
func isNumbers(n *layout.Node) bool {
	e := n.Elem
	return (e.Op == layout.OpFloat || e.Op == layout.OpInt && e.Enc == layout.EncFixed) && !e.BE &&
		(!e.Platform || n.Op == layout.OpSlice)
}

// arrayKind writes an array of any other values, one after the other:
//
//	for j := range v.Names {
//		...
//	}
type arrayKind struct{}

func (arrayKind) size(z *sizer, x value) {
	z.each(x, x.String())
}

// each adds the sizes of all elements.
func (z *sizer) each(x value, list string) {
	j := z.nested("j")
	z.settle()
	z.level++
	body := z.within(func() {
		z.sequence(z.flatten(x.part(x.node.Elem, x.path.index(j))))
	})
	z.level--
	z.loop(body, "%s := range %s", j, list)
}

func (arrayKind) room(*file, value) (most, exact sum, no []refusal) { return sum{}, sum{}, nil }

func (arrayKind) append(a *appender, x value) {
	if x.node.Len > 0 {
		a.each(x)
	}
}

// each writes all elements.
func (a *appender) each(x value) {
	a.settle()
	elem := x.node.Elem
	if a.isFixed(value{node: elem}) || a.class(elem).fold && a.fixed(elem) >= 0 && a.allFixed(elem) {
		if a.fixed(elem) == 0 {
			return
		}
		size := term(0, "%d*len(%s)", a.fixed(elem), x)
		if a.fixed(elem) == 1 {
			size = term(0, "len(%s)", x)
		}
		a.reserve(size, size)
		a.reserved++
		defer func() { a.reserved-- }()
	}
	j := a.nested("j")
	e := a.nested("e")
	a.level++
	a.loops++
	body := a.block(func() {
		a.sequence(a.element(x, j, e))
		a.settle()
	})
	a.level--
	a.loops--
	a.eachOf(body, j, x)
}

// eachOf adds the loop over the elements of x, whose number is j; the variable
// is left out where nothing looks at the elements.
func (f *fn) eachOf(body []jen.Code, j string, x value) {
	if !f.looksAt(x.node.Elem) {
		f.loop(body, "range %s", x)
		return
	}
	f.loop(body, "%s := range %s", j, x)
}

// element returns the values of element j; those of a struct by way of a
// pointer.
func (f *fn) element(x value, j, e string) []value {
	y := x.part(x.node.Elem, x.path.index(j)).stepped(step{index: j})
	if y.node.Op == layout.OpStruct && f.class(y.node).fold && f.looksAt(y.node) {
		f.do("%s := &%s", e, y)
		y.path = path{expr: e, deref: true}
		y.name = ""
	}
	return f.flatten(y)
}

func (arrayKind) opens() opening { return opening{append: true, read: true} }
func (arrayKind) lead(value) int { return 0 }

func (arrayKind) read(r *reader, x value, _ place, _ int) {
	if x.node.Len == 0 {
		return
	}
	if r.class(x.node).calls {
		r.checkEnd(x)
		r.readCalls(x, fmt.Sprintf("%s := range %s", r.nested("j"), x), nil)
		return
	}
	r.release()
	before, lines := *r, len(*r.body)
	r.look()
	r.settle()
	j, e := r.nested("j"), r.nested("e")
	body := r.inLoop(0, func() { r.sequence(r.element(x, j, e)) })
	if len(body) == 0 { // elements such as arrays without elements: nothing is looked at for them
		*r = before
		*r.body = (*r.body)[:lines]
		return
	}
	r.eachOf(body, j, x)
}

// inLoop collects the body of a loop, in which known bytes are sure to be there.
func (r *reader) inLoop(known int, emit func()) []jen.Code {
	rest := r.rest
	r.level++
	body := r.block(func() {
		r.rest, r.known = -1, known
		emit()
		r.settle()
	})
	r.level--
	r.rest, r.known = rest, 0
	return body
}
