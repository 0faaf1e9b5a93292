package span

import (
	"github.com/spanwire/spanwire/internal/layout"
)

// What generated code calls when something is out of the ordinary: the type's
// plan takes over, for a whole value or for some of its fields. T is the type
// that the generated methods belong to; fields are numbered as on the wire, in
// the order of the plan's fields, those that the format skips not counted.
//
// None of these functions but ReadRoot lets its pointers escape: a caller's
// Reader, Writer or value on the stack stays there. Where the plan calls nothing
// but code of this package, the pointers are simply hidden from escape analysis:
// the walkers keep them in variables only. A method that somebody else wrote may
// keep its receiver or the cursor, so where the plan calls one, the value and the
// cursor are copied to the heap and copied back. What the value points to is on
// the heap anyway, because that copy is one that escape analysis sees.
//
// Depth: a type that lies on a type cycle counts one level. AppendPlan,
// WritePlan and SizePlan count it for v, as the methods of T that they stand for
// do; AppendFields, ReadPlan and ReadFields work inside a value that has been
// entered already, so they count levels below it only.
//
// Numbering: a type below which there are shared objects is written and read by
// its plan as a whole, because each call here has a numbering of its own.

// typePlan gives the plan of T.
func typePlan[T any]() *plan { return planOf((*T)(nil)) }

// AppendPlan appends v as its plan writes it, depth levels having been entered
// around it. On an error it returns dst as it was given. A nil v is ErrNil.
func AppendPlan[T any](dst []byte, v *T, depth int) ([]byte, error) {
	pl := typePlan[T]()
	switch {
	case pl.err != nil:
		return dst, noPlan("marshal", pl)
	case v == nil:
		return dst, nilRoot("marshal", pl.typ)
	case pl.user:
		w := getWriter(dst, depth)
		defer w.put()
		w.message(pl, pl.first(), addressOf(clone(v)), idOf(pl, hiddenAddress(v)))
		return w.result(dst)
	}
	var w Writer
	w.b, w.st = dst, writerStatus(depth)*wDepth
	p := hiddenAddress(v)
	w.hidden().message(pl, pl.first(), p, idOf(pl, p))
	return w.result(dst) // through w, which keeps its place in the frame
}

// AppendFields appends the fields from to to-1 of the struct v, which has been
// entered as level depth. On an error it returns b as it was given.
func AppendFields[T any](b []byte, v *T, from, to, depth int) ([]byte, error) {
	pl := typePlan[T]()
	switch {
	case pl.err != nil:
		return b, noPlan("marshal", pl)
	case v == nil:
		return b, nilRoot("marshal", pl.typ)
	case pl.user:
		w := getWriter(b, depth)
		defer w.put()
		w.fields(pl, addressOf(clone(v)), from, to)
		return w.result(b)
	}
	var w Writer
	w.b, w.st = b, writerStatus(depth)*wDepth
	w.hidden().fields(pl, hiddenAddress(v), from, to)
	return w.result(b)
}

// SizePlan returns the number of bytes that AppendPlan appends; unspecified for
// values that it refuses.
func SizePlan[T any](v *T) int {
	pl := typePlan[T]()
	if v == nil || pl.err != nil {
		return 0
	}
	pr := pl.first()
	if pr.fixed >= 0 {
		return pr.fixed
	}
	p := hiddenAddress(v)
	if pl.user {
		p = addressOf(clone(v))
	}
	return measure(func(w *Writer) { w.message(pl, pr, p, idOf(pl, p)) })
}

// SizeFields returns the number of bytes that AppendFields appends; unspecified
// for values that it refuses.
func SizeFields[T any](v *T, from, to int) int {
	pl := typePlan[T]()
	if v == nil || pl.err != nil {
		return 0
	}
	p := hiddenAddress(v)
	if pl.user {
		p = addressOf(clone(v))
	}
	return measure(func(w *Writer) { w.fields(pl, p, from, to) })
}

// WritePlan writes v as its plan does, under all options of w.
func WritePlan[T any](w *Writer, v *T) {
	pl := typePlan[T]()
	switch {
	case w.st&wFailed != 0:
	case pl.err != nil:
		w.Fail(noPlan("marshal", pl))
	case v == nil:
		w.Fail(errNilRoot)
	case pl.user:
		h := *w
		c := &h
		c.message(pl, c.program(pl), addressOf(clone(v)), idOf(pl, hiddenAddress(v)))
		*w = *c
	default:
		h, p := w.hidden(), hiddenAddress(v)
		h.message(pl, h.program(pl), p, idOf(pl, p))
	}
}

// ReadPlan reads the fields of v from number from to the last, from the cursor
// on, under all options of r. Where T is no struct, from is 0 and v is read. From
// -1 stands for all that the type's ReadSpan reads: the length of a sized type
// and a level of depth are part of it.
func ReadPlan[T any](r *Reader, v *T, from int) { ReadFields(r, v, from, -1) }

// ReadFields reads the fields from to to-1 of the struct v.
func ReadFields[T any](r *Reader, v *T, from, to int) {
	pl := typePlan[T]()
	switch {
	case r.st&rFailed != 0:
	case pl.err != nil:
		r.Fail(noPlan("unmarshal", pl))
	case v == nil:
		r.Fail(errNilRoot)
	case pl.rooted:
		r.Fail(errRooted)
	case pl.user:
		h, x := *r, clone(v)
		c := &h
		c.fields(pl, addressOf(x), from, to)
		*r, *v = *c, *x
	default:
		r.hidden().fields(pl, hiddenAddress(v), from, to)
	}
}

// ReadRoot is ReadPlan for a type that its own shared pointers may lead to: they
// keep v, so v escapes.
func ReadRoot[T any](r *Reader, v *T) {
	pl := typePlan[T]()
	switch {
	case r.st&rFailed != 0:
	case pl.err != nil:
		r.Fail(noPlan("unmarshal", pl))
	case v == nil:
		r.Fail(errNilRoot)
	case pl.user:
		h := *r
		c := &h
		c.message(pl, c.program(pl), addressOf(v))
		*r = *c
	default:
		h := r.hidden()
		h.message(pl, h.program(pl), addressOf(v))
	}
}

// errRooted is the reason for generated code that would keep a pointer to a
// value on the stack.
var errRooted = because(ErrUnsupported, "shared pointers lead to the root, which needs ReadRoot")

// clone copies *v to the heap.
//
//go:noinline
func clone[T any](v *T) *T {
	c := new(T)
	*c = *v
	return c
}

// idOf tells the root from other objects where the plan asks.
func idOf(pl *plan, p ptr) uintptr {
	if !pl.rooted {
		return 0
	}
	return identity(p)
}

// program gives the program for the options of w.
func (w *Writer) program(pl *plan) *program {
	if w.st&wSlow == 0 {
		return pl.first()
	}
	return pl.under(&w.x.opts)
}

// program gives the program for the options of r.
func (r *Reader) program(pl *plan) *program {
	if r.st&rSlow == 0 {
		return pl.first()
	}
	return pl.under(&r.x.opts)
}

// structProgram gives the program that has the fields of the type.
func (pr *program) structProgram() *program {
	if pr.node.Op == layout.OpSized {
		return pr.ops[0].sub
	}
	return pr
}

// fields writes some fields of the struct at p. When they end in a nil pointer
// that writes nothing, no field behind them may take a byte.
func (w *Writer) fields(pl *plan, p ptr, from, to int) {
	pr := w.program(pl).structProgram()
	if !pr.struc {
		w.message(pl, pr, p, 0)
		return
	}
	begin := w.Len()
	first, behind := pr.part(from, to)
	w.run(pr.ones[first:behind], p)
	if w.st&(wEnded|wFailed) == wEnded {
		rest := measure(func(c *Writer) { c.run(pr.ones[behind:], p) })
		if rest > 0 || w.Len() != w.nilAt {
			w.findNil(pr.ones[first:], p, begin)
		}
	}
	if w.st&wFailed != 0 {
		before := measure(func(c *Writer) { c.run(pr.ones[:first], p) })
		w.x.err.Offset -= begin - int64(before)
		w.x.err.of(pl)
	}
}

// part gives the operations of the fields from to to-1; to below 0 stands for
// all that are left.
func (pr *program) part(from, to int) (first, behind int) {
	last := len(pr.starts) - 1
	if to < 0 || to > last {
		to = last
	}
	from = min(max(from, 0), to)
	return pr.starts[from], pr.starts[to]
}

// fields reads some fields of the struct at p, or the whole value.
func (r *Reader) fields(pl *plan, p ptr, from, to int) {
	pr := r.program(pl)
	switch s := pr.structProgram(); {
	case from < 0:
		r.message(pl, pr, p)
		return
	case s.struc && from == 0 && to < 0:
		r.run(s.ops, s.ones, p)
	case s.struc:
		first, behind := s.part(from, to)
		part := s.ones[first:behind]
		r.run(part, part, p)
	default:
		r.run(pr.ops, pr.ones, p)
	}
	if r.st&rFailed != 0 {
		r.x.err.of(pl)
	}
}

// measure gives the number of bytes that write writes.
func measure(write func(*Writer)) int {
	var w Writer
	c := w.hidden().counter()
	write(&c.Writer)
	n := c.Len()
	c.release()
	return int(n)
}

// AtIndex puts field[i] in front of the error's path, and does nothing while
// there is no error.
func (r *Reader) AtIndex(field string, i int) {
	if r.st&rFailed != 0 {
		r.x.err.within(field + Index(i))
	}
}

// WithinIndex is Within for element i of a field.
func WithinIndex(err error, field string, i, before int) error {
	return Within(err, field+Index(i), before)
}

// Serializable is implemented by types that write and read themselves. Both
// methods report errors through the cursor.
//
// A type that implements it by hand is written inline, as whatever WriteSpan
// writes; ReadSpan must read exactly that. The receiver of both is a pointer.
// Neither may keep the cursor beyond the call.
type Serializable interface {
	WriteSpan(*Writer)
	ReadSpan(*Reader)
}
