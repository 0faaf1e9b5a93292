package binary

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/mem"
)

// Values in memory are reached through package mem; here is what plans add.

type (
	ptr   = mem.Ptr
	place = mem.Place
)

// at gives the value at p, whose type has T as its underlying type.
func at[T any](p ptr) *T { return mem.At[T](p) }

// valueOf gives the value as package reflect sees it, addressable.
func valueOf(n *node, p ptr) reflect.Value { return mem.Value(n.typ, p) }

// alloc makes the pointer at p point to a new value.
func alloc(n *node, p ptr) ptr { return mem.New(n.elem.typ, p) }

// list gives the elements of the slice or array at p; item gives one of them.
func list(n *node, p ptr) ptr {
	if n.op == opArray || n.op == opByteArray {
		return p
	}
	return mem.List(p)
}

func item(n *node, l ptr, i int) ptr { return mem.Elem(l, i, n.stride) }

// array gives the bytes of the array at p.
func array(n *node, p ptr) []byte { return mem.Array(p, n.len) }
