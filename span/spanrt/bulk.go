package spanrt

import (
	"encoding/binary"
	"math"
	"reflect"
)

// Numbers in bulk, for generated code. In memory they lie as they do on the wire,
// save for the order of bytes on some machines, so that mostly a list is one
// copy.

// fixedNumber is the numbers of the same width in memory and on the wire.
type fixedNumber interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// platformInt is the integers of 8 bytes on the wire, whatever they are in memory.
type platformInt interface{ ~int | ~uint }

// PutNumbers stores s at the start of b, little-endian; there must be room.
func PutNumbers[T fixedNumber](b []byte, s []T) {
	if m, ok := numberBytes(s); ok {
		_ = b[:len(m)]
		copy(b, m)
		return
	}
	putNumbers(b, s)
}

// GetNumbers fills s from the start of b, which must be long enough.
func GetNumbers[T fixedNumber](s []T, b []byte) {
	if m, ok := numberBytes(s); ok {
		copy(m, b[:len(m)])
		return
	}
	getNumbers(s, b)
}

// ReadNumbers reads n numbers, which are sure to be there, from the start of b
// into the memory of s or, when that is too small, of a new slice.
func ReadNumbers[T fixedNumber](s []T, b []byte, n int) []T {
	if n <= cap(s) {
		s = s[:n]
	} else {
		s = make([]T, n)
	}
	GetNumbers(s, b)
	return s
}

// PutInts is PutNumbers for int and uint.
func PutInts[T platformInt](b []byte, s []T) {
	if m, ok := intBytes(s); ok {
		_ = b[:len(m)]
		copy(b, m)
		return
	}
	_ = b[:8*len(s)]
	for i, v := range s {
		PutUint64(b[8*i:], uint64(v))
	}
}

// FitInts reports whether the n numbers at the start of b fit T on this
// platform.
func FitInts[T platformInt](_ []T, b []byte, n int) bool {
	if math.MaxUint == math.MaxUint64 {
		return true
	}
	signed := T(0)-1 < 0
	for i := range n {
		x := GetUint64(b[8*i:])
		if v := T(x); signed && int64(v) != int64(x) || !signed && uint64(v) != x {
			return false
		}
	}
	return true
}

// ReadInts is ReadNumbers for int and uint, of numbers that fit.
func ReadInts[T platformInt](s []T, b []byte, n int) []T {
	if n <= cap(s) {
		s = s[:n]
	} else {
		s = make([]T, n)
	}
	if m, ok := intBytes(s); ok {
		copy(m, b[:len(m)])
		return s
	}
	for i := range s {
		s[i] = T(GetUint64(b[8*i:]))
	}
	return s
}

// putNumbers is PutNumbers one by one.
func putNumbers[T fixedNumber](b []byte, s []T) {
	t := reflect.TypeFor[T]()
	size := int(t.Size())
	_ = b[:size*len(s)]
	for i, v := range s {
		x := uint64(v)
		switch t.Kind() {
		case reflect.Float32:
			x = uint64(math.Float32bits(float32(v)))
		case reflect.Float64:
			x = math.Float64bits(float64(v))
		}
		switch size {
		case 1:
			b[i] = byte(x)
		case 2:
			binary.LittleEndian.PutUint16(b[2*i:], uint16(x))
		case 4:
			binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
		default:
			binary.LittleEndian.PutUint64(b[8*i:], x)
		}
	}
}

// getNumbers is GetNumbers one by one. The bits of a NaN are kept: float32 goes
// nowhere by way of float64.
func getNumbers[T fixedNumber](s []T, b []byte) {
	t := reflect.TypeFor[T]()
	size := int(t.Size())
	for i := range s {
		switch {
		case t.Kind() == reflect.Float32:
			s[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		case t.Kind() == reflect.Float64:
			s[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		case size == 1:
			s[i] = T(b[i])
		case size == 2:
			s[i] = T(binary.LittleEndian.Uint16(b[2*i:]))
		case size == 4:
			s[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
		default:
			s[i] = T(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}
