//go:build !purego

package binary

import (
	"reflect"
	"unsafe"
)

// Access to values by address. Everything else is written over ptr and these
// functions; mem_purego.go has the same ones over package reflect.

// ptr is the address of a value.
type ptr = unsafe.Pointer

// place is where a member is in its struct.
type place struct{ off uintptr }

// placeOf gives the place of a field, and gives that of q in what is at pl.
func placeOf(t reflect.Type, i int) place { return place{t.Field(i).Offset} }
func (pl place) and(q place) place        { return place{pl.off + q.off} }
func (pl place) in(p ptr) ptr             { return unsafe.Add(p, pl.off) }
func (pl place) is(q place) bool          { return pl.off == q.off }

// at gives the value at p, whose type has T as its underlying type.
func at[T any](p ptr) *T { return (*T)(p) }

func getBool(p ptr) bool  { return *(*bool)(p) }
func get8(p ptr) uint8    { return *(*uint8)(p) }
func get16(p ptr) uint16  { return *(*uint16)(p) }
func get32(p ptr) uint32  { return *(*uint32)(p) }
func get64(p ptr) uint64  { return *(*uint64)(p) }
func getInt(p ptr) int    { return *(*int)(p) }
func getUint(p ptr) uint  { return *(*uint)(p) }
func getStr(p ptr) string { return *(*string)(p) }
func getRaw(p ptr) []byte { return *(*[]byte)(p) }

func setBool(p ptr, v bool)  { *(*bool)(p) = v }
func set8(p ptr, v uint8)    { *(*uint8)(p) = v }
func set16(p ptr, v uint16)  { *(*uint16)(p) = v }
func set32(p ptr, v uint32)  { *(*uint32)(p) = v }
func set64(p ptr, v uint64)  { *(*uint64)(p) = v }
func setInt(p ptr, v int)    { *(*int)(p) = v }
func setUint(p ptr, v uint)  { *(*uint)(p) = v }
func setStr(p ptr, v string) { *(*string)(p) = v }
func setRaw(p ptr, v []byte) { *(*[]byte)(p) = v }

// valueOf gives the value as package reflect sees it, addressable.
func valueOf(n *node, p ptr) reflect.Value { return reflect.NewAt(n.typ, p).Elem() }

// ptrOf gives the address of an addressable value.
func ptrOf(v reflect.Value) ptr { return v.Addr().UnsafePointer() }

// pointee gives what the pointer v points to.
func pointee(v reflect.Value) ptr { return v.UnsafePointer() }

// load gives what the pointer at p points to, and false for nil.
func load(p ptr) (ptr, bool) {
	q := *(*ptr)(p)
	return q, q != nil
}

// alloc makes the pointer at p point to a new value.
func alloc(n *node, p ptr) ptr {
	q := reflect.New(n.elem.typ).UnsafePointer()
	*(*ptr)(p) = q
	return q
}

func setNil(n *node, p ptr) { *(*ptr)(p) = nil }
func setPtr(p, q ptr)       { *(*ptr)(p) = q }

// identity gives a number that tells objects apart while they are in use.
func identity(p ptr) uintptr { return uintptr(p) }

type sliceHeader struct {
	data ptr
	len  int
	cap  int
}

// listLen gives the length of the slice at p.
func listLen(p ptr) int { return (*sliceHeader)(p).len }

// list gives the elements of the slice or array at p; item gives one of them.
func list(n *node, p ptr) ptr {
	if n.op == opArray || n.op == opByteArray {
		return p
	}
	return (*sliceHeader)(p).data
}

func item(n *node, l ptr, i int) ptr { return unsafe.Add(l, n.stride*uintptr(i)) }

// array gives the bytes of the array at p.
func array(n *node, p ptr) []byte { return unsafe.Slice((*byte)(p), n.len) }

// typeID identifies the type of what an interface holds.
type typeID = unsafe.Pointer

func typeOfAny(v any) typeID { return (*[2]ptr)(unsafe.Pointer(&v))[0] }

// pointerIn gives what the pointer in v points to, and false for nil.
func pointerIn(v any) (ptr, bool) {
	p := (*[2]ptr)(unsafe.Pointer(&v))[1]
	return p, p != nil
}

// rootOf gives the address of a value that is not a pointer. It must not be
// written to.
func rootOf(v any) ptr {
	t := reflect.TypeOf(v)
	if t.Size() != unsafe.Sizeof(uintptr(0)) { // else the interface may hold the value itself
		return (*[2]ptr)(unsafe.Pointer(&v))[1]
	}
	return copyOf(v)
}

// copyOf gives the address of a copy of v.
func copyOf(v any) ptr {
	c := reflect.New(reflect.TypeOf(v))
	c.Elem().Set(reflect.ValueOf(v))
	return c.UnsafePointer()
}
