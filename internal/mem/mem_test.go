package mem_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/mem"
)

type inner struct {
	A uint16
	B int8
}

type outer struct {
	Head  inner
	On    bool
	Small int16
	Word  uint32
	Float float32
	Long  float64
	Int   int
	Uint  uint
	Text  string
	Raw   []byte
	Four  [4]byte
	List  []inner
	Ptr   *inner
	C64   complex64
	C128  complex128
}

// place returns the way to a field of outer, and to one of its own.
func place(t *testing.T, names ...string) mem.Place {
	t.Helper()
	var pl mem.Place
	typ := reflect.TypeFor[outer]()
	for _, name := range names {
		f, ok := typ.FieldByName(name)
		require.True(t, ok, name)
		pl, typ = pl.And(mem.PlaceOf(typ, f.Index[0])), f.Type
	}
	return pl
}

// TestMembers stores and loads every kind of member; the twins do the same.
func TestMembers(t *testing.T) {
	v := &outer{}
	p := mem.AddressOf(v)
	at := func(names ...string) mem.Ptr { return place(t, names...).In(p) }

	mem.Set16(at("Head", "A"), 0xfffe)
	mem.Set8(at("Head", "B"), 0x80)
	mem.SetBool(at("On"), true)
	mem.Set16(at("Small"), 0xfffd)
	mem.Set32(at("Word"), 1<<31)
	mem.Set32(at("Float"), 0x7f800001) // a signaling NaN
	mem.Set64(at("Long"), math.Float64bits(-0.5))
	mem.SetInt(at("Int"), -7)
	mem.SetUint(at("Uint"), 7)
	mem.SetString(at("Text"), "text")
	mem.SetBytes(at("Raw"), []byte{1, 2})
	copy(mem.Array(at("Four"), 4), "four")
	mem.SetComplex64(at("C64"), 1, 2)
	mem.SetComplex128(at("C128"), 3, 4)
	require.Equal(t, inner{0xfffe, -128}, v.Head)
	require.Equal(t, []any{true, int16(-3), uint32(1 << 31), -0.5, -7, uint(7), "text", []byte{1, 2}, "four"},
		[]any{v.On, v.Small, v.Word, v.Long, v.Int, v.Uint, v.Text, v.Raw, string(v.Four[:])})
	require.Equal(t, uint32(0x7f800001), math.Float32bits(v.Float))

	require.Equal(t, []any{uint16(0xfffe), uint8(0x80), uint16(0xfffd), uint32(1 << 31), uint32(0x7f800001), math.Float64bits(-0.5)},
		[]any{mem.Get16(at("Head", "A")), mem.Get8(at("Head", "B")), mem.Get16(at("Small")), mem.Get32(at("Word")), mem.Get32(at("Float")), mem.Get64(at("Long"))})
	require.Equal(t, []any{true, -7, uint(7), "text", []byte{1, 2}},
		[]any{mem.GetBool(at("On")), mem.GetInt(at("Int")), mem.GetUint(at("Uint")), mem.GetString(at("Text")), mem.GetBytes(at("Raw"))})
	re, im := mem.GetComplex64(at("C64"))
	require.Equal(t, []uint32{1, 2}, []uint32{re, im})
	re128, im128 := mem.GetComplex128(at("C128"))
	require.Equal(t, []uint64{3, 4}, []uint64{re128, im128})
	require.True(t, place(t, "Head", "A").Is(place(t, "Head", "A")))
	require.False(t, place(t, "Head", "A").Is(place(t, "Head", "B")))
}

// TestLists grows a slice and walks its elements.
func TestLists(t *testing.T) {
	v := &outer{}
	typ, p := reflect.TypeFor[[]inner](), place(t, "List").In(mem.AddressOf(v))
	require.True(t, mem.IsNil(p))
	mem.SetEmpty(typ, p)
	require.False(t, mem.IsNil(p))
	mem.Grow(typ, p, 3)
	require.Equal(t, 3, mem.Len(p))
	for i := range 3 {
		mem.At[inner](mem.Elem(mem.List(p), i, typ.Elem().Size())).A = uint16(i)
	}
	require.Equal(t, []inner{{A: 0}, {A: 1}, {A: 2}}, v.List)
	mem.SetZero(typ.Elem(), mem.Elem(mem.List(p), 1, typ.Elem().Size()))
	mem.SetLen(p, 2)
	require.Equal(t, []inner{{}, {}}, v.List)
	require.GreaterOrEqual(t, mem.Cap(p), 3)
}

// TestPointers follows and sets pointers, and looks into interfaces.
func TestPointers(t *testing.T) {
	v := &outer{}
	p := place(t, "Ptr").In(mem.AddressOf(v))
	_, ok := mem.Load(p)
	require.False(t, ok)
	mem.At[inner](mem.New(reflect.TypeFor[inner](), p)).A = 5
	require.Equal(t, &inner{A: 5}, v.Ptr)
	q, ok := mem.Load(p)
	require.True(t, ok)
	require.Equal(t, mem.Identity(q), reflect.ValueOf(v.Ptr).Pointer())
	mem.SetNil(p)
	require.Nil(t, v.Ptr)
	mem.SetPointer(p, q)
	require.Equal(t, uint16(5), v.Ptr.A)

	in, ok := mem.PointerIn(v)
	require.True(t, ok)
	require.Equal(t, mem.Identity(mem.AddressOf(v)), mem.Identity(in))
	_, ok = mem.PointerIn((*outer)(nil))
	require.False(t, ok)
	require.Equal(t, "x", mem.GetString(mem.Root("x")))
	require.Equal(t, 9, mem.GetInt(mem.CopyOf(9)))
	require.Equal(t, mem.WordOfType(reflect.TypeFor[outer]()), mem.WordOf(outer{}))
	require.NotEqual(t, mem.WordOf(1), mem.WordOf("1"))
	require.Equal(t, mem.Hash(mem.WordOf(v)), mem.Hash(mem.WordOf(&outer{})))
}
