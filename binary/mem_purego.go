//go:build purego

package binary

import (
	"math"
	"reflect"
	"slices"
)

// Access to values without package unsafe: see mem_unsafe.go.

// ptr is an addressable value.
type ptr = reflect.Value

// place is where a member is in its struct.
type place struct{ index []int }

func placeOf(t reflect.Type, i int) place { return place{[]int{i}} }

func (pl place) and(q place) place {
	return place{append(append([]int{}, pl.index...), q.index...)}
}

func (pl place) in(p ptr) ptr {
	for _, i := range pl.index {
		p = p.Field(i)
	}
	return p
}

func (pl place) is(q place) bool { return slices.Equal(pl.index, q.index) }

func at[T any](p ptr) *T {
	return p.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

func getBool(p ptr) bool  { return p.Bool() }
func get8(p ptr) uint8    { return uint8(get64(p)) }
func get16(p ptr) uint16  { return uint16(get64(p)) }
func getInt(p ptr) int    { return int(p.Int()) }
func getUint(p ptr) uint  { return uint(p.Uint()) }
func getStr(p ptr) string { return p.String() }
func getRaw(p ptr) []byte { return p.Bytes() }

func get32(p ptr) uint32 {
	if p.Kind() == reflect.Float32 { // by way of float64 a signaling NaN would lose a bit
		return math.Float32bits(*at[float32](p))
	}
	return uint32(get64(p))
}

func get64(p ptr) uint64 {
	switch {
	case p.CanInt():
		return uint64(p.Int())
	case p.CanUint():
		return p.Uint()
	}
	return math.Float64bits(*at[float64](p))
}

func setBool(p ptr, v bool)  { p.SetBool(v) }
func set8(p ptr, v uint8)    { setBits(p, uint64(v), int64(int8(v))) }
func set16(p ptr, v uint16)  { setBits(p, uint64(v), int64(int16(v))) }
func set64(p ptr, v uint64)  { setBits(p, v, int64(v)) }
func setInt(p ptr, v int)    { p.SetInt(int64(v)) }
func setUint(p ptr, v uint)  { p.SetUint(uint64(v)) }
func setStr(p ptr, v string) { p.SetString(v) }
func setRaw(p ptr, v []byte) { p.SetBytes(v) }

func set32(p ptr, v uint32) {
	if p.Kind() == reflect.Float32 {
		*at[float32](p) = math.Float32frombits(v)
		return
	}
	setBits(p, uint64(v), int64(int32(v)))
}

func setBits(p ptr, u uint64, i int64) {
	switch {
	case p.CanInt():
		p.SetInt(i)
	case p.CanUint():
		p.SetUint(u)
	default:
		*at[float64](p) = math.Float64frombits(u)
	}
}

func valueOf(n *node, p ptr) reflect.Value { return p }
func ptrOf(v reflect.Value) ptr            { return v }
func pointee(v reflect.Value) ptr          { return v.Elem() }
func load(p ptr) (ptr, bool)               { return p.Elem(), !p.IsNil() }
func setNil(n *node, p ptr)                { p.SetZero() }
func setPtr(p, q ptr)                      { p.Set(q.Addr()) }
func identity(p ptr) uintptr               { return p.Addr().Pointer() }
func listLen(p ptr) int                    { return p.Len() }
func list(n *node, p ptr) ptr              { return p }
func item(n *node, l ptr, i int) ptr       { return l.Index(i) }
func array(n *node, p ptr) []byte          { return p.Bytes() }
func rootOf(v any) ptr                     { return copyOf(v) }

// typeID identifies the type of what an interface holds.
type typeID = reflect.Type

func typeOfAny(v any) typeID { return reflect.TypeOf(v) }

// pointerIn gives what the pointer in v points to, and false for nil.
func pointerIn(v any) (ptr, bool) {
	p := reflect.ValueOf(v)
	return p.Elem(), !p.IsNil()
}

func alloc(n *node, p ptr) ptr {
	p.Set(reflect.New(n.elem.typ))
	return p.Elem()
}

func copyOf(v any) ptr {
	c := reflect.New(reflect.TypeOf(v)).Elem()
	c.Set(reflect.ValueOf(v))
	return c
}
