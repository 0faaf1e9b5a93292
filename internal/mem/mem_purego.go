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

// Valid reports whether there is a value at p.
func Valid(p Ptr) bool { return p.IsValid() }

// At returns the value at p, whose type has T as its underlying type.
func At[T any](p Ptr) *T {
	if q, ok := p.Addr().Interface().(*T); ok {
		return q
	}
	return p.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// GetBool returns the bool at p.
func GetBool(p Ptr) bool { return p.Bool() }

// Get8 returns the bits of the number of 8 bits at p.
func Get8(p Ptr) uint8 { return uint8(Get64(p)) }

// Get16 returns the bits of the number of 16 bits at p.
func Get16(p Ptr) uint16 { return uint16(Get64(p)) }

// Get32 returns the bits of the number of 32 bits at p.
func Get32(p Ptr) uint32 { return uint32(Get64(p)) }

// GetInt returns the int at p.
func GetInt(p Ptr) int { return int(p.Int()) }

// GetUint returns the uint at p.
func GetUint(p Ptr) uint { return uint(p.Uint()) }

// GetString returns the string at p.
func GetString(p Ptr) string { return p.String() }

// GetBytes returns the slice of bytes at p.
func GetBytes(p Ptr) []byte { return p.Bytes() }

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

// SetBool stores a bool at p.
func SetBool(p Ptr, v bool) { p.SetBool(v) }

// Set8 stores the bits of a number of 8 bits at p.
func Set8(p Ptr, v uint8) { Set64(p, uint64(v)) }

// Set16 stores the bits of a number of 16 bits at p.
func Set16(p Ptr, v uint16) { Set64(p, uint64(v)) }

// Set32 stores the bits of a number of 32 bits at p.
func Set32(p Ptr, v uint32) { Set64(p, uint64(v)) }

// SetInt stores a int at p.
func SetInt(p Ptr, v int) { p.SetInt(int64(v)) }

// SetUint stores a uint at p.
func SetUint(p Ptr, v uint) { p.SetUint(uint64(v)) }

// SetString stores a string at p.
func SetString(p Ptr, v string) { p.SetString(v) }

// SetBytes stores a slice of bytes at p.
func SetBytes(p Ptr, v []byte) { p.SetBytes(v) }

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

// GetComplex64 returns the bits of both parts.
func GetComplex64(p Ptr) (re, im uint32) {
	c := *At[complex64](p)
	return math.Float32bits(real(c)), math.Float32bits(imag(c))
}

// GetComplex128 returns the bits of both parts.
func GetComplex128(p Ptr) (re, im uint64) {
	c := *At[complex128](p)
	return math.Float64bits(real(c)), math.Float64bits(imag(c))
}

// SetComplex64 is the opposite of GetComplex64.
func SetComplex64(p Ptr, re, im uint32) {
	*At[complex64](p) = complex(math.Float32frombits(re), math.Float32frombits(im))
}

// SetComplex128 is the opposite of GetComplex128.
func SetComplex128(p Ptr, re, im uint64) {
	*At[complex128](p) = complex(math.Float64frombits(re), math.Float64frombits(im))
}

// Array returns the bytes of the array of n bytes at p.
func Array(p Ptr, n int) []byte { return p.Bytes() }

// Value returns the value of type t at p as package reflect sees it, addressable.
func Value(t reflect.Type, p Ptr) reflect.Value { return p }

// Pointer returns p as a Go pointer to a t in an interface.
func Pointer(t reflect.Type, p Ptr) any { return p.Addr().Interface() }

// HasPointer reports whether Pointer works. It does not for a value embedded under
// an unexported name: package reflect lets nobody call its methods.
func HasPointer(p Ptr) bool { return p.CanInterface() }

// Address returns the address of an addressable value.
func Address(v reflect.Value) Ptr { return v }

// Target returns the address that the pointer v holds.
func Target(v reflect.Value) Ptr { return v.Elem() }

// Load returns what the pointer at p points to, and false for nil.
func Load(p Ptr) (Ptr, bool) {
	if p.IsNil() {
		return Ptr{}, false
	}
	return p.Elem(), true
}

// New makes the pointer at p point to a new zero value of type elem.
func New(elem reflect.Type, p Ptr) Ptr {
	p.Set(reflect.New(elem).Convert(p.Type()))
	return p.Elem()
}

// SetNil makes the pointer at p nil.
func SetNil(p Ptr) { p.SetZero() }

// SetPointer makes the pointer at p point to q.
func SetPointer(p, q Ptr) { p.Set(q.Addr().Convert(p.Type())) }

// IsNil reports whether the slice or map at p is nil.
func IsNil(p Ptr) bool { return p.IsNil() }

// Identity returns a number that tells objects apart while they are reachable
// otherwise: objects on the heap do not move.
func Identity(p Ptr) uintptr { return p.Addr().Pointer() }

// Len returns the length of the slice at p.
func Len(p Ptr) int { return p.Len() }

// Cap returns the capacity of the slice at p.
func Cap(p Ptr) int { return p.Cap() }

// SetLen gives the slice at p length n, at most its capacity.
func SetLen(p Ptr, n int) { p.SetLen(n) }

// List returns what Elem takes for the slice at p; for an array that is p.
func List(p Ptr) Ptr { return p }

// Elem returns the address of element i of a list, of size bytes each.
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

// WordOf returns the word of what an interface holds.
func WordOf(v any) Word { return reflect.TypeOf(v) }

// WordOfType returns the word that an interface holding a t begins with.
func WordOfType(t reflect.Type) Word { return t }

// PointerIn returns what the pointer in v points to, and false for nil.
func PointerIn(v any) (Ptr, bool) { return Load(reflect.ValueOf(v)) }

// Root returns the address of a value that is not a pointer. It must not be
// written to.
func Root(v any) Ptr { return CopyOf(v) }

// AddressOf returns the address of *v.
func AddressOf[T any](v *T) Ptr { return reflect.ValueOf(v).Elem() }

// HiddenAddress is AddressOf, hidden from escape analysis: see Hidden.
func HiddenAddress[T any](v *T) Ptr { return AddressOf(v) }

// Hidden hides a pointer from escape analysis. What it points to may then be on
// the stack, so the result must not be stored in memory that outlives the
// caller's frame, nor be given to code that might do so.
func Hidden[T any](v *T) *T { return v }

// Put8 stores v at b[i], where there must be room.
func Put8(b []byte, i int, v uint8) { b[i] = v }

// Put16 stores v little-endian at b[i], where there must be room.
func Put16(b []byte, i int, v uint16) { binary.LittleEndian.PutUint16(b[i:], v) }

// Put32 stores v little-endian at b[i], where there must be room.
func Put32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[i:], v) }

// Put64 stores v little-endian at b[i], where there must be room.
func Put64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }

// Take8 returns what Put8 has stored.
func Take8(b []byte, i int) uint8 { return b[i] }

// Take16 returns what Put16 has stored.
func Take16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }

// Take32 returns what Put32 has stored.
func Take32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

// Take64 returns what Put64 has stored.
func Take64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// Hash returns a number for tables, 0 for no type.
func Hash(w Word) uint32 {
	if w == nil {
		return 0
	}
	return uint32(reflect.ValueOf(w).Pointer()>>4) * 2654435769
}
