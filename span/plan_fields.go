package span

import "github.com/spanwire/spanwire/internal/layout"

// The functions of generated_plan.go without their type parameters. They hide
// their cursors from escape analysis, or copy them to the heap, as is described
// there.

func appendPlan(pl *plan, dst []byte, p ptr, id uintptr, depth int) ([]byte, error) {
	switch {
	case pl.err != nil:
		return dst, noPlan("marshal", pl)
	case !valid(p):
		return dst, nilRoot("marshal", pl.typ)
	case pl.user:
		w := getWriter(dst, depth)
		defer w.put()
		w.guarded(pl, func() { w.message(pl, pl.first(), p, id) })
		return w.result(dst)
	}
	var w Writer
	w.b, w.st = dst, writerStatus(depth)*wDepth
	h := w.hidden()
	h.message(pl, pl.first(), p, id)
	return h.result(dst)
}

func appendFields(pl *plan, b []byte, p ptr, from, to, depth int) ([]byte, error) {
	switch {
	case pl.err != nil:
		return b, noPlan("marshal", pl)
	case !valid(p):
		return b, nilRoot("marshal", pl.typ)
	case pl.user:
		w := getWriter(b, depth)
		defer w.put()
		w.fields(pl, p, from, to)
		return w.result(b)
	}
	var w Writer
	w.b, w.st = b, writerStatus(depth)*wDepth
	h := w.hidden()
	h.fields(pl, p, from, to)
	return h.result(b)
}

func sizePlan(pl *plan, p ptr, id uintptr) int {
	if pl.err != nil || !valid(p) {
		return 0
	}
	pr := pl.first()
	if pr.fixed >= 0 {
		return pr.fixed
	}
	return measure(func(w *Writer) {
		w.guarded(pl, func() { w.message(pl, pr, p, id) })
	})
}

func sizeFields(pl *plan, p ptr, from, to int) int {
	if pl.err != nil || !valid(p) {
		return 0
	}
	return measure(func(w *Writer) { w.fields(pl, p, from, to) })
}

func writePlan(pl *plan, w *Writer, p ptr, id uintptr) {
	switch {
	case w.st&wFailed != 0:
	case pl.err != nil:
		w.Fail(noPlan("marshal", pl))
	case !valid(p):
		w.Fail(errNilRoot)
	case pl.user:
		h := *w
		c := &h
		c.guarded(pl, func() { c.message(pl, c.program(pl), p, id) })
		*w = *c
	default:
		h := w.hidden()
		h.message(pl, h.program(pl), p, id)
	}
}

func readFields(pl *plan, r *Reader, p ptr, from, to int) {
	if r.accepts(pl, p, to) {
		r.hidden().fields(pl, p, from, to)
	}
}

// readCopied is readFields for plans that call methods which may keep the Reader.
func readCopied(pl *plan, r *Reader, p ptr, from, to int) {
	if r.accepts(pl, p, to) {
		h := *r
		c := &h
		c.guarded(pl, func() { c.fields(pl, p, from, to) })
		*r = *c
	}
}

// accepts reports whether the plan can read into p, and fails the Reader if not.
func (r *Reader) accepts(pl *plan, p ptr, to int) bool {
	switch {
	case r.st&rFailed != 0:
	case pl.err != nil:
		r.Fail(noPlan("unmarshal", pl))
	case !valid(p):
		r.Fail(errNilRoot)
	case pl.rooted && to != rootToo:
		r.Fail(errRooted)
	}
	return r.st&rFailed == 0
}

// errRooted is the reason for generated code that would keep a pointer to a
// value on the stack.
var errRooted = because(ErrUnsupported, "shared pointers lead to the root, which needs Plan.ReadRoot")

// idOf tells the root from other objects where the plan asks.
func idOf(pl *plan, p ptr) uintptr {
	if !pl.rooted || !valid(p) {
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
	begin := w.offset()
	first, behind := pr.part(from, to)
	w.run(pr.ones[first:behind], p)
	if w.st&wEnded != 0 {
		rest := 0
		if w.st&wFailed == 0 {
			rest = measure(func(c *Writer) { c.run(pr.ones[behind:], p) })
		}
		if rest > 0 || w.reached() != w.nilAt {
			w.findNil(pr.ones[first:], p, begin)
		}
	}
	if w.st&wFailed != 0 {
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
	n := c.offset()
	c.release()
	return int(n)
}
