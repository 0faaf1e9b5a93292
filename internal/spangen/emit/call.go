package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// callKind writes a value by the generated methods of its type, or by functions
// of this file:
//
//	b, err = v.Inner.AppendSpan(b[:i])
//	if err != nil {
//		return dst, span.PlanOf(v).Within(err, "Inner", i-len(dst))
//	}
//	i, b = len(b), b[:cap(b)]
//
//	f.Skip(i)
//	v.Inner.ReadSpan(r)
//	if f.Failed() {
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

// within returns an error of a nested value, with the steps that led there: it is
// not looked for again, since that would be done at each level around as well.
func (a *appender) within(x value) []jen.Code {
	return []jen.Code{code("return dst, %v", withSteps(x, "Within", "err", "i-len(dst)"))}
}

// withSteps is the call that puts the steps of x in front of an error's path.
func withSteps(x value, name, err, before string) *jen.Statement {
	var fields string
	for i, s := range x.steps {
		switch {
		case s.index == "" && s.field[0] != '[':
			fields = strings.TrimPrefix(fields+"."+s.field, ".")
		case name == "Within" && i > 0 && i == len(x.steps)-1 && isName(s.index):
			return code("span.PlanOf(v).WithinIndex(%s, %q, %s, %s)", err, fields, s.index, before)
		default:
			return manySteps(x, name, err, before)
		}
	}
	return code("span.PlanOf(v).%s(%s, %q, %s)", name, err, fields, before)
}

// manySteps is withSteps for any steps.
func manySteps(x value, name, err, before string) *jen.Statement {
	var all []string
	for _, s := range x.steps {
		switch {
		case s.index == "":
			all = append(all, strconv.Quote(s.field))
		case isName(s.index):
			all = append(all, "spanrt.Index("+s.index+")")
		default:
			all = append(all, s.index)
		}
	}
	if len(all) == 1 {
		return code("span.PlanOf(v).%s(%s, %s, %s)", name, err, all[0], before)
	}
	return code("span.PlanOf(v).%sSteps(%s, %s, %s)", name, err, before, strings.Join(all, ", "))
}

// isName reports the variable that counts the elements of a list.
func isName(expr string) bool { return expr != "" && !strings.Contains(expr, "(") }

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
//	own.Fast().ResetOwn(b[:i], 0)
//	v.Shape.WriteSpan(&own)
//	if own.Fast().Failed() {
//		return dst, span.PlanOf(v).Within(own.Err(), "Shape", -len(dst))
//	}
//	b = own.Bytes()
//
//	if own, ok := f.EnterOwn(); ok {
//		v.Shape.ReadSpan(r)
//		f.LeaveOwn(own)
//	}
type selfKind struct{}

func (selfKind) size(*sizer, value) { panic("emit: the plan knows this size") } //nolint:forbidigo // a fault of the generator

func (selfKind) room(*file, value) (most, exact sum, no []refusal) { return sum{}, sum{}, nil }

func (selfKind) append(a *appender, x value) {
	a.settle()
	a.scoped(func() {
		a.do("var own span.Writer")
		a.do("own.Fast().ResetOwn(b[:i], %s)", a.depth)
		a.do("%s.WriteSpan(&own)", x.receiver())
		a.add(jen.If(code("own.Fast().Failed()")).Block(code("return dst, %v", withSteps(x, "Within", "own.Err()", "-len(dst)"))))
		a.do("b = own.Bytes()")
		a.do("i, b = len(b), b[:cap(b)]")
	}, "own")
}

func (selfKind) opens() opening { return opening{append: true, read: true} }
func (selfKind) lead(value) int { return 0 }

func (selfKind) read(r *reader, x value, lead place, after int) { callKind{}.read(r, x, lead, after) }
