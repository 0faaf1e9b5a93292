//go:build !purego

package mem

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// Direct reports that values are reached by address, whatever their names are; by
// package reflect those of unexported fields are not.
const Direct = true

// Ptr is the address of a value.
type Ptr = unsafe.Pointer

// Place is where a member is in its struct.
type Place struct{ off uintptr }

// PlaceOf returns the place of a field.
func PlaceOf(t reflect.Type, i int) Place { return Place{t.Field(i).Offset} }

// And returns the place of q in the struct that is at pl.
func (pl Place) And(q Place) Place { return Place{pl.off + q.off} }

// In returns the address of the member in the struct at p.
func (pl Place) In(p Ptr) Ptr { return unsafe.Add(p, pl.off) }

// Is reports whether both are the same place.
func (pl Place) Is(q Place) bool { return pl.off == q.off }

// Begins reports whether the member begins at end.
func (pl Place) Begins(end uintptr) bool { return pl.off == end }

// Valid reports whether there is a value at p.
func Valid(p Ptr) bool { return p != nil }

// At returns the value at p, whose type has T as its underlying type.
func At[T any](p Ptr) *T { return (*T)(p) }

// GetBool returns the bool at p.
func GetBool(p Ptr) bool { return *(*bool)(p) }

// Get8 returns the bits of the number of 8 bits at p.
func Get8(p Ptr) uint8 { return *(*uint8)(p) }

// Get16 returns the bits of the number of 16 bits at p.
func Get16(p Ptr) uint16 { return *(*uint16)(p) }

// Get32 returns the bits of the number of 32 bits at p.
func Get32(p Ptr) uint32 { return *(*uint32)(p) }

// Get64 returns the bits of the number of 64 bits at p.
func Get64(p Ptr) uint64 { return *(*uint64)(p) }

// GetInt returns the int at p.
func GetInt(p Ptr) int { return *(*int)(p) }

// GetUint returns the uint at p.
func GetUint(p Ptr) uint { return *(*uint)(p) }

// GetString returns the string at p.
func GetString(p Ptr) string { return *(*string)(p) }

// GetBytes returns the slice of bytes at p.
func GetBytes(p Ptr) []byte { return *(*[]byte)(p) }

// SetBool stores a bool at p.
func SetBool(p Ptr, v bool) { *(*bool)(p) = v }

// Set8 stores the bits of a number of 8 bits at p.
func Set8(p Ptr, v uint8) { *(*uint8)(p) = v }

// Set16 stores the bits of a number of 16 bits at p.
func Set16(p Ptr, v uint16) { *(*uint16)(p) = v }

// Set32 stores the bits of a number of 32 bits at p.
func Set32(p Ptr, v uint32) { *(*uint32)(p) = v }

// Set64 stores the bits of a number of 64 bits at p.
func Set64(p Ptr, v uint64) { *(*uint64)(p) = v }

// SetInt stores a int at p.
func SetInt(p Ptr, v int) { *(*int)(p) = v }

// SetUint stores a uint at p.
func SetUint(p Ptr, v uint) { *(*uint)(p) = v }

// SetString stores a string at p.
func SetString(p Ptr, v string) { *(*string)(p) = v }

// SetBytes stores a slice of bytes at p.
func SetBytes(p Ptr, v []byte) { *(*[]byte)(p) = v }

// GetComplex64 returns the bits of both parts.
func GetComplex64(p Ptr) (re, im uint32) { return *(*uint32)(p), *(*uint32)(unsafe.Add(p, 4)) }

// GetComplex128 returns the bits of both parts.
func GetComplex128(p Ptr) (re, im uint64) { return *(*uint64)(p), *(*uint64)(unsafe.Add(p, 8)) }

// SetComplex64 is the opposite of GetComplex64.
func SetComplex64(p Ptr, re, im uint32) { *(*uint32)(p), *(*uint32)(unsafe.Add(p, 4)) = re, im }

// SetComplex128 is the opposite of GetComplex128.
func SetComplex128(p Ptr, re, im uint64) { *(*uint64)(p), *(*uint64)(unsafe.Add(p, 8)) = re, im }

// Array returns the bytes of the array of n bytes at p.
func Array(p Ptr, n int) []byte { return unsafe.Slice((*byte)(p), n) }

// Value returns the value of type t at p as package reflect sees it, addressable.
func Value(t reflect.Type, p Ptr) reflect.Value { return reflect.NewAt(t, p).Elem() }

// Pointer returns p as a Go pointer to a t in an interface.
func Pointer(t reflect.Type, p Ptr) any { return reflect.NewAt(t, p).Interface() }

// HasPointer reports whether Pointer works for the value at p.
func HasPointer(Ptr) bool { return true }

// Address returns the address of an addressable value.
func Address(v reflect.Value) Ptr { return v.Addr().UnsafePointer() }

// Target returns the address that the pointer v holds.
func Target(v reflect.Value) Ptr { return v.UnsafePointer() }

// Load returns what the pointer at p points to, and false for nil.
func Load(p Ptr) (Ptr, bool) {
	q := *(*Ptr)(p)
	return q, q != nil
}

// New makes the pointer at p point to a new zero value of type elem.
func New(elem reflect.Type, p Ptr) Ptr {
	q := reflect.New(elem).UnsafePointer()
	*(*Ptr)(p) = q
	return q
}

// SetNil makes the pointer at p nil.
func SetNil(p Ptr) { *(*Ptr)(p) = nil }

// SetPointer makes the pointer at p point to q.
func SetPointer(p, q Ptr) { *(*Ptr)(p) = q }

// IsNil reports whether the slice or map at p is nil.
func IsNil(p Ptr) bool { return *(*Ptr)(p) == nil }

// Identity returns a number that tells objects apart while they are reachable
// otherwise: objects on the heap do not move.
func Identity(p Ptr) uintptr { return uintptr(p) }

// header is a slice's memory.
type header struct {
	data     Ptr
	len, cap int
}

// Len returns the length of the slice at p.
func Len(p Ptr) int { return (*header)(p).len }

// Cap returns the capacity of the slice at p.
func Cap(p Ptr) int { return (*header)(p).cap }

// SetLen gives the slice at p length n, at most its capacity.
func SetLen(p Ptr, n int) { (*header)(p).len = n }

// List returns what Elem takes for the slice at p; for an array that is p.
func List(p Ptr) Ptr { return (*header)(p).data }

// Elem returns the address of element i of a list, of size bytes each.
func Elem(list Ptr, i int, size uintptr) Ptr { return unsafe.Add(list, uintptr(i)*size) }

// Raw returns the memory of n elements of a list, if it can be had.
func Raw(list Ptr, n int, size uintptr) ([]byte, bool) {
	return unsafe.Slice((*byte)(list), n*int(size)), true
}

// Word identifies a type: the address of its descriptor.
type Word = unsafe.Pointer

// eface is an interface's memory.
type eface struct {
	typ  Ptr
	data Ptr
}

// WordOf returns the word of what an interface holds.
func WordOf(v any) Word { return (*eface)(unsafe.Pointer(&v)).typ }

// WordOfType returns the word that an interface holding a t begins with.
func WordOfType(t reflect.Type) Word {
	x := any(t)
	return (*eface)(unsafe.Pointer(&x)).data
}

// Hash returns a number for tables. Descriptors are far apart in memory but not
// evenly: the multiplication spreads them over the highest bits.
func Hash(w Word) uint32 { return uint32(uintptr(w)>>4) * 2654435769 }

// PointerIn returns what the pointer in v points to, and false for nil.
func PointerIn(v any) (Ptr, bool) {
	p := (*eface)(unsafe.Pointer(&v)).data
	return p, p != nil
}

// Root returns the address of a value that is not a pointer. It must not be
// written to.
func Root(v any) Ptr {
	t := reflect.TypeOf(v)
	if t.Size() != unsafe.Sizeof(uintptr(0)) { // else the interface may hold the value itself
		return (*eface)(unsafe.Pointer(&v)).data
	}
	return CopyOf(v)
}

// AddressOf returns the address of *v.
func AddressOf[T any](v *T) Ptr { return Ptr(v) }

// HiddenAddress is AddressOf, hidden from escape analysis: see Hidden.
func HiddenAddress[T any](v *T) Ptr { return noescape(Ptr(v)) }

// Hidden hides a pointer from escape analysis. What it points to may then be on
// the stack, so the result must not be stored in memory that outlives the
// caller's frame, nor be given to code that might do so.
func Hidden[T any](v *T) *T { return (*T)(noescape(unsafe.Pointer(v))) }

// noescape goes by way of a number, which is what hides a pointer. It must not be
// inlined: the caller would keep the number in its frame, and a number is not
// corrected when the stack moves. What is returned is a pointer again, and is.
//
//go:noinline
func noescape(p Ptr) Ptr {
	x := uintptr(p)
	return *(*Ptr)(unsafe.Pointer(&x))
}

// Put8 stores v at b[i], where there must be room.
func Put8(b []byte, i int, v uint8) { *(*uint8)(at(b, i)) = v }

// Put16 stores v little-endian at b[i], where there must be room.
func Put16(b []byte, i int, v uint16) { binary.LittleEndian.PutUint16((*[2]byte)(at(b, i))[:], v) }

// Put32 stores v little-endian at b[i], where there must be room.
func Put32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32((*[4]byte)(at(b, i))[:], v) }

// Put64 stores v little-endian at b[i], where there must be room.
func Put64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(at(b, i))[:], v) }

// Take8 returns what Put8 has stored.
func Take8(b []byte, i int) uint8 { return *(*uint8)(at(b, i)) }

// Take16 returns what Put16 has stored.
func Take16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16((*[2]byte)(at(b, i))[:]) }

// Take32 returns what Put32 has stored.
func Take32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32((*[4]byte)(at(b, i))[:]) }

// Take64 returns what Put64 has stored.
func Take64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at(b, i))[:]) }

func at(b []byte, i int) Ptr { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }
