//go:build purego

package span

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
)

// Access to values by package reflect: the twin of plan_unsafe.go.

// ptr is an addressable value.
type ptr = reflect.Value

// place is the way to a value in its struct: the fields to follow.
type place struct{ path []int }

// and gives the place of q in the struct that is at pl.
func (pl place) and(q place) place {
	return place{append(pl.path[:len(pl.path):len(pl.path)], q.path...)}
}

// fieldPlace gives the place of a field.
func fieldPlace(t reflect.Type, i int) place { return place{[]int{i}} }

// contiguous reports whether the value begins at end: unknown here, so that no
// program counts as raw.
func (o *op) contiguous(end uintptr) bool { return end == 0 && len(o.path) == 0 }

// valid reports whether there is a value at p.
func valid(p ptr) bool { return p.IsValid() }

func field(p ptr, o *op) ptr {
	for _, i := range o.path {
		p = p.Field(i)
	}
	return p
}

// as gives the value as a pointer to T, which must be its underlying type.
func as[T any](v reflect.Value) *T {
	if p, ok := v.Addr().Interface().(*T); ok {
		return p
	}
	return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

func load8(p ptr, o *op) uint8   { return uint8(numberBits(field(p, o))) }
func load16(p ptr, o *op) uint16 { return uint16(numberBits(field(p, o))) }
func load32(p ptr, o *op) uint32 { return uint32(numberBits(field(p, o))) }
func load64(p ptr, o *op) uint64 { return numberBits(field(p, o)) }

func loadString(p ptr, o *op) string   { return field(p, o).String() }
func loadBytes(p ptr, o *op) []byte    { return field(p, o).Bytes() }
func loadTime(p ptr, o *op) time.Time  { return *as[time.Time](field(p, o)) }
func loadDecimal(p ptr, o *op) Decimal { return *as[Decimal](field(p, o)) }

func store8(p ptr, o *op, v uint8)         { setNumberBits(field(p, o), uint64(v)) }
func store16(p ptr, o *op, v uint16)       { setNumberBits(field(p, o), uint64(v)) }
func store32(p ptr, o *op, v uint32)       { setNumberBits(field(p, o), uint64(v)) }
func store64(p ptr, o *op, v uint64)       { setNumberBits(field(p, o), v) }
func storeBool(p ptr, o *op, v bool)       { field(p, o).SetBool(v) }
func storeString(p ptr, o *op, v string)   { field(p, o).SetString(v) }
func storeBytes(p ptr, o *op, v []byte)    { field(p, o).SetBytes(v) }
func storeTime(p ptr, o *op, v time.Time)  { *as[time.Time](field(p, o)) = v }
func storeDecimal(p ptr, o *op, v Decimal) { *as[Decimal](field(p, o)) = v }

// numberBits gives the bits of a number. A float32 is not looked at by way of float64,
// which would quieten a NaN.
func numberBits(v reflect.Value) uint64 {
	switch {
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	case v.Kind() == reflect.Bool:
		return uint64(spanrt.Bool(v.Bool()))
	case v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(*as[float32](v)))
	}
	return math.Float64bits(v.Float())
}

func setNumberBits(v reflect.Value, x uint64) {
	switch {
	case v.CanInt():
		v.SetInt(extend(x, uint8(v.Type().Size())))
	case v.CanUint():
		v.SetUint(x)
	case v.Kind() == reflect.Float32:
		*as[float32](v) = math.Float32frombits(uint32(x))
	default:
		v.SetFloat(math.Float64frombits(x))
	}
}

// extend gives the integer whose two's-complement bits are the lowest size bytes
// of x.
func extend(x uint64, size uint8) int64 {
	shift := 64 - 8*size
	return int64(x<<shift) >> shift
}

// loadComplex gives the bits of both parts.
func loadComplex(p ptr, o *op) (re, im uint64) {
	if o.code == cComplex64 {
		c := *as[complex64](field(p, o))
		return uint64(math.Float32bits(real(c))), uint64(math.Float32bits(imag(c)))
	}
	c := *as[complex128](field(p, o))
	return math.Float64bits(real(c)), math.Float64bits(imag(c))
}

func storeComplex(p ptr, o *op, re, im uint64) {
	if o.code == cComplex64 {
		*as[complex64](field(p, o)) = complex(math.Float32frombits(uint32(re)), math.Float32frombits(uint32(im)))
		return
	}
	*as[complex128](field(p, o)) = complex(math.Float64frombits(re), math.Float64frombits(im))
}

// loadRaw gives the bytes of an array.
func loadRaw(p ptr, o *op) []byte { return field(p, o).Bytes() }

// typed gives the value as package reflect sees it, addressable.
func typed(p ptr, o *op) reflect.Value { return field(p, o) }

// pointerTo gives the address of the value as a Go pointer in an interface.
func pointerTo(p ptr, o *op) any { return field(p, o).Addr().Interface() }

// holdsHidden reports a struct that embeds a time under an unexported name, which
// package reflect neither hands out nor sets.
func holdsHidden(n *layout.Node) bool {
	if n.Struct == nil {
		return false
	}
	for _, f := range n.Struct.Fields {
		if f.Node.Op == layout.OpTime && !n.Struct.Type.(reflect.Type).Field(f.Index).IsExported() {
			return true
		}
	}
	return false
}

// methodsAt reports whether pointerTo works. It does not for a value embedded
// under an unexported name: package reflect lets nobody call its methods.
func methodsAt(p ptr, o *op) bool { return field(p, o).CanInterface() }

// loadPointer gives what a pointer points to, and false for nil.
func loadPointer(p ptr, o *op) (ptr, bool) {
	v := field(p, o)
	if v.IsNil() {
		return ptr{}, false
	}
	return v.Elem(), true
}

// newPointer makes a pointer point to a new zero value and returns its address.
func newPointer(p ptr, o *op) ptr {
	v := field(p, o)
	v.Set(reflect.New(v.Type().Elem()).Convert(v.Type()))
	return v.Elem()
}

// storeNil makes a pointer nil.
func storeNil(p ptr, o *op) { field(p, o).SetZero() }

// storePointer makes a pointer point to q.
func storePointer(p ptr, o *op, q ptr) {
	v := field(p, o)
	v.Set(q.Addr().Convert(v.Type()))
}

// identity gives the number of an address, to tell objects apart while they are
// reachable otherwise.
func identity(p ptr) uintptr { return p.Addr().Pointer() }

// listLen gives the length of a slice.
func listLen(p ptr, o *op) int { return field(p, o).Len() }

// listData gives what elem takes for a slice or array.
func listData(p ptr, o *op) ptr { return field(p, o) }

// elem gives element i of what listData gave.
func elem(list ptr, i int, sub *program) ptr { return list.Index(i) }

// zeroElem makes element i zero.
func zeroElem(list ptr, i int, sub *program) { list.Index(i).SetZero() }

// setLen gives a slice length n, at most its capacity.
func setLen(p ptr, o *op, n int) { field(p, o).SetLen(n) }

// listCap gives the capacity of a slice.
func listCap(p ptr, o *op) int { return field(p, o).Cap() }

// isNil reports whether a slice or map is nil.
func isNil(p ptr, o *op) bool { return field(p, o).IsNil() }

// listBytes gives the memory of n elements: here of single bytes only.
func listBytes(list ptr, n int, sub *program) ([]byte, bool) {
	if sub.size == 1 && sub.raw && list.Type().Elem().Kind() == reflect.Uint8 && n > 0 {
		return list.Bytes()[:n], true
	}
	return nil, false
}

func put8(b []byte, i int, v uint8)   { b[i] = v }
func put16(b []byte, i int, v uint16) { binary.LittleEndian.PutUint16(b[i:], v) }
func put32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[i:], v) }
func put64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }

func get8(b []byte, i int) uint8   { return b[i] }
func get16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
func get32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func get64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// typeWord identifies a type.
type typeWord = reflect.Type

func wordOf(t reflect.Type) typeWord { return t }

// planOf gives the plan of v's dynamic type; nil for a nil interface.
func planOf(v any) *plan {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil
	}
	return planFor(t)
}

// rootOf gives the value that v is or points to, and false where a pointer on
// the way is nil.
func rootOf(pl *plan, v any) (ptr, bool) {
	x := reflect.ValueOf(v)
	if pl.levels == 0 {
		return boxed(v), true
	}
	for range pl.levels {
		if x.IsNil() {
			return ptr{}, false
		}
		x = x.Elem()
	}
	return x, true
}

// boxed gives a copy of v.
func boxed(v any) ptr {
	x := reflect.New(reflect.TypeOf(v)).Elem()
	x.Set(reflect.ValueOf(v))
	return x
}

// addressOf gives *v.
func addressOf[T any](v *T) ptr { return reflect.ValueOf(v).Elem() }

// Nothing is hidden from escape analysis here.

func (w *Writer) hidden() *Writer { return w }
func (r *Reader) hidden() *Reader { return r }

func hiddenAddress[T any](v *T) ptr { return addressOf(v) }

// valueAddress gives what a pointer points to.
func valueAddress(v reflect.Value) ptr { return v.Elem() }

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
