//go:build purego

package mem

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
)

// The twin of mem_unsafe.go, which describes the functions.

// Direct reports that values are reached by address: here they are not.
const Direct = false

// Ptr is an addressable value.
type Ptr = reflect.Value

// Place is the way to a value in its struct: the fields to follow.
type Place struct{ path []int }

// PlaceOf returns the place of a field.
func PlaceOf(t reflect.Type, i int) Place { return Place{[]int{i}} }

// And returns the place of q in the struct that is at pl.
func (pl Place) And(q Place) Place {
	return Place{append(pl.path[:len(pl.path):len(pl.path)], q.path...)}
}

// In returns the member in the struct p.
func (pl Place) In(p Ptr) Ptr {
	for _, i := range pl.path {
		p = p.Field(i)
	}
	return p
}

// Is reports whether both are the same place.
func (pl Place) Is(q Place) bool { return slices.Equal(pl.path, q.path) }

// Begins reports whether the member begins at end, which is known of the first
// one alone.
func (pl Place) Begins(end uintptr) bool { return end == 0 && len(pl.path) == 0 }

func Valid(p Ptr) bool { return p.IsValid() }

func At[T any](p Ptr) *T {
	if q, ok := p.Addr().Interface().(*T); ok {
		return q
	}
	return p.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

func GetBool(p Ptr) bool     { return p.Bool() }
func Get8(p Ptr) uint8       { return uint8(Get64(p)) }
func Get16(p Ptr) uint16     { return uint16(Get64(p)) }
func Get32(p Ptr) uint32     { return uint32(Get64(p)) }
func GetInt(p Ptr) int       { return int(p.Int()) }
func GetUint(p Ptr) uint     { return uint(p.Uint()) }
func GetString(p Ptr) string { return p.String() }
func GetBytes(p Ptr) []byte  { return p.Bytes() }

// Get64 returns the bits of any number. A float32 is not looked at by way of
// float64, which would quieten a NaN.
func Get64(p Ptr) uint64 {
	switch {
	case p.CanInt():
		return uint64(p.Int())
	case p.CanUint():
		return p.Uint()
	case p.Kind() == reflect.Float32:
		return uint64(math.Float32bits(*At[float32](p)))
	case p.Kind() == reflect.Bool:
		if p.Bool() {
			return 1
		}
		return 0
	}
	return math.Float64bits(p.Float())
}

func SetBool(p Ptr, v bool)     { p.SetBool(v) }
func Set8(p Ptr, v uint8)       { Set64(p, uint64(v)) }
func Set16(p Ptr, v uint16)     { Set64(p, uint64(v)) }
func Set32(p Ptr, v uint32)     { Set64(p, uint64(v)) }
func SetInt(p Ptr, v int)       { p.SetInt(int64(v)) }
func SetUint(p Ptr, v uint)     { p.SetUint(uint64(v)) }
func SetString(p Ptr, v string) { p.SetString(v) }
func SetBytes(p Ptr, v []byte)  { p.SetBytes(v) }

// Set64 stores the lowest bits of v that the number has.
func Set64(p Ptr, v uint64) {
	switch {
	case p.CanInt():
		shift := 64 - 8*p.Type().Size()
		p.SetInt(int64(v<<shift) >> shift)
	case p.CanUint():
		p.SetUint(v)
	case p.Kind() == reflect.Float32:
		*At[float32](p) = math.Float32frombits(uint32(v))
	default:
		p.SetFloat(math.Float64frombits(v))
	}
}

func GetComplex64(p Ptr) (re, im uint32) {
	c := *At[complex64](p)
	return math.Float32bits(real(c)), math.Float32bits(imag(c))
}

func GetComplex128(p Ptr) (re, im uint64) {
	c := *At[complex128](p)
	return math.Float64bits(real(c)), math.Float64bits(imag(c))
}

func SetComplex64(p Ptr, re, im uint32) {
	*At[complex64](p) = complex(math.Float32frombits(re), math.Float32frombits(im))
}

func SetComplex128(p Ptr, re, im uint64) {
	*At[complex128](p) = complex(math.Float64frombits(re), math.Float64frombits(im))
}

func Array(p Ptr, n int) []byte { return p.Bytes() }

func Value(t reflect.Type, p Ptr) reflect.Value { return p }
func Pointer(t reflect.Type, p Ptr) any         { return p.Addr().Interface() }

// HasPointer reports whether Pointer works. It does not for a value embedded under
// an unexported name: package reflect lets nobody call its methods.
func HasPointer(p Ptr) bool { return p.CanInterface() }

func Address(v reflect.Value) Ptr { return v }
func Target(v reflect.Value) Ptr  { return v.Elem() }

func Load(p Ptr) (Ptr, bool) {
	if p.IsNil() {
		return Ptr{}, false
	}
	return p.Elem(), true
}

func New(elem reflect.Type, p Ptr) Ptr {
	p.Set(reflect.New(elem).Convert(p.Type()))
	return p.Elem()
}

func SetNil(p Ptr)        { p.SetZero() }
func SetPointer(p, q Ptr) { p.Set(q.Addr().Convert(p.Type())) }
func IsNil(p Ptr) bool    { return p.IsNil() }

func Identity(p Ptr) uintptr { return p.Addr().Pointer() }

func Len(p Ptr) int       { return p.Len() }
func Cap(p Ptr) int       { return p.Cap() }
func SetLen(p Ptr, n int) { p.SetLen(n) }
func List(p Ptr) Ptr      { return p }

func Elem(list Ptr, i int, size uintptr) Ptr { return list.Index(i) }

// Raw returns the memory of n elements: here of single bytes only.
func Raw(list Ptr, n int, size uintptr) ([]byte, bool) {
	if list.Type().Elem().Kind() != reflect.Uint8 || n == 0 {
		return nil, false
	}
	return list.Bytes()[:n], true
}

// Word identifies a type.
type Word = reflect.Type

func WordOf(v any) Word              { return reflect.TypeOf(v) }
func WordOfType(t reflect.Type) Word { return t }
func Hash(w Word) uint32             { return uint32(reflect.ValueOf(w).Pointer()>>4) * 2654435769 }

func PointerIn(v any) (Ptr, bool) { return Load(reflect.ValueOf(v)) }
func Root(v any) Ptr              { return CopyOf(v) }

func AddressOf[T any](v *T) Ptr { return reflect.ValueOf(v).Elem() }

// Nothing is hidden from escape analysis here.

func HiddenAddress[T any](v *T) Ptr { return AddressOf(v) }
func Hidden[T any](v *T) *T         { return v }

func Put8(b []byte, i int, v uint8)   { b[i] = v }
func Put16(b []byte, i int, v uint16) { binary.LittleEndian.PutUint16(b[i:], v) }
func Put32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[i:], v) }
func Put64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }

func Take8(b []byte, i int) uint8   { return b[i] }
func Take16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
func Take32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func Take64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
