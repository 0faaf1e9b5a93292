package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// An appender makes the body of an AppendSpan. The variable b is the buffer
// with all its capacity, i the index after what is written:
//
//	b, i := dst[:cap(dst)], len(dst)
//	if len(b)-i < 26+len(v.Name) {
//		b = spanrt.GrowAt(b, i, 21+spanrt.SizeString(v.Name))
//	}
//
// One such check precedes each stretch whose size is known; it asks for
// the exact size only where the simple bound does not fit, so that a buffer of
// exactly SizeSpan bytes is never reallocated.
type appender struct {
	fn
	depth string         // the level that fields are written at
	outer string         // the level that the value itself is entered from
	off   int            // bytes written after index i
	part  bool           // one of several functions that share the fields of a large struct
	errs  bool           // err is needed
	early []jen.Code     // conditions for the plan, of the value as a whole
	start *jen.Statement // where the variables are declared
	loops int            // around what is written
	// reserved: there is room for all elements of the loops around.
	reserved int
}

// plan leaves the value to the plan: it writes it again, or knows the error.
func (a *appender) plan() []jen.Code {
	if a.part {
		return []jen.Code{code("return dst, spanrt.ErrPlan")}
	}
	return []jen.Code{code("return span.PlanOf(v).Append(dst, v, %s)", a.outer)}
}

// refuse leaves values to the plan for which a condition holds.
func (a *appender) refuse(conditions ...jen.Code) {
	if len(conditions) > 0 {
		a.add(jen.If(anyOf(conditions)).Block(a.plan()...))
	}
}

// begin is refuse, and before the first values declares the variables.
func (a *appender) begin(conditions ...jen.Code) {
	if a.start != nil {
		a.refuse(conditions...)
		return
	}
	a.refuse(append(a.early, conditions...)...)
	a.start = jen.Null()
	a.add(a.start)
}

// finish completes the body.
func (a *appender) finish() []jen.Code {
	if a.start == nil {
		a.refuse(a.early...)
		a.do("return dst, nil")
		return *a.body
	}
	a.start.Add(code("b, i := dst[:cap(dst)], len(dst)"))
	if a.errs {
		a.start.Line().Add(code("var err error"))
	}
	a.do("return b[:%s], nil", a.at())
	return *a.body
}

// at is the index of the next byte.
func (a *appender) at() string {
	if a.off == 0 {
		return "i"
	}
	return fmt.Sprintf("i+%d", a.off)
}

// settle makes i the index of the next byte.
func (a *appender) settle() {
	if a.off > 0 {
		a.advance("i", a.off)
		a.off = 0
	}
}

// sequence writes values one after the other.
func (a *appender) sequence(xs []value) {
	for len(xs) > 0 {
		n := 0
		for n < len(xs) {
			n++
			if k, ok := a.kind(xs[n-1].node).(variable); ok && k.opens().append {
				break
			}
		}
		a.stretch(xs[:n])
		xs = xs[n:]
	}
}

// stretch writes values of which the total size is known, except what is after
// the head of the last one.
func (a *appender) stretch(xs []value) {
	var room, exact sum
	var no []refusal
	for _, x := range xs {
		switch k := a.kind(x.node).(type) {
		case fixed:
			room, exact = room.plus(constant(a.fixed(x.node))), exact.plus(constant(a.fixed(x.node)))
			no = append(no, k.refuse(x)...)
		case variable:
			most, size, refuse := k.room(a.file, x)
			room, exact = room.plus(most), exact.plus(size)
			no = append(no, refuse...)
		}
	}
	steps := a.steps(xs, func(k variable, x value) bool {
		most, _, _ := k.room(a.file, x)
		return !most.isZero()
	})
	told := a.start != nil
	if told {
		a.comment(steps[0]...)
	}
	a.begin(conditions(no)...)
	a.reserve(room, exact)
	for i, step := range steps {
		if i > 0 || !told {
			a.comment(step...)
		}
		last := step[len(step)-1]
		if k, ok := a.kind(last.node).(variable); ok {
			a.run(step[:len(step)-1])
			k.append(a, last)
		} else {
			a.run(step)
		}
	}
}

// steps cuts the values of a stretch into runs of fixed kinds, each with the
// variable after it if joins says so.
func (f *fn) steps(xs []value, joins func(variable, value) bool) [][]value {
	var steps [][]value
	start := 0
	for i, x := range xs {
		k, ok := f.kind(x.node).(variable)
		if !ok {
			continue
		}
		if start < i && !joins(k, x) {
			steps = append(steps, xs[start:i])
			start = i
		}
		steps = append(steps, xs[start:i+1])
		start = i + 1
	}
	if start < len(xs) {
		steps = append(steps, xs[start:])
	}
	return steps
}

// reserve makes sure that there is room.
func (a *appender) reserve(room, exact sum) {
	if room.isZero() || a.reserved > 0 {
		return
	}
	a.settle()
	a.add(jen.If(code("len(b)-i < %v", room.code())).Block(
		code("b = spanrt.GrowAt(b, i, %v)", exact.code()),
	))
}

// run writes values of fixed size at constant offsets.
func (a *appender) run(xs []value) {
	size := 0
	for _, x := range xs {
		size += a.fixed(x.node)
	}
	if size == 0 {
		return
	}
	var to place
	switch {
	case size == 1:
		to = place{base: "b", off: a.off, step: "i"}
	case len(xs) == 1 && isWord(xs[0].node):
		to = place{tail: a.at()}
	default:
		c := a.runName(xs)
		a.do("%s := (*[%d]byte)(spanrt.At(b, %s))", c, size, a.at())
		to = place{base: c}
	}
	for _, x := range xs {
		a.kind(x.node).(fixed).put(a, x, to)
		to = to.plus(a.fixed(x.node))
	}
	a.off += size
}

// isWord reports whether n is a value that is stored and loaded at once.
func isWord(n *layout.Node) bool {
	switch n.Op {
	case layout.OpInt, layout.OpFloat, layout.OpGUID:
		return true
	case layout.OpArray:
		return isNumbers(n)
	case layout.OpTime:
		return n.Time != layout.TimeFull
	}
	return false
}

// isFixed reports whether x is a value that always takes the same number of
// bytes and is written by stores alone.
func (f *file) isFixed(x value) bool {
	_, ok := f.kind(x.node).(fixed)
	return ok
}

// call appends by an expression that returns the buffer and an error.
func (a *appender) call(_ value, call jen.Code, onError ...jen.Code) {
	a.errs = true
	a.add(jen.List(jen.Id("b"), jen.Err()).Op("=").Add(call))
	a.add(jen.If(code("err != nil")).Block(onError...))
	a.do("i, b = len(b), b[:cap(b)]")
}

// fields appends the fields from number from to to-1, leaving to the plan what
// only the plan can do.
func (a *appender) fields(from, to int) {
	all := a.unit.fields()
	var xs []value
	for k := from; k < to; k++ {
		if !a.class(all[k].Node).noWrite && !a.endsNil(k) {
			xs = append(xs, a.flatten(fieldOf(all, k))...)
			continue
		}
		a.sequence(xs)
		xs = nil
		first := k
		for k+1 < to && (a.class(all[k+1].Node).noWrite || a.endsNil(k+1)) {
			k++
		}
		a.begin()
		a.settle()
		a.comment(value{name: fieldNames(all[first : k+1])})
		a.call(value{}, code("span.PlanOf(v).AppendFields(b[:i], v, %d, %d, %s)", first, k+1, a.depth), a.within(value{})...)
	}
	a.sequence(xs)
}

// endsNil reports whether k is a field that is written by a call and may end in
// a nil pointer that takes no byte: legal only where nothing follows, which the
// called method can't know.
func (a *appender) endsNil(k int) bool {
	all := a.unit.fields()
	c := a.class(all[k].Node)
	return c.calls && all[k].Node.MayEndNil && (k < len(all)-1 || a.part)
}

// fieldNames names the fields of a step.
func fieldNames(fields []layout.Field) string {
	xs := make([]value, len(fields))
	for i := range fields {
		xs[i].name = fields[i].Name
	}
	return comment(xs)
}
