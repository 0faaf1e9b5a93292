package span_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// nestedType makes a type of lists, maps, pointers and structs within each other.
func nestedType(r *rand.Rand, depth int) reflect.Type {
	leaves := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[[]byte](), reflect.TypeFor[int32](),
		reflect.TypeFor[struct{ A, B string }](), reflect.TypeFor[*string](), reflect.TypeFor[[3]string](),
	}
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	inner := nestedType(r, depth-1)
	switch r.IntN(8) {
	case 0:
		return reflect.MapOf(reflect.TypeFor[string](), inner)
	case 1:
		return reflect.MapOf(reflect.TypeFor[[2]int8](), inner)
	case 2:
		return reflect.PointerTo(inner)
	case 3:
		return reflect.StructOf([]reflect.StructField{
			{Name: "L", Type: reflect.SliceOf(inner)},
			{Name: "M", Type: reflect.SliceOf(nestedType(r, depth-1))},
		})
	case 4:
		return reflect.ArrayOf(1+r.IntN(3), inner)
	default:
		return reflect.SliceOf(inner)
	}
}

// hostile is a message of counts that the rest can just hold, or can't, between
// some that are small.
func hostile(r *rand.Rand, size int) []byte {
	var b []byte
	least := 1 + r.IntN(4)
	for range r.IntN(12) {
		switch left := size - len(b); r.IntN(6) {
		case 0:
			b = append(b, 1)
		case 1:
			b = append(b, make([]byte, r.IntN(1+left/8))...)
		case 2:
			b = wire.AppendLength(b, left/2)
		default:
			b = wire.AppendLength(b, max(left-5, 0)/least)
		}
	}
	return append(b, bytes.Repeat([]byte{byte(r.IntN(3) / 2)}, max(size-len(b), 0))...)
}

// What lists within lists claim does not add up: whatever the counts say, memory
// stays within twice the plan's ratio for what the input has, since lists that grow
// leave what they were behind, and 64 KiB. Of longer inputs more may be garbage.
func TestNestedMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range test.Count(60, 400, 2000) {
		typ := nestedType(r, 1+r.IntN(5))
		for range 4 {
			within(t, typ, hostile(r, []int{100, 2000, 2700, 16_000, 100_000}[r.IntN(5)]))
		}
	}
}

// Each level claims all that is left, for as much as 64 KiB.
func TestNestedLevels(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[][][][]string](), reflect.TypeFor[[][][][][][]int32](), reflect.TypeFor[map[string][][]map[int8][]string](),
		reflect.TypeFor[[]struct{ P *[][2][]*[]string }](),
	} {
		for _, size := range []int{700, 2000, 2700} {
			var b []byte
			for range 10 {
				b = wire.AppendLength(b, size-2*len(b)-20)
			}
			within(t, typ, append(b, make([]byte, size-len(b))...))
		}
	}
}

// within reads a message as a type, in memory that the bound allows.
func within(t *testing.T, typ reflect.Type, in []byte) {
	t.Helper()
	p, problems := layout.Compile(fromreflect.Feed{}, typ)
	require.Empty(t, problems, typ)
	_ = span.Unmarshal(nil, reflect.New(typ).Interface()) // compiles
	times := 2
	if len(in) > 3000 {
		times = 4
	}
	most := uint64(times*p.Root.Growth*len(in) + 64<<10)
	got := allocated(func() { _ = span.Unmarshal(in, reflect.New(typ).Interface()) })
	require.LessOrEqual(t, got, most, "%v: %d bytes, ratio %d", typ, len(in), p.Root.Growth)
	got = allocated(func() { _ = span.UnmarshalRead(bytes.NewReader(in), reflect.New(typ).Interface()) })
	require.LessOrEqual(t, got, most+2*64<<10, "%v: %d bytes of a stream, ratio %d", typ, len(in), p.Root.Growth)
}
