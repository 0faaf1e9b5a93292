//go:build !purego

package spanrt

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// Everything in this package that package unsafe makes faster is here; the build
// tag purego selects twins that do without.

// sliceHeader is a slice's memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// offset is i, or 0 where no byte is left behind it: a pointer just behind its
// memory is one into somebody else's, which the garbage collector may find bad.
func offset(i, left int) int { return i & (-left >> (bits.UintSize - 1)) }

// Tail is b[i:] for an i that is known to be at most len(b): it is not checked.
func Tail(b []byte, i int) []byte {
	n := len(b) - i
	h := sliceHeader{unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), offset(i, n)), n, n}
	return *(*[]byte)(unsafe.Pointer(&h))
}

// At is b[i:] for an i that is known to be less than len(b): it is not checked.
func At(b []byte, i int) []byte {
	n := len(b) - i
	h := sliceHeader{unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i), n, n}
	return *(*[]byte)(unsafe.Pointer(&h))
}

// littleEndian is the byte order of this machine.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// numberBytes gives the memory of numbers if it has the byte order of the wire.
func numberBytes[T fixedNumber](s []T) ([]byte, bool) {
	size := int(unsafe.Sizeof(*new(T)))
	if size > 1 && !littleEndian {
		return nil, false
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size*len(s)), true
}

// intBytes gives the memory of integers if it is as on the wire.
func intBytes[T platformInt](s []T) ([]byte, bool) {
	if math.MaxUint != math.MaxUint64 || !littleEndian {
		return nil, false
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s)), true
}

// word moves bytes a register at a time, on every machine whatever the alignment.
var word = binary.NativeEndian

// PutString stores s behind its length at b[i], where there must be room, and
// returns the index behind it. Strings of up to 16 bytes, which most are, are
// moved by two overlapping words instead of a call of memmove.
//
//go:noinline
func PutString(b []byte, i int, s string) int {
	n := len(s)
	if n >= 0x80 {
		i = putLongLength(b, i, n)
		_ = b[i+n-1]
		return i + copy(b[i:], s)
	}
	_ = b[i+n]
	b[i] = byte(n)
	d := unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) // of the length: behind it there may be nothing
	q := unsafe.Pointer(unsafe.StringData(s))
	switch {
	case n > 16:
		copy(unsafe.Slice((*byte)(unsafe.Add(d, 1)), n), s)
	case n >= 8:
		x, y := word.Uint64((*[8]byte)(q)[:]), word.Uint64((*[8]byte)(unsafe.Add(q, n-8))[:])
		word.PutUint64((*[8]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint64((*[8]byte)(unsafe.Add(d, n-7))[:], y)
	case n >= 4:
		x, y := word.Uint32((*[4]byte)(q)[:]), word.Uint32((*[4]byte)(unsafe.Add(q, n-4))[:])
		word.PutUint32((*[4]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint32((*[4]byte)(unsafe.Add(d, n-3))[:], y)
	case n >= 2:
		x, y := word.Uint16((*[2]byte)(q)[:]), word.Uint16((*[2]byte)(unsafe.Add(q, n-2))[:])
		word.PutUint16((*[2]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint16((*[2]byte)(unsafe.Add(d, n-1))[:], y)
	case n == 1:
		*(*byte)(unsafe.Add(d, 1)) = *(*byte)(q)
	}
	return i + 1 + n
}
