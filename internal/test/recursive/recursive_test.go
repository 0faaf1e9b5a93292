package recursive_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test/recursive"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// plan is a limit of depth that is the default, but which only the plan obeys.
var plan = span.Options{MaxDepth: 1000}

// outcome is an error as callers see it.
type outcome struct {
	Class  error
	Path   string
	Offset int64
}

func outcomeOf(err error) (o outcome) {
	for _, class := range []error{
		io.ErrUnexpectedEOF, span.ErrTrailing, span.ErrMalformed, span.ErrRange, span.ErrLimit, span.ErrDepth, span.ErrNil,
	} {
		if errors.Is(err, class) {
			o.Class = class
			break
		}
	}
	var e *span.Error
	if errors.As(err, &e) && !errors.Is(err, span.ErrTrailing) {
		o.Path, o.Offset = e.Path, e.Offset
	}
	return o
}

// same decodes an input by generated code and by the plan, from memory and from a
// stream: all do the same.
func same[T any](t *testing.T, in []byte) {
	t.Helper()
	var v, w, x T
	err, planned := span.Unmarshal(in, &v), plan.Unmarshal(in, &w)
	require.Equal(t, outcomeOf(planned), outcomeOf(err), "%.100x", in)
	streamed := span.UnmarshalRead(bytes.NewReader(in), &x)
	require.Equal(t, outcomeOf(err).Class, outcomeOf(streamed).Class, "%.100x: %v, %v", in, err, streamed)
	if err == nil {
		require.Equal(t, v, w)
		require.Equal(t, v, x)
	}
}

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

// Generated code takes no more memory than the input justifies either, however lists
// claim it, and names the same place (G20, G33).
func TestHostile(t *testing.T) {
	check := func(name string, in []byte, ratio int, v any) {
		for how, read := range map[string]func(v any) error{
			"memory": func(v any) error { return span.Unmarshal(in, v) },
			"stream": func(v any) error { return span.UnmarshalRead(bytes.NewReader(in), v) },
		} {
			fresh := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
			_ = read(fresh())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read(fresh())
			runtime.ReadMemStats(&after)
			require.Error(t, err, name)
			require.LessOrEqual(t, len(err.Error()), 1500, name)
			require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(ratio*len(in)+64<<10), "%s, %s", name, how)
		}
	}
	tree := append([]byte{0}, hostileTree(2000, 2, 0)...)
	deep := append(bytes.Repeat([]byte{0, 1}, 1500), make([]byte, 3000)...)
	check("tree", tree, 2*20, new(recursive.Tree))
	same[recursive.Tree](t, tree)
	check("deep", deep, 2*20, new(recursive.Tree))
	same[recursive.Tree](t, deep)
	check("nest", hostileTree(2000, 1), 2*24, new(recursive.Nest))
	same[recursive.Nest](t, hostileTree(2000, 1))
	check("heavy", bytes.Repeat([]byte{1}, 3000), 4, new(recursive.Heavy))
	same[recursive.Heavy](t, bytes.Repeat([]byte{1}, 3000))
	check("mixed", hostileTree(2000, 8), 2*(120+300), new(recursive.Mixed))
	same[recursive.Mixed](t, hostileTree(2000, 8))
	check("levels", hostileTree(2000, 1), 2*24, new(recursive.Levels))
	same[recursive.Levels](t, hostileTree(2000, 1))
}

// grow makes a value of about n nodes.
func grow(r *rand.Rand, n int) (v recursive.Mixed) {
	v.N = uint16(n)
	for n--; n > 0; {
		k := 1 + r.IntN(n)
		n -= k
		x := grow(r, k)
		switch r.IntN(6) {
		case 0:
			v.List = append(v.List, x)
		case 1:
			v.Ptrs = append(v.Ptrs, &x, nil)
		case 2:
			v.Next = &x
		case 3:
			v.Named = map[string]recursive.Mixed{"key": x}
		case 4:
			v.Sized = &x
		default:
			v.Deep = append(v.Deep, []recursive.Mixed{x})
		}
	}
	return v
}

// Every change of a byte gives the same value or the same fault.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := grow(r, 30)
	b, err := span.Marshal(&v)
	require.NoError(t, err)
	same[recursive.Mixed](t, b)
	for i := range b {
		same[recursive.Mixed](t, b[:i])
		for _, x := range []byte{0, 1, 2, 3, 0x7f, 0x80, 0xff, b[i] + 1, b[i] - 1} {
			c := bytes.Clone(b)
			c[i] = x
			same[recursive.Mixed](t, c)
		}
	}
	var big recursive.Mixed
	for range 1000 {
		big.List = append(big.List, grow(r, 100))
	}
	b, err = span.Options{Deterministic: true}.Marshal(&big)
	require.NoError(t, err)
	require.Greater(t, len(b), 100<<10)
	same[recursive.Mixed](t, b)
}

// What is too deep to be written is named as the plan names it (G20).
func TestTooDeep(t *testing.T) {
	for name, wrap := range map[string]func(recursive.Mixed) recursive.Mixed{
		"next": func(v recursive.Mixed) recursive.Mixed { return recursive.Mixed{Next: &v} },
		"list": func(v recursive.Mixed) recursive.Mixed { return recursive.Mixed{List: []recursive.Mixed{v}} },
		"ptrs": func(v recursive.Mixed) recursive.Mixed { return recursive.Mixed{Ptrs: []*recursive.Mixed{nil, &v}} },
		"map": func(v recursive.Mixed) recursive.Mixed {
			return recursive.Mixed{Named: map[string]recursive.Mixed{"k": v}}
		},
	} {
		var v recursive.Mixed
		for range 1100 {
			v = wrap(v)
		}
		_, err := span.Marshal(&v)
		_, planned := plan.Marshal(&v)
		require.ErrorIs(t, err, span.ErrDepth, name)
		require.Equal(t, outcomeOf(planned), outcomeOf(err), name)
		require.Contains(t, outcomeOf(err).Path, "…")
		require.Less(t, len(err.Error()), 1000)
		require.False(t, strings.Contains(outcomeOf(err).Path, "].["), name)
	}
}
