package binary_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span/wire"
)

// Types that hold themselves.
type (
	nest []nest
	loop map[string]loop
	tree struct {
		Name string
		Kids []tree
	}
	heavy struct {
		Kids []heavy
		Data [64]int64
	}
	refer struct {
		N    uint16
		Kids []*refer `binary:"count=N"`
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

// Whatever lists of lists claim, memory follows the input (G33).
func TestNestedClaims(t *testing.T) {
	for name, c := range map[string]struct {
		read  func([]byte, io.Reader, binary.Options) error
		in    []byte
		ratio int
	}{
		"lists":         {readInto[nest], hostileTree(2000, 1), 4 * 24},
		"maps":          {readInto[loop], hostileTree(2000, 2, 0), 4 * 300},
		"structs":       {readInto[tree], append([]byte{0}, hostileTree(2000, 2, 0)...), 4 * 40},
		"fields behind": {readInto[heavy], bytes.Repeat([]byte{1}, 3000), 4 * 2},
		"references":    {readInto[refer], bytes.Repeat([]byte{7, 200}, 1000), 4 * 80},
		"long":          {readInto[nest], hostileTree(300_000, 1), 4 * 24},
	} {
		for how, o := range map[string]binary.Options{"plain": {}, "compat": {Compat: true}} {
			for _, stream := range []bool{false, true} {
				var src io.Reader
				read := func() error {
					if stream {
						src = bytes.NewReader(c.in)
					}
					return c.read(c.in, src, o)
				}
				_ = read() // plans and pools
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_ = read()
				runtime.ReadMemStats(&after)
				most := c.ratio*len(c.in) + 64<<10 + 1000*1200 // one element each, and the path of an error
				require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(most), "%s, %s, stream %v", name, how, stream)
			}
		}
	}
}

func readInto[T any](b []byte, src io.Reader, o binary.Options) error {
	if src == nil {
		return o.Unmarshal(b, new(T))
	}
	return o.NewDecoder(src).Decode(new(T))
}

// Trees that are what they say are read, from memory and streams.
func TestClaimedTrees(t *testing.T) {
	var grow func(depth int) tree
	grow = func(depth int) tree {
		v := tree{Name: "x"}
		for range depth {
			v.Kids = append(v.Kids, grow(depth-1))
		}
		return v
	}
	v := grow(7)
	b, err := binary.Marshal(&v)
	require.NoError(t, err)
	var u, w tree
	require.NoError(t, binary.Unmarshal(b, &u))
	require.Equal(t, v, u)
	require.NoError(t, binary.NewDecoder(bytes.NewReader(b)).Decode(&w))
	require.Equal(t, v, w)
}

// boast claims to have written more than it was given, or less than nothing.
type boast int

func (b boast) Write(p []byte) (int, error) { return len(p) + int(b), nil }

// An io.Writer that is none or does not keep its word is an error (G36).
func TestBadWriters(t *testing.T) {
	require.ErrorIs(t, binary.NewEncoder(nil).Encode(int32(1)), binary.ErrNil)
	require.ErrorIs(t, binary.NewDecoder(nil).Decode(new(int32)), binary.ErrNil)
	for _, b := range []boast{1, 1 << 20, -1 << 20} {
		e := binary.NewEncoder(b)
		require.ErrorContains(t, e.Encode(int32(1)), "invalid count")
		require.True(t, e.Total() >= 0 && e.Total() <= 4)
	}
	require.True(t, errors.Is(binary.NewEncoder(boast(-1)).Encode(int32(1)), io.ErrShortWrite))
}

// Keys that would read back as one are an error where all are looked at (G32).
func TestEqualKeys(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	ordered := binary.Options{Deterministic: true}
	for name, v := range map[string]any{
		"zones":     map[time.Time]int8{at: 1, at.In(time.FixedZone("", 3600)): 2},
		"fractions": map[[1]time.Time]int8{{at}: 1, {at.Add(1)}: 2},
	} {
		_, err := ordered.Marshal(v)
		require.ErrorIs(t, err, binary.ErrDuplicateKey, name)
	}
	nan := map[float64]int8{}
	nan[math.NaN()], nan[math.NaN()] = 1, 2
	_, err := ordered.Marshal(nan)
	require.NoError(t, err)
}

// What a slice held beyond its new length is let go, and what lies beyond its old one
// is not written through (G35).
func TestReusedSlices(t *testing.T) {
	type item struct{ N int8 }
	type holder struct {
		S []string
		P []*item
	}
	type open struct {
		P []*item `binary:"rest"`
	}
	message := func(v any) []byte {
		b, err := binary.Marshal(v)
		require.NoError(t, err)
		return b
	}
	var v holder
	require.NoError(t, binary.Unmarshal(message(&holder{[]string{"a", "b", "c"}, []*item{{1}, {2}, {3}}}), &v))
	first := v.P[0]
	require.NoError(t, binary.Unmarshal(message(&holder{[]string{"x"}, []*item{{9}}}), &v))
	require.Equal(t, []string{"x", "", ""}, v.S[:3])
	require.Equal(t, []*item{{9}, nil, nil}, v.P[:3])
	require.Same(t, first, v.P[0])
	v.P = v.P[:0]
	require.NoError(t, binary.Unmarshal(message(&holder{nil, []*item{{7}, {8}, {6}, {5}}}), &v))
	require.Equal(t, &item{9}, first)
	require.Equal(t, []*item{{7}, {8}, {6}, {5}}, v.P)

	var o open
	require.NoError(t, binary.Unmarshal([]byte{1, 2, 3}, &o))
	first = o.P[0]
	require.NoError(t, binary.Unmarshal([]byte{9}, &o))
	require.Equal(t, []*item{{9}, nil, nil}, o.P[:3])
	o.P = o.P[:0]
	require.NoError(t, binary.Unmarshal([]byte{4, 5, 6, 7, 8}, &o))
	require.Equal(t, &item{9}, first)
	require.Equal(t, []*item{{4}, {5}, {6}, {7}, {8}}, o.P)
}
