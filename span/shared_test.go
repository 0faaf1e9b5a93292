//go:build !purego && !race

package span_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// TestSharedWithoutStrings (G10): a message of a type without strings is not
// copied for the strings that it does not have.
func TestSharedWithoutStrings(t *testing.T) {
	type sized struct {
		In struct{ A [100]int64 } `span:"sized"`
	}
	type every struct {
		F []float64
		B []byte
		S []sized
		M map[uint32]bool
	}
	type own struct{ R []rawBytes }
	numbers := make([]float64, 131_072)
	for name, test := range map[string]struct{ in, out any }{
		"a list":          {&numbers, &[]float64{}},
		"a struct":        {&every{numbers, make([]byte, 100_000), make([]sized, 100), map[uint32]bool{1: true}}, new(every)},
		"generated":       {&models.Numbers{}, new(models.Numbers)},
		"its own methods": {&own{[]rawBytes{make([]byte, 100_000)}}, new(own)},
	} {
		b, err := span.Marshal(test.in)
		require.NoError(t, err, name)
		for _, opts := range []span.Options{{Strings: span.SharedStrings}, {Strings: span.SharedStrings, Strict: true}} {
			read := func() {
				if err := opts.Unmarshal(b, test.out); err != nil {
					t.Error(name, err)
				}
			}
			read() // takes the memory that the next one uses
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read()
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20_000), "%s, %d bytes", name, len(b))
		}
	}
}

// rawBytes reads itself without a string.
type rawBytes []byte

func (x *rawBytes) WriteSpan(w *span.Writer) { w.WriteBytes(*x) }
func (x *rawBytes) ReadSpan(r *span.Reader)  { *x = r.ReadBytes(*x) }

// TestSharedByMethods: strings that methods read share one copy all the same.
func TestSharedByMethods(t *testing.T) {
	in := make([]textSelf, 50)
	for i := range in {
		in[i] = textSelf{"some text", "and more of it"}
	}
	b, err := span.Marshal(in)
	require.NoError(t, err)
	out := make([]textSelf, 0, len(in))
	opts := span.Options{Strings: span.SharedStrings}
	allocs := testing.AllocsPerRun(10, func() {
		if err := opts.Unmarshal(b, &out); err != nil {
			t.Error(err)
		}
	})
	require.Equal(t, in, out)
	require.LessOrEqual(t, allocs, 4.0)
}

type textSelf struct{ A, B string }

func (x *textSelf) WriteSpan(w *span.Writer) { w.WriteString(x.A); w.WriteString(x.B) }
func (x *textSelf) ReadSpan(r *span.Reader)  { x.A = r.ReadString(); x.B = r.ReadString() }
