package span

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/mem"
)

// Access to values by address. The walkers are written over ptr and the functions
// of this file, which are those of package mem at the place of an op.

type (
	// ptr is the address of a value: see package mem for what may be done with it.
	ptr = mem.Ptr
	// place is where a value is in its struct.
	place = mem.Place
	// typeWord identifies a type.
	typeWord = mem.Word
)

// contiguous reports whether the value begins at end.
func (o *op) contiguous(end uintptr) bool { return o.Begins(end) }

// valid reports whether there is a value at p.
func valid(p ptr) bool { return mem.Valid(p) }

func field(p ptr, o *op) ptr { return o.In(p) }

func load8(p ptr, o *op) uint8         { return mem.Get8(o.In(p)) }
func load16(p ptr, o *op) uint16       { return mem.Get16(o.In(p)) }
func load32(p ptr, o *op) uint32       { return mem.Get32(o.In(p)) }
func load64(p ptr, o *op) uint64       { return mem.Get64(o.In(p)) }
func loadString(p ptr, o *op) string   { return mem.GetString(o.In(p)) }
func loadBytes(p ptr, o *op) []byte    { return mem.GetBytes(o.In(p)) }
func loadTime(p ptr, o *op) time.Time  { return *mem.At[time.Time](o.In(p)) }
func loadDecimal(p ptr, o *op) Decimal { return *mem.At[Decimal](o.In(p)) }

func store8(p ptr, o *op, v uint8)         { mem.Set8(o.In(p), v) }
func store16(p ptr, o *op, v uint16)       { mem.Set16(o.In(p), v) }
func store32(p ptr, o *op, v uint32)       { mem.Set32(o.In(p), v) }
func store64(p ptr, o *op, v uint64)       { mem.Set64(o.In(p), v) }
func storeBool(p ptr, o *op, v bool)       { mem.SetBool(o.In(p), v) }
func storeString(p ptr, o *op, v string)   { mem.SetString(o.In(p), v) }
func storeBytes(p ptr, o *op, v []byte)    { mem.SetBytes(o.In(p), v) }
func storeTime(p ptr, o *op, v time.Time)  { *mem.At[time.Time](o.In(p)) = v }
func storeDecimal(p ptr, o *op, v Decimal) { *mem.At[Decimal](o.In(p)) = v }

// loadComplex gives the bits of both parts.
func loadComplex(p ptr, o *op) (re, im uint64) {
	if o.code == cComplex64 {
		re, im := mem.GetComplex64(o.In(p))
		return uint64(re), uint64(im)
	}
	return mem.GetComplex128(o.In(p))
}

func storeComplex(p ptr, o *op, re, im uint64) {
	if o.code == cComplex64 {
		mem.SetComplex64(o.In(p), uint32(re), uint32(im))
		return
	}
	mem.SetComplex128(o.In(p), re, im)
}

// loadRaw gives the bytes of an array.
func loadRaw(p ptr, o *op) []byte { return mem.Array(o.In(p), o.length) }

// typed gives the value as package reflect sees it, addressable.
func typed(p ptr, o *op) reflect.Value { return mem.Value(o.typ, o.In(p)) }

// pointerTo gives the address of the value as a Go pointer in an interface.
func pointerTo(p ptr, o *op) any { return mem.Pointer(o.typ, o.In(p)) }

// methodsAt reports whether pointerTo works.
func methodsAt(p ptr, o *op) bool { return mem.HasPointer(o.In(p)) }

// holdsHidden reports a struct that embeds a time under an unexported name, which
// package reflect neither hands out nor sets.
func holdsHidden(n *layout.Node) bool {
	if mem.Direct || n.Struct == nil {
		return false
	}
	for _, f := range n.Struct.Fields {
		if f.Node.Op == layout.OpTime && !n.Struct.Type.(reflect.Type).Field(f.Index).IsExported() {
			return true
		}
	}
	return false
}

// loadPointer gives what a pointer points to, and false for nil.
func loadPointer(p ptr, o *op) (ptr, bool) { return mem.Load(o.In(p)) }

// newPointer makes a pointer point to a new zero value and returns its address.
func newPointer(p ptr, o *op) ptr { return mem.New(o.typ.Elem(), o.In(p)) }

// storeNil makes a pointer nil.
func storeNil(p ptr, o *op) { mem.SetNil(o.In(p)) }

// storePointer makes a pointer point to q.
func storePointer(p ptr, o *op, q ptr) { mem.SetPointer(o.In(p), q) }

// identity gives the number of an address, to tell objects apart.
func identity(p ptr) uintptr { return mem.Identity(p) }

// listLen gives the length of a slice.
func listLen(p ptr, o *op) int { return mem.Len(o.In(p)) }

// listData gives what elem takes for a slice or array.
func listData(p ptr, o *op) ptr {
	if o.code == cArray {
		return o.In(p)
	}
	return mem.List(o.In(p))
}

// elem gives the address of element i of what listData gave.
func elem(list ptr, i int, sub *program) ptr { return mem.Elem(list, i, sub.size) }

// zeroElem makes element i zero.
func zeroElem(list ptr, i int, sub *program) { mem.SetZero(sub.typ, elem(list, i, sub)) }

// setLen gives a slice length n, at most its capacity.
func setLen(p ptr, o *op, n int) { mem.SetLen(o.In(p), n) }

// listCap gives the capacity of a slice.
func listCap(p ptr, o *op) int { return mem.Cap(o.In(p)) }

// isNil reports whether a slice or map is nil.
func isNil(p ptr, o *op) bool { return mem.IsNil(o.In(p)) }

// growList gives a slice length n. Its old elements stay.
func growList(p ptr, o *op, n int) { mem.Grow(o.typ, o.In(p), n) }

// makeEmpty makes a slice empty and not nil.
func makeEmpty(p ptr, o *op) { mem.SetEmpty(o.typ, o.In(p)) }

// listBytes gives the memory of n elements of a list of raw values, if it can be
// had and is what the wire holds.
func listBytes(list ptr, n int, sub *program) ([]byte, bool) {
	if !sub.raw || !littleEndian && sub.size > 1 {
		return nil, false
	}
	return mem.Raw(list, n, sub.size)
}

// littleEndian tells the byte order of this machine.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// The put and get functions store and load at b[i], where there must be room.

func put8(b []byte, i int, v uint8)   { mem.Put8(b, i, v) }
func put16(b []byte, i int, v uint16) { mem.Put16(b, i, v) }
func put32(b []byte, i int, v uint32) { mem.Put32(b, i, v) }
func put64(b []byte, i int, v uint64) { mem.Put64(b, i, v) }

func get8(b []byte, i int) uint8   { return mem.Take8(b, i) }
func get16(b []byte, i int) uint16 { return mem.Take16(b, i) }
func get32(b []byte, i int) uint32 { return mem.Take32(b, i) }
func get64(b []byte, i int) uint64 { return mem.Take64(b, i) }

// wordOf gives the word that an interface holding a t begins with.
func wordOf(t reflect.Type) typeWord { return mem.WordOfType(t) }

// planTable has the plans that were used last, by their type words: a type that
// is used often is found without a lock or a map.
var planTable [1 << planBits]atomic.Pointer[plan]

const planBits = 10

// planOf gives the plan of v's dynamic type; nil for a nil interface.
func planOf(v any) *plan {
	word := mem.WordOf(v)
	slot := &planTable[mem.Hash(word)>>(32-planBits)]
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
	if pl.levels == 0 {
		return boxed(v), true
	}
	p, ok := mem.PointerIn(v)
	for i := 1; ok && i < pl.levels; i++ {
		p, ok = mem.Load(p)
	}
	return p, ok
}

// boxed gives the address of a copy of v.
func boxed(v any) ptr { return mem.CopyOf(v) }

// addressOf gives the address of *v, hiddenAddress hides it from escape analysis.
func addressOf[T any](v *T) ptr     { return mem.AddressOf(v) }
func hiddenAddress[T any](v *T) ptr { return mem.HiddenAddress(v) }

func (w *Writer) hidden() *Writer { return mem.Hidden(w) }
func (r *Reader) hidden() *Reader { return mem.Hidden(r) }

// valueAddress gives the address that a pointer holds.
func valueAddress(v reflect.Value) ptr { return mem.Target(v) }
