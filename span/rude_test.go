package span_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/internal/test/rude"
	"github.com/spanwire/spanwire/span"
)

// TestRudeAppend (G1): whatever an append method does with the memory that it is
// given, the bytes around its own stay, and generated code and plan agree.
func TestRudeAppend(t *testing.T) {
	for _, n := range []int{0, 1, 10, 127, 128, 5000} {
		v := rude.New(n)
		plain := rude.Plain(*v)
		want, err := span.Marshal(&plain)
		require.NoError(t, err)
		var back rude.Holder
		require.NoError(t, span.Unmarshal(want, &back))
		require.Equal(t, v, &back)
		require.Equal(t, len(want), v.SizeSpan())
		for room := range 6 {
			head := append(make([]byte, 0, 4+len(want)*room/4), "head"...)
			got, err := v.AppendSpan(head)
			require.NoError(t, err)
			require.Equal(t, "head"+string(want), string(got), "generated, values of %d bytes, room for %d quarters", n, room)
			got, err = span.Append(head, &plain)
			require.NoError(t, err)
			require.Equal(t, "head"+string(want), string(got), "plan, values of %d bytes, room for %d quarters", n, room)
		}
		var out bytes.Buffer
		require.NoError(t, span.MarshalWrite(&out, v))
		require.Equal(t, want, out.Bytes(), "to a stream")
	}
}

// guarded puts b into a larger piece of memory, of which the part behind b is
// its capacity.
func guarded(b []byte) (all, in []byte) {
	all = bytes.Repeat([]byte{0x55}, len(b)+200)
	return all, all[:copy(all, b)]
}

// TestRudeUnmarshal (G27): a method that appends to its argument changes neither
// the bytes behind it nor what lies behind the input.
func TestRudeUnmarshal(t *testing.T) {
	for _, n := range []int{0, 1, 10, 127, 128, 5000} {
		v := rude.New(n)
		plain := rude.Plain(*v)
		b, err := span.Marshal(v)
		require.NoError(t, err)
		for mode := span.CopyStrings; mode <= span.AliasStrings; mode++ {
			opts := span.Options{Strings: mode}
			all, in := guarded(b)
			before := bytes.Clone(all)
			var generated rude.Holder
			require.NoError(t, opts.Unmarshal(in, &generated))
			require.Equal(t, v, &generated, "generated, mode %d", mode)
			var planned rude.Plain
			require.NoError(t, opts.Unmarshal(in, &planned))
			require.Equal(t, plain, planned, "plan, mode %d", mode)
			_, err := opts.UnmarshalFirst(in, &planned)
			require.NoError(t, err)
			require.Equal(t, before, all, "mode %d", mode)
		}
		var streamed rude.Plain
		require.NoError(t, span.UnmarshalRead(bytes.NewReader(b), &streamed))
		require.Equal(t, plain, streamed, "from a stream")
	}
}

// TestInputStays (G27): reading writes to no byte of its input, nor behind it,
// whatever the type, the bytes and the string mode; and what was read does not
// lead back to the input unless it is a string under AliasStrings.
func TestInputStays(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 1))
	fill := randval.Filler{Rand: random, MaxLen: 4}
	list := reflect.TypeFor[corpus.Valid]()
	for i := range list.NumField() {
		if list.Field(i).Type.Size() > 1<<16 {
			continue
		}
		for range 4 {
			v := reflect.New(list.Field(i).Type)
			fill.Fill(v.Elem())
			b, err := span.Marshal(v.Interface())
			if err != nil { // a value that its type's rules refuse
				b = make([]byte, 100)
				for j := range b {
					b[j] = byte(random.IntN(6))
				}
			}
			for mode := span.CopyStrings; mode <= span.AliasStrings; mode++ {
				all, in := guarded(b)
				before := bytes.Clone(all)
				used := reflect.New(list.Field(i).Type)
				for range 2 {
					_ = span.Options{Strings: mode}.Unmarshal(in, used.Interface())
					require.Equal(t, before, all, "%s, mode %d", list.Field(i).Name, mode)
				}
				if mode == span.AliasStrings {
					continue
				}
				once, err := ordered.Marshal(used.Interface())
				clear(all)
				again, err2 := ordered.Marshal(used.Interface())
				require.Equal(t, err == nil, err2 == nil)
				require.True(t, bytes.Equal(once, again), "%s, mode %d: the value changed with its input", list.Field(i).Name, mode)
			}
		}
	}
}
