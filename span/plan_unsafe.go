//go:build !purego

package span

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/spanwire/spanwire/internal/layout"
)

// Access to values by address. The walkers are written once over ptr and the
// functions of this file; plan_purego.go has the same ones over package reflect.
//
// An address is kept in variables of functions and nowhere else: it may be of a
// value on the stack, which moves when the stack grows, and only then are its
// addresses found and corrected.

// ptr is the address of a value.
type ptr = unsafe.Pointer

// place is the offset of a value in its struct.
type place struct{ off uintptr }

// and gives the place of q in the struct that is at pl.
func (pl place) and(q place) place { return place{pl.off + q.off} }

// fieldPlace gives the place of a field.
func fieldPlace(t reflect.Type, i int) place { return place{t.Field(i).Offset} }

// contiguous reports whether the value begins at end.
func (o *op) contiguous(end uintptr) bool { return o.off == end }

// valid reports whether there is a value at p.
func valid(p ptr) bool { return p != nil }

func field(p ptr, o *op) ptr { return unsafe.Add(p, o.off) }

func load8(p ptr, o *op) uint8         { return *(*uint8)(unsafe.Add(p, o.off)) }
func load16(p ptr, o *op) uint16       { return *(*uint16)(unsafe.Add(p, o.off)) }
func load32(p ptr, o *op) uint32       { return *(*uint32)(unsafe.Add(p, o.off)) }
func load64(p ptr, o *op) uint64       { return *(*uint64)(unsafe.Add(p, o.off)) }
func loadString(p ptr, o *op) string   { return *(*string)(unsafe.Add(p, o.off)) }
func loadBytes(p ptr, o *op) []byte    { return *(*[]byte)(unsafe.Add(p, o.off)) }
func loadTime(p ptr, o *op) time.Time  { return *(*time.Time)(unsafe.Add(p, o.off)) }
func loadDecimal(p ptr, o *op) Decimal { return *(*Decimal)(unsafe.Add(p, o.off)) }

func store8(p ptr, o *op, v uint8)         { *(*uint8)(unsafe.Add(p, o.off)) = v }
func store16(p ptr, o *op, v uint16)       { *(*uint16)(unsafe.Add(p, o.off)) = v }
func store32(p ptr, o *op, v uint32)       { *(*uint32)(unsafe.Add(p, o.off)) = v }
func store64(p ptr, o *op, v uint64)       { *(*uint64)(unsafe.Add(p, o.off)) = v }
func storeBool(p ptr, o *op, v bool)       { *(*bool)(unsafe.Add(p, o.off)) = v }
func storeString(p ptr, o *op, v string)   { *(*string)(unsafe.Add(p, o.off)) = v }
func storeBytes(p ptr, o *op, v []byte)    { *(*[]byte)(unsafe.Add(p, o.off)) = v }
func storeTime(p ptr, o *op, v time.Time)  { *(*time.Time)(unsafe.Add(p, o.off)) = v }
func storeDecimal(p ptr, o *op, v Decimal) { *(*Decimal)(unsafe.Add(p, o.off)) = v }

// loadComplex gives the bits of both parts.
func loadComplex(p ptr, o *op) (re, im uint64) {
	q := unsafe.Add(p, o.off)
	if o.code == cComplex64 {
		return uint64(*(*uint32)(q)), uint64(*(*uint32)(unsafe.Add(q, 4)))
	}
	return *(*uint64)(q), *(*uint64)(unsafe.Add(q, 8))
}

func storeComplex(p ptr, o *op, re, im uint64) {
	q := unsafe.Add(p, o.off)
	if o.code == cComplex64 {
		*(*uint32)(q), *(*uint32)(unsafe.Add(q, 4)) = uint32(re), uint32(im)
		return
	}
	*(*uint64)(q), *(*uint64)(unsafe.Add(q, 8)) = re, im
}

// loadRaw gives the bytes of an array.
func loadRaw(p ptr, o *op) []byte { return unsafe.Slice((*byte)(unsafe.Add(p, o.off)), o.length) }

// typed gives the value as package reflect sees it, addressable.
func typed(p ptr, o *op) reflect.Value { return reflect.NewAt(o.typ, field(p, o)).Elem() }

// pointerTo gives the address of the value as a Go pointer in an interface.
func pointerTo(p ptr, o *op) any { return reflect.NewAt(o.typ, field(p, o)).Interface() }

// holdsHidden reports no struct; see plan_purego.go.
func holdsHidden(*layout.Node) bool { return false }

// methodsAt reports whether pointerTo works; see plan_purego.go.
func methodsAt(ptr, *op) bool { return true }

// loadPointer gives what a pointer points to, and false for nil.
func loadPointer(p ptr, o *op) (ptr, bool) {
	q := *(*ptr)(unsafe.Add(p, o.off))
	return q, q != nil
}

// newPointer makes a pointer point to a new zero value and returns its address.
func newPointer(p ptr, o *op) ptr {
	q := reflect.New(o.typ.Elem()).UnsafePointer()
	*(*ptr)(unsafe.Add(p, o.off)) = q
	return q
}

// storeNil makes a pointer nil.
func storeNil(p ptr, o *op) { *(*ptr)(unsafe.Add(p, o.off)) = nil }

// storePointer makes a pointer point to q.
func storePointer(p ptr, o *op, q ptr) { *(*ptr)(unsafe.Add(p, o.off)) = q }

// identity gives the number of an address, to tell objects apart while they are
// reachable otherwise: objects on the heap do not move.
func identity(p ptr) uintptr { return uintptr(p) }

// listLen gives the length of a slice.
func listLen(p ptr, o *op) int { return (*sliceHeader)(unsafe.Add(p, o.off)).len }

// listData gives the address of the first element of a slice or array.
func listData(p ptr, o *op) ptr {
	if o.code == cArray {
		return unsafe.Add(p, o.off)
	}
	return (*sliceHeader)(unsafe.Add(p, o.off)).data
}

// elem gives the address of element i of what listData gave.
func elem(list ptr, i int, sub *program) ptr { return unsafe.Add(list, uintptr(i)*sub.size) }

// zeroElem makes element i zero.
func zeroElem(list ptr, i int, sub *program) {
	reflect.NewAt(sub.typ, elem(list, i, sub)).Elem().SetZero()
}

// setLen gives a slice length n, at most its capacity.
func setLen(p ptr, o *op, n int) { (*sliceHeader)(unsafe.Add(p, o.off)).len = n }

// listCap gives the capacity of a slice.
func listCap(p ptr, o *op) int { return (*sliceHeader)(unsafe.Add(p, o.off)).cap }

// isNil reports whether a slice or map is nil.
func isNil(p ptr, o *op) bool { return *(*ptr)(unsafe.Add(p, o.off)) == nil }

// listBytes gives the memory of n elements of a list of raw values, if it can be
// had and is what the wire holds.
func listBytes(list ptr, n int, sub *program) ([]byte, bool) {
	if !sub.raw || !littleEndian && sub.size > 1 {
		return nil, false
	}
	return unsafe.Slice((*byte)(list), n*int(sub.size)), true
}

// littleEndian tells the byte order of this machine.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// The put and get functions store and load at b[i], where there must be room.

func put8(b []byte, i int, v uint8) { *(*uint8)(at(b, i)) = v }
func put16(b []byte, i int, v uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(at(b, i))[:], v)
}
func put32(b []byte, i int, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(at(b, i))[:], v)
}
func put64(b []byte, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(at(b, i))[:], v)
}

func get8(b []byte, i int) uint8   { return *(*uint8)(at(b, i)) }
func get16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16((*[2]byte)(at(b, i))[:]) }
func get32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(at(b, i))[:]) }
func get64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at(b, i))[:]) }

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// typeWord identifies a type: the address of its descriptor.
type typeWord = unsafe.Pointer

// eface is an interface's memory.
type eface struct {
	typ  unsafe.Pointer
	data unsafe.Pointer
}

// wordOf gives the word that an interface holding a t begins with.
func wordOf(t reflect.Type) typeWord {
	x := any(t)
	return (*eface)(unsafe.Pointer(&x)).data
}

// planTable has the plans that were used last, by their type words: a type that
// is used often is found without a lock or a map.
var planTable [1 << planBits]atomic.Pointer[plan]

const planBits = 10

// planOf gives the plan of v's dynamic type; nil for a nil interface.
func planOf(v any) *plan {
	word := (*eface)(unsafe.Pointer(&v)).typ
	// Descriptors are far apart in memory but not evenly: the multiplication
	// spreads them.
	slot := &planTable[uint32(uintptr(word)>>4)*2654435769>>(32-planBits)]
	if pl := slot.Load(); pl != nil && pl.word == word {
		return pl
	}
	return lookUp(v, slot)
}

//go:noinline
func lookUp(v any, slot *atomic.Pointer[plan]) *plan {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil
	}
	pl := planFor(t)
	slot.Store(pl)
	return pl
}

// rootOf gives the address of the value that v is or points to, and false where
// a pointer on the way is nil. It is for reading from the value only: v may be
// in read-only memory.
func rootOf(pl *plan, v any) (ptr, bool) {
	p := (*eface)(unsafe.Pointer(&v)).data
	switch pl.levels {
	case 1:
	case 0:
		p = boxed(v)
	default:
		for range pl.levels - 1 {
			if p == nil {
				return nil, false
			}
			p = *(*ptr)(p)
		}
	}
	return p, p != nil
}

// boxed gives the address of a copy of v.
//
//go:noinline
func boxed(v any) ptr {
	x := reflect.New(reflect.TypeOf(v))
	x.Elem().Set(reflect.ValueOf(v))
	return x.UnsafePointer()
}

// addressOf gives the address of *v.
func addressOf[T any](v *T) ptr { return ptr(v) }

// noescape hides a pointer from escape analysis. What it points to may then be
// on the stack, so the result must not be stored in memory that outlives the
// caller's frame, nor be given to code that might do so.
//
// The way through a number is what hides it. It must not be inlined: the caller
// would keep the number in its frame, and a number is not corrected when the
// stack moves. What is returned is a pointer again, and is.
//
//go:noinline
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

func (w *Writer) hidden() *Writer { return (*Writer)(noescape(unsafe.Pointer(w))) }
func (r *Reader) hidden() *Reader { return (*Reader)(noescape(unsafe.Pointer(r))) }

// hiddenAddress is addressOf, hidden from escape analysis.
func hiddenAddress[T any](v *T) ptr { return noescape(ptr(v)) }

// valueAddress gives the address that a pointer holds.
func valueAddress(v reflect.Value) ptr { return v.UnsafePointer() }

// growList gives a slice length n. Its old elements stay.
func growList(p ptr, o *op, n int) {
	if n > listCap(p, o) {
		v := typed(p, o)
		v.Grow(n - v.Len())
	}
	setLen(p, o, n)
}

// makeEmpty makes a slice empty and not nil.
func makeEmpty(p ptr, o *op) { typed(p, o).Set(reflect.MakeSlice(o.typ, 0, 0)) }
