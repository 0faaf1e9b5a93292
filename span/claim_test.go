package span_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// Types that hold themselves.
type (
	nest  []nest
	nests []*nests
	loop  map[string]loop
	tree  struct {
		Name string
		Kids []tree
	}
	heavy struct {
		Kids []heavy
		Data [64]int64
	}
	mixed struct {
		A []mixed
		M map[uint8]mixed
		P *mixed
		B []*mixed
		N uint16
	}
	frame struct {
		_    struct{} `span:"sized"`
		Kids []frame
		Last bool
	}
)

// hostileTree is a message in which each list claims as many elements of at least
// least bytes as the input holds, the first of which begins with entry.
func hostileTree(size, least int, entry ...byte) []byte {
	var b []byte
	for left := size; left > 8; {
		left -= wire.SizeLength(left)
		b = append(wire.AppendLength(b, left/least), entry...)
		left -= len(entry)
	}
	return append(b, make([]byte, size/5)...)
}

// Whatever lists of lists claim, memory follows the input (G33). K is the memory of
// an element, or the smallest map, for each of its smallest number of bytes, with
// what a list leaves behind as it grows, which is up to three times as much.
func TestNestedClaims(t *testing.T) {
	for name, c := range map[string]struct {
		read  func([]byte, io.Reader) error
		in    []byte
		ratio int
	}{
		"lists":             {readInto[nest], hostileTree(2000, 1), 4 * 24},
		"lists of pointers": {readInto[nests], hostileTree(2000, 1, 1), 4 * (8 + 24)},
		"maps":              {readInto[loop], hostileTree(2000, 2, 0), 4 * (64 + 8*24) / 2},
		"structs":           {readInto[tree], append([]byte{0}, hostileTree(2000, 2, 0)...), 4 * 40 / 2},
		"fields behind":     {readInto[heavy], bytes.Repeat([]byte{1}, 3000), 4 * (24 + 512) / 513},
		"wide and heavy":    {readInto[heavy], hostileTree(3000, 513), 4 * (24 + 512) / 513},
		"sized":             {readInto[frame], hostileTree(2000, 1, 0x80, 1), 4 * 64},
		"mixed":             {readInto[mixed], hostileTree(2000, 6), 4 * (64 + 8*96)},
		"long":              {readInto[nest], hostileTree(300_000, 1), 4 * 24},
	} {
		for how, src := range map[string]func() io.Reader{
			"memory":   func() io.Reader { return nil },
			"stream":   func() io.Reader { return bytes.NewReader(c.in) },
			"unframed": func() io.Reader { return unframed{bytes.NewReader(c.in)} },
			"endless stream": func() io.Reader {
				return io.MultiReader(bytes.NewReader(c.in), io.LimitReader(new(zeros), 100<<10))
			},
		} {
			var err error
			_ = c.read(c.in, src()) // plans and pools
			n := allocated(func() { err = c.read(c.in, src()) })
			require.Error(t, err, "%s, %s", name, how)
			come := len(c.in)
			if how == "memory" || how == "stream" {
				come /= 4 // nothing grows
			}
			if how == "endless stream" { // where each open list has one element at least
				come += 100<<10 + 1000*600/c.ratio
			}
			require.LessOrEqual(t, n, uint64(c.ratio*come+64<<10), "%s, %s", name, how)
		}
	}
}

func readInto[T any](b []byte, src io.Reader) error {
	if src == nil {
		return span.Unmarshal(b, new(T))
	}
	if u, ok := src.(unframed); ok {
		d := span.NewDecoder(u.Reader)
		d.Unframed = true
		return d.Decode(new(T))
	}
	return span.UnmarshalRead(src, new(T))
}

// unframed is for a Decoder of values without lengths.
type unframed struct{ io.Reader }

// grow makes a tree of about n nodes.
func grow(n int) (v mixed) {
	v.N = uint16(n)
	for n--; n > 0; {
		k := 1 + rand.IntN(n)
		n -= k
		switch rand.IntN(4) {
		case 0:
			v.A = append(v.A, grow(k))
		case 1:
			if v.M == nil {
				v.M = map[uint8]mixed{}
			}
			v.M[uint8(len(v.M))] = grow(k)
		case 2:
			p := grow(k)
			v.P = &p
		default:
			p := grow(k)
			v.B = append(v.B, &p)
		}
	}
	return v
}

// What is reserved is just what is needed: every tree is read back, from memory and
// from streams, also where it is longer than any buffer, and every cut of it is an
// end too early.
func TestReservedTrees(t *testing.T) {
	for _, n := range []int{1, 2, 5, 30, 300, test.Count(4000, 40_000, 40_000)} {
		v := grow(n)
		b, err := span.Options{MaxDepth: 100_000}.Marshal(&v)
		require.NoError(t, err)
		deep := span.Options{MaxDepth: 100_000}
		for how, src := range map[string]io.Reader{
			"stream": bytes.NewReader(b), "halves": iotest.HalfReader(bytes.NewReader(b)), "pieces": &pieces{b: b, size: 777},
		} {
			var u mixed
			require.NoError(t, deep.UnmarshalRead(src, &u), how)
			require.True(t, equal(v, u), how)
		}
		var u mixed
		require.NoError(t, deep.Unmarshal(b, &u))
		require.True(t, equal(v, u))
		require.NoError(t, span.Options{MaxDepth: 100_000, Strings: span.SharedStrings}.Unmarshal(b, &u))
		require.True(t, equal(v, u))
		dec := deep.NewDecoder(bytes.NewReader(append(wire.AppendLength(nil, len(b)), b...)))
		require.NoError(t, dec.Decode(&u))
		require.True(t, equal(v, u))
		for i := 0; i < len(b); i += 1 + len(b)/300 {
			err := deep.Unmarshal(b[:i], &u)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
	}
}

// A stream fails as memory does: what is wrong with the bytes does not depend on
// how they come (G36).
func TestStreamClasses(t *testing.T) {
	type item struct {
		A bool
		N int64
	}
	type order struct {
		Items []item
		M     map[string]bool
		S     []string
		T     mixed
	}
	v := order{[]item{{true, 1}, {false, 2}}, map[string]bool{"k": true}, []string{"a", "bc"}, grow(20)}
	b, err := span.Marshal(&v)
	require.NoError(t, err)
	inputs := [][]byte{
		unhex(t, "ffffffff07 02"), unhex(t, "7f 02"), unhex(t, "05 01 0000000000000000 02"), unhex(t, "80808001 0202"),
		unhex(t, "00 ffffffff07"), unhex(t, "00 7f 0102"), unhex(t, "00 00 ffff03"), unhex(t, "00 00 01ffffffff07"),
	}
	for i := range b {
		for _, x := range []byte{0, 1, 2, 0x7f, 0x80, 0xff, b[i] + 1, b[i] - 1} {
			c := bytes.Clone(b)
			c[i] = x
			inputs = append(inputs, c)
		}
	}
	for _, in := range inputs {
		want := span.Unmarshal(in, new(order))
		for how, src := range map[string]io.Reader{
			"stream": bytes.NewReader(in), "byte by byte": iotest.OneByteReader(bytes.NewReader(in)),
		} {
			got := span.UnmarshalRead(src, new(order))
			for _, class := range []error{
				io.ErrUnexpectedEOF, span.ErrTrailing, span.ErrMalformed, span.ErrRange, span.ErrDepth, span.ErrDuplicateKey,
			} {
				require.Equal(t, errors.Is(want, class), errors.Is(got, class), "%x: %v, %s %v", in, want, how, got)
			}
		}
	}
}
