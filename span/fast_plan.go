package span

import (
	"slices"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
)

// Plan is for generated code only: it is what that calls when something is out of
// the ordinary. The type's plan takes over, for a whole value or for some of its
// fields. T is the type that the generated methods belong to; fields are numbered
// as on the wire, in the order of the plan's fields, those that the format skips
// not counted. [PlanOf] returns it.
//
// None of its methods but ReadRoot lets its pointers escape: a caller's
// Reader, Writer or value on the stack stays there. Where the plan calls nothing
// but code of this package, the pointers are simply hidden from escape analysis:
// the walkers keep them in variables only. A method that somebody else wrote may
// keep its receiver or the cursor, so where the plan calls one, the value and the
// cursor are copied to the heap and copied back. What the value points to is on
// the heap anyway, because that copy is one that escape analysis sees.
//
// Depth: a type that lies on a type cycle counts one level. Append,
// Write and Size count it for v, as the methods of T that they stand for
// do; AppendFields, Read and ReadFields work inside a value that has been
// entered already, so they count levels below it only.
//
// Numbering: a type below which there are shared objects is written and read by
// its plan as a whole, because each call here has a numbering of its own.
type Plan[T any] struct{}

// PlanOf is for generated code only: it returns the Plan of the type that its
// argument points to.
func PlanOf[T any](*T) Plan[T] { return Plan[T]{} }

// typePlan gives the plan of T.
func typePlan[T any]() *plan { return planOf((*T)(nil)) }

// borrow gives the address of *v for a walk that keeps no pointer, or that of a
// copy on the heap where the plan calls methods that might.
func borrow[T any](pl *plan, v *T) ptr {
	if pl.user {
		return addressOf(clone(v))
	}
	return hiddenAddress(v)
}

// clone copies *v to the heap.
//
//go:noinline
func clone[T any](v *T) *T {
	if v == nil {
		return nil
	}
	c := new(T)
	*c = *v
	return c
}

// Append appends v as its plan writes it, depth levels having been entered
// around it. On an error it returns dst as it was given. A nil v is ErrNil.
func (Plan[T]) Append(dst []byte, v *T, depth int) ([]byte, error) {
	pl := typePlan[T]()
	return appendPlan(pl, dst, borrow(pl, v), idOf(pl, hiddenAddress(v)), depth)
}

// AppendFields appends the fields from to to-1 of the struct v, which has been
// entered as level depth. On an error, which counts from there, it returns b as it
// was given.
func (Plan[T]) AppendFields(b []byte, v *T, from, to, depth int) ([]byte, error) {
	pl := typePlan[T]()
	return appendFields(pl, b, borrow(pl, v), from, to, depth)
}

// Shares reports a type with shared pointers, which are numbered over a whole
// message. Of generic types generated code can't know it before.
func (Plan[T]) Shares() bool { return typePlan[T]().shares }

// Size returns the number of bytes that Append appends; unspecified for
// values that it refuses.
func (Plan[T]) Size(v *T) int {
	pl := typePlan[T]()
	return sizePlan(pl, borrow(pl, v), idOf(pl, hiddenAddress(v)))
}

// SizeFields returns the number of bytes that AppendFields appends; unspecified
// for values that it refuses.
func (Plan[T]) SizeFields(v *T, from, to int) int {
	pl := typePlan[T]()
	return sizeFields(pl, borrow(pl, v), from, to)
}

// Write writes v as its plan does, under all options of w.
func (Plan[T]) Write(w *Writer, v *T) {
	pl := typePlan[T]()
	writePlan(pl, w, borrow(pl, v), idOf(pl, hiddenAddress(v)))
}

// Read reads the fields of v from number from to the last, from the cursor
// on, under all options of r. Where T is no struct, from is 0 and v is read. From
// -1 stands for all that the type's ReadSpan reads: the length of a sized type
// and a level of depth are part of it.
func (p Plan[T]) Read(r *Reader, v *T, from int) { p.ReadFields(r, v, from, -1) }

// ReadFields reads the fields from to to-1 of the struct v.
func (Plan[T]) ReadFields(r *Reader, v *T, from, to int) {
	pl := typePlan[T]()
	if !pl.user {
		readFields(pl, r, hiddenAddress(v), from, to)
		return
	}
	x := clone(v)
	readCopied(pl, r, addressOf(x), from, to)
	if v != nil {
		*v = *x
	}
}

// ReadRoot is Read from -1 for a type that its own shared pointers may lead
// to: they keep v, so v escapes.
func (Plan[T]) ReadRoot(r *Reader, v *T) {
	pl := typePlan[T]()
	if pl.user {
		readCopied(pl, r, addressOf(v), -1, rootToo)
	} else {
		readFields(pl, r, addressOf(v), -1, rootToo)
	}
}

// rootToo stands for all fields, and for an address that may be kept.
const rootToo = -2

// Within puts a step in front of the path of an error that AppendSpan of a
// nested value gave, before bytes behind the start of the enclosing one.
func (p Plan[T]) Within(err error, step string, before int) error {
	e, ok := own(err)
	if !ok {
		e = &Error{Op: "marshal", Err: err}
	}
	e.within(step)
	e.settle()
	if e.Offset >= 0 {
		e.Offset += int64(before)
	}
	return e
}

// WithinIndex is Within for element i of a field.
func (p Plan[T]) WithinIndex(err error, field string, i, before int) error {
	return p.Within(err, field+spanrt.Index(i), before)
}

// WithinSteps is Within for several steps, from the outermost to the innermost.
func (p Plan[T]) WithinSteps(err error, before int, steps ...string) error {
	for _, step := range slices.Backward(steps[1:]) {
		err = p.Within(err, step, 0)
	}
	return p.Within(err, steps[0], before)
}

// Refused is Within for the error of a marshaler method.
func (p Plan[T]) Refused(err error, step string, before int) error {
	return p.RefusedSteps(err, before, step)
}

// RefusedSteps is WithinSteps for the error of a marshaler method. One of this
// package is about a message of its own and keeps its offset.
func (p Plan[T]) RefusedSteps(err error, before int, steps ...string) error {
	if _, ok := err.(*Error); ok {
		before = 0
	}
	return p.WithinSteps(err, before, steps...)
}

// Key returns the path step of a map's value, ["name"] or [3], whose key is k.
func (Plan[T]) Key(k T) string {
	if pl := typePlan[T](); pl.err == nil {
		return keyStep(pl.first(), addressOf(&k))
	}
	return badKey
}

// Hash returns a number that changes with what the struct T looks like on
// the wire, 0 where it has no wire form. Generated tests compare it.
func (Plan[T]) Hash() uint64 {
	pl := typePlan[T]()
	if pl.err != nil {
		return 0
	}
	n := pl.node
	if n.Op == layout.OpSized {
		n = n.Elem
	}
	if n.Struct == nil {
		return 0
	}
	return n.Struct.Hash()
}
