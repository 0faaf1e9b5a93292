package span_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
)

// boxed nests in sized structs; each write of it is counted.
type boxed struct {
	_     struct{} `span:"sized"`
	Mark  counted
	Inner *boxed
	List  []boxed
	Data  []byte
}

// counted counts how often it is written.
type counted struct{ _ int }

var writes int

func (c *counted) WriteSpan(w *span.Writer) { writes++; w.WriteUint8(7) }
func (c *counted) ReadSpan(r *span.Reader)  { r.ReadUint8() }

// Sizes of nested sized structs are found by one walk, however long and deep they
// are and however the value is written (G34).
func TestNestedSized(t *testing.T) {
	v := &boxed{Data: make([]byte, 100_000)}
	nodes, size := 1, test.Count(10, 100, 100)
	for i := range 300 {
		v = &boxed{Inner: v, Data: make([]byte, i)}
		for range i % 7 {
			v.List = append(v.List, boxed{Data: make([]byte, size*i)}, boxed{})
			nodes += 2
		}
		nodes++
	}
	want, err := span.Marshal(v)
	require.NoError(t, err)
	pair := []*boxed{v, v}
	wantPair, err := span.Marshal(pair)
	require.NoError(t, err)

	var out bytes.Buffer
	writes = 0
	require.NoError(t, span.MarshalWrite(&out, v))
	require.LessOrEqual(t, writes, 2*nodes)
	require.True(t, bytes.Equal(out.Bytes(), want))

	out.Reset()
	writes = 0
	require.NoError(t, span.MarshalWrite(&out, pair))
	require.LessOrEqual(t, writes, 4*nodes)
	require.True(t, bytes.Equal(out.Bytes(), wantPair))

	out.Reset()
	writes = 0
	enc := span.NewEncoder(&out)
	require.NoError(t, enc.Encode(v))
	require.LessOrEqual(t, writes, 2*nodes)
	require.NoError(t, enc.Encode(pair))
	dec := span.NewDecoder(&out)
	var u boxed
	require.NoError(t, dec.Decode(&u))
	require.True(t, equal(*v, u))
	var us []*boxed
	require.NoError(t, dec.Decode(&us))
	require.True(t, equal(pair, us))
	require.Equal(t, io.EOF, dec.Decode(&us))
}

// A value that changes between being measured and being written is an error.
func TestChangingSized(t *testing.T) {
	type outer struct {
		_ struct{} `span:"sized"`
		A []byte
		B growing
		C []byte
	}
	for _, n := range []int{0, 100, 40_000} {
		err := span.MarshalWrite(io.Discard, &outer{A: make([]byte, n), C: make([]byte, n)})
		if n > 1000 {
			require.ErrorContains(t, err, "changed the value")
		} else {
			require.NoError(t, err) // it was changed where its length is not written yet
		}
	}
}

// growing is longer each time.
type growing struct{ n int }

func (g *growing) WriteSpan(w *span.Writer) { g.n++; w.WriteRaw(make([]byte, g.n)) }
func (g *growing) ReadSpan(*span.Reader)    {}
