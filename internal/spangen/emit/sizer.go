package emit

import (
	"github.com/dave/jennifer/jen"
)

// A sizer makes the body of a SizeSpan:
//
//	n := 26 + spanrt.SizeString(v.Name)
//	for j := range v.Items {
//		n += spanrt.SizeString(v.Items[j])
//	}
//	return n
type sizer struct {
	fn
	depth string // the level that fields are written at
	total sum    // what is not yet in n
	hasN  bool
}

func (z *sizer) plus(s sum) { z.total = z.total.plus(s) }

// settle puts what has been added up into n.
func (z *sizer) settle() {
	switch {
	case !z.hasN:
		z.do("n := %v", z.total.code())
		z.hasN = true
	case z.total.n == 1 && len(z.total.terms) == 0:
		z.do("n++")
	case !z.total.isZero():
		z.do("n += %v", z.total.code())
	}
	z.total = sum{}
}

// within returns a block that adds to n what emit adds.
func (z *sizer) within(emit func()) []jen.Code {
	return z.block(func() {
		emit()
		z.settle()
	})
}

// done returns the total.
func (z *sizer) done() {
	if !z.hasN {
		z.do("return %v", z.total.code())
		return
	}
	z.settle()
	z.do("return n")
}

// sequence adds the sizes of values.
func (z *sizer) sequence(xs []value) {
	for _, x := range xs {
		if size := z.steady(x.node); size >= 0 {
			z.plus(constant(size))
			continue
		}
		z.kind(x.node).size(z, x)
	}
}

// fields adds the sizes of the fields from number from to to-1.
func (z *sizer) fields(from, to int) {
	all := z.unit.fields()
	for k := from; k < to; k++ {
		if !z.sizedByPlan(k) {
			z.sequence(z.flatten(fieldOf(all, k)))
			continue
		}
		first := k
		for k+1 < to && z.sizedByPlan(k+1) {
			k++
		}
		z.plus(term(0, "span.PlanOf(v).SizeFields(v, %d, %d)", first, k+1))
	}
}

// sizedByPlan reports whether k is a field of which only the plan knows the
// size.
func (z *sizer) sizedByPlan(k int) bool {
	n := z.unit.fields()[k].Node
	c := z.class(n)
	return z.steady(n) < 0 && (c.noSize || c.noWrite)
}
