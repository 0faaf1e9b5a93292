package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// timeKind writes an instant in one of its forms, and leaves those that the form
// does not hold to the plan:
//
//	spanrt.PutTime(c[1:], v.At.Unix(), v.At.Nanosecond())
//
//	nanos, ok := spanrt.UnixNano(v.At.Unix(), v.At.Nanosecond())
//	if !ok { ... }
//	spanrt.PutUint64(c[1:], uint64(nanos))
//
//	v.At = spanrt.TimeFromUnixNano(int64(spanrt.GetUint64(c[1:])))
type timeKind struct{ fixedSize }

// timeForm describes how a form of one number is made.
type timeForm struct {
	bits     int
	variable string // that holds the number
	to, from string // functions of package spanrt
	checked  bool   // from reports whether there is such a time
}

func (timeKind) form(n *layout.Node) timeForm {
	switch {
	case n.Time == layout.TimeUnixNano:
		return timeForm{64, "nanos", "UnixNano", "TimeFromUnixNano", false}
	case n.Time == layout.TimeUnixMilli:
		return timeForm{64, "millis", "TimeUnixMilli", "TimeFromUnixMilli", false}
	case n.Time == layout.TimeTicks:
		return timeForm{64, "ticks", "TimeTicks", "TimeFromTicks", true}
	case n.Time == layout.TimeSeconds && n.Switched: // the form of the profile, without a tag
		return timeForm{32, "seconds", "TimeSeconds", "TimeFromSeconds", true}
	case n.Time == layout.TimeSeconds:
		return timeForm{32, "seconds", "TimeUnix", "TimeFromUnix", false}
	}
	return timeForm{} // of TimeFull, which is more than a number
}

func (k timeKind) put(a *appender, x value, to place) {
	t := a.asTime(x)
	if x.node.Time == layout.TimeFull {
		a.do("spanrt.PutTime(%v, %v.Unix(), %v.Nanosecond())", to.bytes(), t, t)
		return
	}
	f := k.form(x.node)
	number := code("spanrt."+f.to+"(%v)", t)
	if x.node.Time == layout.TimeUnixNano {
		number = code("spanrt.UnixNano(%v.Unix(), %v.Nanosecond())", t, t)
	}
	a.do("%s, ok %s %v", f.variable, a.set(f.variable, "ok"), number)
	a.refuse(code("!ok"))
	if f.bits == 32 {
		a.do("spanrt.PutUint32%s(%v, seconds)", order(x.node), to.bytes())
		return
	}
	a.do("spanrt.PutUint64%s(%v, uint64(%s))", order(x.node), to.bytes(), f.variable)
}

func (timeKind) doubt(_ *reader, x value, at place) []jen.Code {
	if x.node.Time == layout.TimeFull {
		return []jen.Code{code("spanrt.GetUint32(%v) > spanrt.MaxNanosecond", at.plus(8).bytes())}
	}
	return nil
}

func (k timeKind) get(r *reader, x value, at place) {
	if x.node.Time == layout.TimeFull {
		r.assignTime(x, code("spanrt.GetTime(%v)", at.bytes()))
		return
	}
	f := k.form(x.node)
	number := code("spanrt.GetUint32%s(%v)", order(x.node), at.bytes())
	if f.bits == 64 {
		number = code("int64(spanrt.GetUint64%s(%v))", order(x.node), at.bytes())
	}
	result := code("spanrt."+f.from+"(%v)", number)
	if f.checked {
		r.do("when, ok %s %v", r.set("when", "ok"), result)
		r.doubt(code("!ok"))
		result = code("when")
	}
	r.assignTime(x, result)
}

// asTime returns a value as time.Time.
func (f *file) asTime(x value) *jen.Statement {
	if isTimeTime(x.typ()) {
		return code("%s", x.operand())
	}
	f.importName("time", "time")
	return code("%v(%s)", jen.Qual("time", "Time"), x)
}

func (r *reader) assignTime(x value, result *jen.Statement) {
	if isTimeTime(x.typ()) {
		r.add(x.store(result))
		return
	}
	r.add(x.store(code("%v(%v)", r.typeCode(x.typ()), result)))
}

func isTimeTime(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == "Time" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time"
}
