// Package randval makes random values of any Go type and compares values the
// way the wire format does, for tests.
package randval

import (
	"math/rand/v2"
	"reflect"
	"time"
)

// Filler fills values at random. The zero Filler with a Rand makes small values.
type Filler struct {
	*rand.Rand
	// MaxLen is the most elements of a list or map and bytes of a string;
	// below 1 means 3.
	MaxLen int
	// MaxMap is the most entries of a map; below 1 means MaxLen.
	MaxMap int
	// MaxDepth bounds how deep pointers, lists and maps nest; below 1 means 6.
	MaxDepth int
	// Special fills values of types that need it, and reports whether it did.
	Special func(reflect.Value) bool
	// Hidden fills the unexported fields of structs without marshaler methods
	// too, whatever these mean to their package.
	Hidden bool
}

var timeType = reflect.TypeFor[time.Time]()

// Fill sets v, which must be settable, and everything below it that can be set.
// Interfaces, functions and channels stay nil, unexported fields zero.
func (f Filler) Fill(v reflect.Value) {
	if f.MaxLen < 1 {
		f.MaxLen = 3
	}
	if f.MaxMap < 1 {
		f.MaxMap = f.MaxLen
	}
	if f.MaxDepth < 1 {
		f.MaxDepth = 6
	}
	f.fill(v, f.MaxDepth)
}

func (f Filler) fill(v reflect.Value, depth int) {
	if v.Type() == timeType && v.CanSet() {
		v.Set(reflect.ValueOf(f.time()))
		return
	}
	if f.Special != nil && v.CanSet() && f.Special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.bits(v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.bits(64)) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(f.NormFloat64() * 1e6)))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(float32(f.NormFloat64())), float64(f.IntN(100))))
	case reflect.String:
		v.SetString(f.text())
	case reflect.Pointer:
		if depth > 0 && f.IntN(3) > 0 && fillable(v.Type().Elem()) {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		f.slice(v, depth)
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Map:
		f.mapping(v, depth)
	case reflect.Struct:
		hidden := f.Hidden && v.CanAddr() && !marshals(v.Type())
		for i := range v.NumField() {
			e := v.Field(i)
			if hidden && !e.CanSet() && v.Type().Field(i).Name != "_" && !coordinates(e.Type()) {
				e = reflect.NewAt(e.Type(), e.Addr().UnsafePointer()).Elem()
			}
			embedded := v.Type().Field(i).Anonymous && e.Kind() == reflect.Struct
			if embedded || e.CanSet() && fillable(e.Type()) {
				f.fill(e, depth)
			}
		}
	}
}

// marshals reports a type that may write what it hides.
func marshals(t reflect.Type) bool {
	for _, name := range []string{"MarshalBinary", "MarshalText", "MarshalJSON"} {
		if _, ok := reflect.PointerTo(t).MethodByName(name); ok {
			return true
		}
	}
	return false
}

// coordinates reports the types of sync and its like, whose state is no value.
func coordinates(t reflect.Type) bool {
	return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" || t.PkgPath() == "internal/sync"
}

func fillable(t reflect.Type) bool {
	return t.Kind() != reflect.UnsafePointer && t.Kind() != reflect.Uintptr
}

func (f Filler) slice(v reflect.Value, depth int) {
	n := f.IntN(f.MaxLen + 1)
	if depth <= 0 || n == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.fill(v.Index(i), depth-1)
	}
}

func (f Filler) mapping(v reflect.Value, depth int) {
	n := f.IntN(f.MaxMap + 1)
	if depth <= 0 || n == 0 {
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), n)
	for range n {
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(k, depth-1)
		f.fill(e, depth-1)
		m.SetMapIndex(k, e)
	}
	v.Set(m)
}

// bits gives a number of the given width: extremes and small ones more often.
func (f Filler) bits(width int) int64 {
	switch f.IntN(4) {
	case 0:
		return int64(f.IntN(100))
	case 1:
		edge := []int64{0, -1, 1, 1<<(width-1) - 1, -1 << (width - 1)}
		return edge[f.IntN(len(edge))]
	}
	return int64(f.Uint64()) >> (64 - width)
}

func (f Filler) text() string {
	const letters = "abcXYZ012 é世\x00"
	r := []rune(letters)
	b := make([]rune, f.IntN(f.MaxLen*4+1))
	for i := range b {
		b[i] = r[f.IntN(len(r))]
	}
	return string(b)
}

// time gives a time between 1970 and 2106, whole seconds half of the time, or
// the zero time.
func (f Filler) time() time.Time {
	if f.IntN(8) == 0 {
		return time.Time{}
	}
	var nsec int64
	if f.IntN(2) == 0 {
		nsec = int64(f.IntN(1e9))
	}
	return time.Unix(1+f.Int64N(1<<32-2), nsec).UTC()
}
