package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// A reader makes the body of a ReadSpan. The variable b is what is in memory
// and not yet read, i the index of the next byte; the Reader itself is moved
// only at the end and before calls that use it. So whatever is out of the
// ordinary can be left to the plan, which begins again at the first field that
// the Reader has not moved past:
//
//	f := r.Fast()
//	b := f.Unread()
//	if len(b) < 22 {
//		span.PlanOf(v).Read(r, v, 0)
//		return
//	}
type reader struct {
	fn
	hasB, hasI bool
	fast       bool // f is used
	fresh      bool // b must be taken from the Reader again
	off        int  // bytes read after index i, or from the start of b
	first      int  // field that the Reader stands before
	known      int  // bytes known to be there from the next one on
	part       bool // one of several functions that share the fields of a large struct
	notNil     bool // v has been checked
	rest       int  // bytes after the stretch at hand up to the end, when no string is among them, else -1
}

// plan leaves the fields from the first one on to the plan.
func (r *reader) plan() []jen.Code {
	plan := code("span.PlanOf(v).Read(r, v, %d)", r.first)
	if r.part {
		return []jen.Code{plan, code("return false")}
	}
	return []jen.Code{plan, code("return")}
}

// cursor is a call of the FastReader f, which finish declares.
func (r *reader) cursor(format string, args ...any) *jen.Statement {
	r.fast = true
	return code("f."+format, args...)
}

// finish completes the body.
func (r *reader) finish() []jen.Code {
	r.release()
	if !r.fast {
		return *r.body
	}
	return append([]jen.Code{code("f := r.Fast()")}, *r.body...)
}

// doubt leaves the rest to the plan if a condition holds.
func (r *reader) doubt(conditions ...jen.Code) {
	switch held := r.held; {
	case len(conditions) == 0:
	case held != nil:
		r.held = nil
		held(conditions)
	default:
		r.add(jen.If(anyOf(conditions)).Block(r.plan()...))
	}
}

// expect is doubt where the next statement may add conditions of its own.
func (r *reader) expect(conditions ...jen.Code) {
	r.release()
	if len(conditions) == 0 {
		return
	}
	plan := r.plan()
	r.held = func(more []jen.Code) {
		r.add(jen.If(anyOf(append(conditions, more...))).Block(plan...))
	}
}

// look makes b what is there.
func (r *reader) look() {
	switch {
	case !r.hasB:
		r.do("b := %v", r.cursor("Unread()"))
	case r.fresh && r.hasI:
		r.do("b, i = %v, 0", r.cursor("Unread()"))
	case r.fresh:
		r.do("b = %v", r.cursor("Unread()"))
	}
	r.hasB, r.fresh = true, false
}

// at is the index of the byte n bytes on.
func (r *reader) at(n int) string {
	switch {
	case !r.hasI:
		return fmt.Sprint(r.off + n)
	case r.off+n == 0:
		return "i"
	}
	return fmt.Sprintf("i+%d", r.off+n)
}

// left is how many bytes are left.
func (r *reader) left() string {
	switch {
	case !r.hasI && r.off == 0:
		return "len(b)"
	case !r.hasI:
		return fmt.Sprintf("len(b)-%d", r.off)
	case r.off > 0:
		return fmt.Sprintf("len(b)-i-%d", r.off)
	}
	return "len(b)-i"
}

// settle makes i the index of the next byte.
func (r *reader) settle() {
	switch {
	case !r.hasI:
		r.do("i := %d", r.off)
		r.hasI = true
		r.declare("i")
	case r.off > 0:
		r.advance("i", r.off)
	}
	r.off = 0
}

// commit moves the Reader to the next byte, before the field with the number
// next.
func (r *reader) commit(next int) {
	if r.hasB && !r.fresh && (r.hasI || r.off > 0) {
		r.add(r.cursor("Skip(%s)", r.at(0)))
	}
	r.off, r.known, r.first = 0, 0, next
	r.fresh = r.hasB
}

// need leaves the rest to the plan unless n bytes are there.
func (r *reader) need(n int, also ...jen.Code) {
	if n > r.known {
		r.look()
		also = append(also, code("%s < %d", r.left(), n))
		r.known = n
	}
	r.expect(also...)
}

// sequence reads values one after the other.
func (r *reader) sequence(xs []value) {
	end := r.rest
	for len(xs) > 0 {
		n, need := 0, 0
		for n < len(xs) {
			x := xs[n]
			n++
			if k, ok := r.kind(x.node).(variable); ok && k.opens().read {
				need += k.lead(x)
				break
			}
			need += r.min(x.node)
		}
		r.rest = r.behind(xs[n:], end)
		r.stretch(xs[:n], need)
		xs = xs[n:]
	}
	r.rest = end
}

// behind returns the size of the values and of what follows them, -1 where it
// varies.
func (r *reader) behind(xs []value, end int) int {
	for _, x := range xs {
		if r.fixed(x.node) < 0 || end < 0 {
			return -1
		}
		end += r.fixed(x.node)
	}
	return end
}

// stretch reads values that take need bytes at least, except what is after the
// head of the last one.
func (r *reader) stretch(xs []value, need int) {
	steps := r.steps(xs, func(k variable, x value) bool { return k.lead(x) > 0 })
	told := r.notNil
	if told {
		r.comment(steps[0]...)
	}
	r.check(need)
	end := r.rest
	for i, step := range steps {
		if i > 0 || !told {
			r.comment(step...)
		}
		xs = xs[len(step):]
		last := step[len(step)-1]
		k, ok := r.kind(last.node).(variable)
		if ok {
			step = step[:len(step)-1]
		}
		for _, x := range step {
			need -= r.fixed(x.node)
		}
		if !ok {
			r.run(step, 0)
			continue
		}
		lead := r.run(step, k.lead(last), last)
		need -= r.min(last.node)
		if k.opens().read {
			need = 0
		}
		r.rest = r.behind(xs, end)
		k.read(r, last, lead, need)
		r.known = need
	}
	r.rest = end
}

// check makes sure that v is there and that need bytes are.
func (r *reader) check(need int) {
	switch {
	case r.notNil:
		r.need(need)
	case need == 0:
		r.checkNil()
	default:
		r.notNil = true
		r.look()
		r.need(need, code("v == nil"))
	}
}

// run reads values of fixed size at constant offsets, and returns the place of
// the lead bytes after them, which are of the next value.
func (r *reader) run(xs []value, lead int, next ...value) place {
	size := 0
	for _, x := range xs {
		size += r.fixed(x.node)
	}
	r.known = max(0, r.known-size)
	if size+lead == 0 {
		return place{}
	}
	var from place
	switch {
	case !r.hasI:
		from = place{base: "b", off: r.off}
	case size+lead == 1:
		from = place{base: "b", off: r.off, step: "i"}
	case len(xs) == 1 && lead == 0 && isWord(xs[0].node):
		from = place{tail: r.at(0)}
	default:
		c := r.runName(append(slices.Clip(xs), next...))
		r.do("%s := (*[%d]byte)(spanrt.At(b, %s))", c, size+lead, r.at(0))
		from = place{base: c}
	}
	var doubts []jen.Code
	at := from
	for _, x := range xs {
		doubts = append(doubts, r.kind(x.node).(fixed).doubt(r, x, at)...)
		at = at.plus(r.fixed(x.node))
	}
	r.doubt(doubts...)
	for _, x := range xs {
		r.kind(x.node).(fixed).get(r, x, from)
		from = from.plus(r.fixed(x.node))
		r.off += r.fixed(x.node)
	}
	return from
}

// take assigns the number that stands in the lead to a variable, after which
// the next byte is size bytes on.
func (r *reader) take(name string, number any, size int) {
	next := r.at(size)
	switch {
	case !r.hasI || r.declared(name):
		op := ":="
		if r.hasI {
			op = "="
		}
		r.do("%s, i %s %v, %s", name, op, number, next)
	case r.here("i"):
		r.do("%s, i := %v, %s", name, number, next)
	default:
		r.do("%s := %v", name, number)
		r.advance("i", r.off+size)
	}
	if !r.declared(name) {
		r.declare(name)
	}
	if !r.hasI {
		r.declare("i")
	}
	r.hasI, r.off = true, 0
}

// length reads a length or count, which stands in the lead, into a variable. It
// returns the conditions under which it is sure to be too large, besides that
// of the bytes that are left.
func (r *reader) length(name string, n *layout.Node, lead place) []jen.Code {
	var doubts []jen.Code
	switch n.Prefix {
	case 1:
		r.take(name, fmt.Sprintf("int(%s)", lead.byte()), 1)
	case 2:
		r.take(name, code("int(spanrt.GetUint16(%v))", lead.bytes()), 2)
	case 4:
		r.take(name, code("int(spanrt.GetUint32(%v))", lead.bytes()), 4)
		doubts = append(doubts, code("uint(%s) > spanrt.MaxLength", name))
	default:
		r.take(name, fmt.Sprintf("int(%s)", lead.byte()), 1)
		r.add(jen.If(code("%s >= 0x80", name)).Block(code("%s, i = spanrt.LongLength(b, i)", name)))
	}
	if most := r.most(n); most != layout.Unlimited {
		doubts = append(doubts, code("%s > %d", name, most))
	}
	return doubts
}
