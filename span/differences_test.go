package span_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// boast claims to have written or read more than it was given, or less than
// nothing.
type boast int

func (b boast) Write(p []byte) (int, error) { return len(p) + int(b), nil }
func (b boast) Read(p []byte) (int, error)  { return len(p) + int(b), nil }

// An io.Writer or io.Reader that is none, or does not keep its word, is an error,
// whoever writes or reads (G36).
func TestBadStreams(t *testing.T) {
	type empty struct{}
	for name, v := range map[string]any{"value": "text", "nothing": empty{}, "map": map[string]int{"a": 1}} {
		require.ErrorIs(t, span.MarshalWrite(nil, v), span.ErrNil, name)
		require.ErrorIs(t, span.NewEncoder(nil).Encode(v), span.ErrNil, name)
		require.ErrorIs(t, span.UnmarshalRead(nil, new(string)), span.ErrNil, name)
		require.ErrorIs(t, span.NewDecoder(nil).Decode(new(string)), span.ErrNil, name)
	}
	w := span.NewStreamWriter(nil)
	w.WriteUint8(1)
	require.ErrorIs(t, w.Flush(), span.ErrNil)
	r := span.NewStreamReader(nil)
	require.Zero(t, r.ReadUint8())
	require.ErrorIs(t, r.Err(), span.ErrNil)

	for _, b := range []boast{1, 1000, -1 << 20} {
		require.ErrorContains(t, span.MarshalWrite(b, "text"), "invalid count")
		require.ErrorContains(t, span.NewEncoder(b).Encode(make([]byte, 200_000)), "invalid count")
		require.ErrorContains(t, span.UnmarshalRead(b, new(string)), "invalid count")
	}
	require.ErrorIs(t, span.MarshalWrite(boast(-1), "text"), io.ErrShortWrite)
}

// The first tick of each kind is the zero time and nothing else (G36).
func TestFirstTick(t *testing.T) {
	for _, x := range []uint64{0, 1 << 62, 1 << 63, 3 << 62} {
		v, ok := wire.TimeFromTicks(int64(x))
		require.True(t, ok)
		require.Equal(t, time.Time{}, v, "%x", x)
	}
	type ticks struct {
		T time.Time `span:"ticks"`
	}
	var v ticks
	require.NoError(t, span.Unmarshal(unhex(t, "0000000000000080"), &v))
	require.Equal(t, ticks{}, v)
}

// Each sized struct has a numbering of its own, in which it has no number (G36).
func TestSharedUnderSized(t *testing.T) {
	type node struct {
		N    int8
		Next *node `span:"shared"`
	}
	type holder struct {
		A node    `span:"sized"`
		B *node   `span:"sized"`
		C []*node `span:"sized"`
		D *node   `span:"shared"`
		E *node   `span:"shared"`
	}
	n := &node{N: 1}
	n.Next = n
	v := holder{A: node{2, n}, B: n, C: []*node{n, n}, D: n, E: n}
	const inner = "04 01 01 01 01" // behind its length: N, a new object, its N, the object itself
	want := "04 02 01 01 01" + "01" + inner + "02 01" + inner + "01" + inner + "01 01 01" + "01"
	b, err := span.Marshal(&v)
	require.NoError(t, err)
	require.Equal(t, unhex(t, want), b)
	var out bytes.Buffer
	require.NoError(t, span.MarshalWrite(&out, &v))
	require.Equal(t, b, out.Bytes())
	for how, read := range map[string]func(*holder) error{
		"memory": func(u *holder) error { return span.Unmarshal(b, u) },
		"stream": func(u *holder) error { return span.UnmarshalRead(bytes.NewReader(b), u) },
	} {
		var u holder
		require.NoError(t, read(&u), how)
		require.True(t, u.D == u.E && u.D.Next == u.D, "outside there is one object")
		require.True(t, u.B != u.D && u.B.Next != u.B && u.B.Next.Next == u.B.Next, "inside there is another")
		require.True(t, u.C[0] != u.C[1] && u.A.Next != u.D)
	}
	require.True(t, errors.Is(span.Unmarshal(unhex(t, "04 02 02 01 01"), new(holder)), span.ErrMalformed))
}

// What a slice held beyond its new length is let go, and what lies beyond its old
// one, which may be others' by now, is not written through (G35).
func TestReusedSlices(t *testing.T) {
	type item struct {
		N int8
		S string
	}
	type holder struct {
		S []string
		P []*item
		L []item
		E [][]string
	}
	message := func(n int) []byte {
		v := holder{}
		for range n {
			v.S, v.P = append(v.S, "text"), append(v.P, &item{1, "p"})
			v.L, v.E = append(v.L, item{2, "l"}), append(v.E, []string{"a", "b"})
		}
		b, err := span.Marshal(&v)
		require.NoError(t, err)
		return b
	}
	for name, o := range map[string]span.Options{"alias": {Strings: span.AliasStrings}, "copy": {}, "strict": {Strict: true}} {
		for _, short := range []int{0, 1, 3} {
			var v holder
			require.NoError(t, o.Unmarshal(message(4), &v))
			first := v.P[0]
			require.NoError(t, o.Unmarshal(message(short), &v))
			require.Equal(t, make([]string, 4-short), v.S[short:4], name)
			require.Equal(t, make([]*item, 4-short), v.P[short:4], name)
			require.Equal(t, make([]item, 4-short), v.L[short:4], name)
			require.Equal(t, make([][]string, 4-short), v.E[short:4], name)
			if short > 0 {
				require.Same(t, first, v.P[0], "what is shown is used again")
			}
		}
		var v holder
		require.NoError(t, o.Unmarshal(message(4), &v))
		out, texts := append([]*item(nil), v.P...), append([][]string(nil), v.E...)
		v.P, v.E, v.L, v.S = v.P[:0], v.E[:1], v.L[:0], v.S[:0]
		b, err := span.Marshal(&holder{P: []*item{{9, "x"}, nil, {8, "y"}, {7, "z"}, {6, ""}}, E: [][]string{{"q"}, {"r", "s"}}})
		require.NoError(t, err)
		require.NoError(t, o.Unmarshal(b, &v))
		require.Equal(t, &item{6, ""}, v.P[4])
		for i := range out {
			require.Equal(t, &item{1, "p"}, out[i], name)
		}
		require.Equal(t, []string{"a", "b"}, texts[1])
		require.Equal(t, []string{"q", ""}, texts[0][:2], "shown, so used again")
	}
}

// TestList: what generated code does to the same end.
func TestList(t *testing.T) {
	s := []string{"a", "b", "c", "d"}
	require.Equal(t, s, spanrt.List(s, 4))
	l := spanrt.List(s, 2)
	require.Equal(t, []string{"a", "b", "", ""}, l[:4])
	s = []string{"a", "b", "c", "d"}
	l = spanrt.List(s[:1], 3)
	require.Equal(t, []string{"a", "", "", "d"}, l[:4])
	s = []string{"a", "b", "c", "d"}
	l = spanrt.List(s[:1], 9)
	require.Equal(t, append([]string{"a"}, make([]string, 8)...), l)
	require.Equal(t, []string{"a", "b", "c", "d"}, s)
	big := make([][1 << 20]byte, 1, 2)
	require.Len(t, spanrt.List(big, 9), 2)
	require.Empty(t, spanrt.List(s, 0))
	require.Equal(t, make([]string, 4), s)
}
