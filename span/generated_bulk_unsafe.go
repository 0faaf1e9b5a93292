//go:build !purego

package span

import (
	"math"
	"unsafe"
)

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

// At is b[i:] for an i that is known to be less than len(b): it is not checked.
func At(b []byte, i int) []byte {
	n := len(b) - i
	h := sliceHeader{unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i), n, n}
	return *(*[]byte)(unsafe.Pointer(&h))
}
