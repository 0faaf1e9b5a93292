package binary

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// Members that are null in .NET: pointers with the tag null, to types that are
// objects there. They have no flag. As a member nil is what the empty value is,
// and reads as nil; as an element or the value of a map it is nothing, as in
// NewLife, and so an error except under Compat.

// nullOr writes the value that a pointer points to, or the empty one for nil.
func (e *Encoder) nullOr(n *node, q ptr, ok bool, sz sizing) {
	if !ok {
		e.sized(n.elem, mem.Address(reflect.New(n.elem.typ).Elem()), sz)
		return
	}
	if !e.Compat && isEmpty(n.elem, q) {
		e.fail(because(ErrRange, "an empty %s reads as nil", n.elem.typ))
		return
	}
	e.value(n.elem, q)
}

// nullElement writes an element or the value of a map.
func (e *Encoder) nullElement(n *node, p ptr) {
	switch q, ok := mem.Load(p); {
	case ok:
		e.value(n.elem, q)
	case !e.Compat:
		e.fail(because(ErrNil, "a nil element writes nothing, so the count would be wrong"))
	}
}

// readNull reads the value that a pointer points to; the empty one of a member is
// nil.
func (d *Decoder) readNull(n *node, p ptr) {
	q, ok := mem.Load(p)
	if !ok {
		q = alloc(n, p)
	}
	d.value(n.elem, q)
	if n.null == binaryplan.NullMember && d.err == nil && isEmpty(n.elem, q) {
		mem.SetNil(p)
	}
}

// isEmpty reports a value without contents.
func isEmpty(n *node, p ptr) bool {
	v := valueOf(n, p)
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
