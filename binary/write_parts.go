package binary

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span"
)

// object writes what a pointer to a struct points to, nothing for nil.
func (e *Encoder) object(n *node, p ptr) {
	q, ok := mem.Load(p)
	marks := e.UseRef && n.elem.op == opStruct
	at := len(e.b)
	switch {
	case !ok && marks:
		e.WriteSize(0)
	case !ok && n.elem.empty:
	case !ok:
		e.wroteNil()
	case marks && e.referred(n.elem, q):
	case e.Handlers != nil || n.elem.op != opStruct:
		e.value(n.elem, q)
	default:
		e.structure(n.elem, q)
	}
	if ok && len(e.b) == at && e.err == nil {
		e.wroteNone(n.elem)
	}
}

// enclosing is an object on the way to the value at hand.
type enclosing struct {
	n  *node
	id uintptr
}

// referred writes a reference to an enclosing object, if the struct at p is one.
func (e *Encoder) referred(n *node, p ptr) bool {
	if n.typ.Size() == 0 {
		return false // objects without size have no identity
	}
	id := mem.Identity(p)
	for i := len(e.hosts) - 1; i >= 0; i-- {
		if h := e.hosts[i]; h.id == id && h.n.typ == n.typ {
			e.WriteSize(len(e.hosts) - i)
			return true
		}
	}
	return false
}

// marked writes a struct under Options.UseRef.
func (e *Encoder) marked(n *node, p ptr) {
	if len(e.hosts) > 0 {
		e.WriteSize(len(e.hosts) + 1)
	}
	e.hosts = append(e.hosts, enclosing{n, mem.Identity(p)})
	e.members(n, p)
	e.hosts = e.hosts[:len(e.hosts)-1]
}

// nullable writes the flag of a Nullable and its value.
func (e *Encoder) nullable(n *node, p ptr, sz sizing) {
	q, ok := mem.Load(p)
	if n.null != binaryplan.Flagged {
		e.nullOr(n, q, ok, sz)
		return
	}
	e.WriteBool(ok)
	if !ok {
		return
	}
	if n.elem.op == opGUID && e.Compat {
		e.WriteBool(ok) // NewLife writes it twice
	}
	if sz == n.sz {
		e.value(n.elem, q)
		return
	}
	e.sized(n.elem, q, sz)
}

// list writes the elements of a slice.
func (e *Encoder) list(n *node, p ptr, sz sizing) {
	count := mem.Len(p)
	switch sz.Form {
	case binaryplan.Prefixed:
		if !e.size(count, sz) {
			return
		}
	case binaryplan.Exact:
		if count > sz.N && e.Compat {
			count = sz.N
		}
		if count != sz.N && !e.Compat {
			e.fail(because(ErrRange, "%d elements, not %d", count, sz.N))
			return
		}
	}
	e.elements(n, p, count, sz)
	switch sz.Form {
	case binaryplan.Until:
		e.b = appendNumber(e.b, n.elem, uint64(sz.End)&mask(n.elem.size))
	case binaryplan.Rest:
		e.atRest()
	}
}

// errUncounted: an element that a list up to the end of the input would lose.
var errUncounted = because(ErrRange, "an element without bytes in a list that ends with the input, where it cannot be counted")

func mask(size int) uint64 { return 1<<(8*size) - 1 }

// elements writes the first count elements.
func (e *Encoder) elements(n *node, p ptr, count int, sz sizing) {
	if n.hollow(&e.settings) {
		if count > 0 && sz.Form == binaryplan.Rest {
			e.fail(errUncounted)
		}
		return
	}
	if !e.enter() {
		return
	}
	l := list(n, p)
	for i := range count {
		q, at := item(n, l, i), len(e.b)
		switch {
		case sz.Form == binaryplan.Until && bitsAt(n.elem, q) == uint64(sz.End)&mask(n.elem.size):
			e.fail(because(ErrRange, "the element is %d, which ends the list", sz.End))
		case n.elem.op == opObject || n.elem.op == opNullable || n.elem.op == opAny:
			e.reference(n.elem, q)
		case n.elem.op == opStruct && !e.UseRef && e.Handlers == nil:
			e.members(n.elem, q)
		default:
			e.value(n.elem, q)
		}
		if len(e.b) == at && e.err == nil {
			e.fail(spend(&e.idle, n.stride))
			if sz.Form == binaryplan.Rest {
				e.fail(errUncounted)
			}
		}
		if e.err != nil {
			e.at("[" + strconv.Itoa(i) + "]")
			return
		}
	}
	e.level--
}

// reference writes an element that may be nil.
func (e *Encoder) reference(n *node, p ptr) {
	switch n.op {
	case opNullable:
		if n.null != binaryplan.Flagged {
			e.nullElement(n, p)
			return
		}
		if e.Compat { // by its runtime type, which has no flag
			if q, ok := mem.Load(p); ok {
				e.value(n.elem, q)
			}
			return
		}
	case opObject:
		if _, ok := mem.Load(p); ok || n.elem.empty {
			break
		}
		if e.Compat {
			return // no type at run time, no mark
		}
		if !e.UseRef || n.elem.op != opStruct {
			e.fail(because(ErrNil, "a nil element writes nothing, so the count would be wrong"))
			return
		}
	}
	e.value(n, p)
}

// array writes a Go array: its elements, without a count.
func (e *Encoder) array(n *node, p ptr) { e.elements(n, p, n.len, sizing{}) }

// any writes a value by its own type.
func (e *Encoder) any(n *node, p ptr) {
	v := valueOf(n, p).Elem()
	switch {
	case v.IsValid():
		e.WriteValue(v.Interface())
	case !e.Compat:
		e.fail(because(ErrNil, "a nil interface writes nothing, so the count would be wrong"))
	}
}

// methods writes a value that writes itself.
func (e *Encoder) methods(n *node, p ptr) {
	v := valueOf(n, p).Addr().Interface()
	if n.op == opAccessor {
		if err := v.(Accessor).WriteBinary(e); err != nil {
			e.fail(err)
		}
		return
	}
	if o := e.spanOptions(); !e.swSet || e.swFor != o {
		e.sw.Reset(nil)
		e.sw.Configure(o)
		e.swFor, e.swSet = o, true
	}
	e.sw.Fast().Put(e.b, nil)
	v.(span.Serializable).WriteSpan(&e.sw)
	e.b = e.sw.Bytes()
	e.sw.Fast().Put(nil, nil)
	if err := e.sw.Err(); err != nil {
		e.swSet = false
		e.fail(err)
	}
}

// memberAccessor asks a struct to write one member itself.
func (e *Encoder) memberAccessor(n *node, p ptr, name string) (done bool) {
	mark, open, ends := len(e.b), e.open, e.ends
	err := valueOf(n, p).Addr().Interface().(MemberAccessor).WriteMember(e, name)
	if err != nil && unsupported(err) {
		e.b, e.open, e.ends = e.b[:mark], open, ends
		return false
	}
	e.fail(err)
	return true
}

// chained offers a value to the handlers in their order.
func (e *Encoder) chained(n *node, p ptr) {
	v, mark, open, ends := valueOf(n, p), len(e.b), e.open, e.ends
	for _, h := range e.Handlers {
		e.cur = n
		err := h.Write(e, v)
		e.cur = nil
		if err == nil {
			return
		}
		if !unsupported(err) {
			e.fail(err)
			return
		}
		e.b, e.open, e.ends = e.b[:mark], open, ends
	}
	e.fail(because(ErrUnsupported, "no handler takes a %s", n.typ))
}

// current gives the plan of a value that is offered to the chain.
func (e *Encoder) current(v reflect.Value) (*node, error) {
	if n := e.cur; n != nil && n.typ == v.Type() {
		e.cur = nil
		return n, nil
	}
	return e.plan(v.Type())
}

// errNext is what a handler answers for values that it leaves to the next.
var errNext = errors.ErrUnsupported
