package span_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

// errReset is what a connection might give.
var errReset = errors.New("connection reset by peer")

// A brokenReader gives some bytes and then an error: with the last of them, or
// after them.
type brokenReader struct {
	b     []byte
	chunk int
	with  bool
	err   error
}

func (r *brokenReader) Read(p []byte) (int, error) {
	n := copy(p[:min(r.chunk, len(p))], r.b)
	r.b = r.b[n:]
	if len(r.b) == 0 && (r.with || n == 0) {
		return n, r.err
	}
	return n, nil
}

// corrupt gives a gzip stream of b whose checksum is wrong.
func corrupt(t *testing.T, b []byte) io.Reader {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	out := zipped.Bytes()
	out[len(out)-8] ^= 1
	r, err := gzip.NewReader(bytes.NewReader(out))
	require.NoError(t, err)
	return r
}

// Messages that may end in several places.
type (
	brokenTail struct {
		ID   uint32
		Name string    `span:"optional"`
		More []float64 `span:"optional"`
	}
	brokenNewLife struct {
		_    struct{} `span:"newlife"`
		ID   uint32
		Name string
		Sub  *brokenPart
	}
	brokenPart  struct{ X int32 }
	brokenSized struct {
		Old brokenTail `span:"sized"`
		B   []byte
	}
	brokenSelf struct{ rest string }
)

func (s *brokenSelf) WriteSpan(w *span.Writer) { w.WriteStringN(s.rest, -1) }
func (s *brokenSelf) ReadSpan(r *span.Reader)  { s.rest = r.ReadStringN(-1) }

// TestBrokenSource (G26): wherever a source ends with an error that is not
// io.EOF, reading gives that error.
func TestBrokenSource(t *testing.T) {
	full := brokenTail{ID: 7, Name: "name", More: []float64{1, 2}}
	for name, test := range map[string]struct{ in, out any }{
		"optional":         {full, new(brokenTail)},
		"first optional":   {struct{ ID uint32 }{7}, new(brokenTail)},
		"newlife":          {brokenNewLife{ID: 7, Name: "n"}, new(brokenNewLife)},
		"newlife, part":    {struct{ ID uint32 }{7}, new(brokenNewLife)},
		"sized":            {brokenSized{Old: full, B: []byte("bytes")}, new(brokenSized)},
		"a string":         {strings.Repeat("x", 300), new(string)},
		"a long list":      {make([]uint16, 40_000), new([]uint16)},
		"bytes":            {make([]byte, 80_000), new([]byte)},
		"maps":             {map[string]int{"a": 1}, new(map[string]int)},
		"nothing":          {struct{}{}, new(struct{})},
		"its own methods":  {&brokenSelf{"all that is left"}, new(brokenSelf)},
		"its own, nothing": {&brokenSelf{}, new(brokenSelf)},
	} {
		b, err := span.Marshal(test.in)
		require.NoError(t, err, name)
		for cut := len(b); cut >= 0; cut-- {
			if cut < len(b)-3 && cut > 50 {
				continue
			}
			for _, chunk := range []int{1 + len(b)/1000, 1 << 20} {
				for _, with := range []bool{false, true} {
					err := span.UnmarshalRead(&brokenReader{b[:cut], chunk, with, errReset}, test.out)
					require.ErrorIs(t, err, errReset, "%s: %d of %d bytes in pieces of %d, with the last: %v", name, cut, len(b), chunk, with)
				}
			}
		}
		require.ErrorIs(t, span.UnmarshalRead(corrupt(t, b), test.out), gzip.ErrChecksum, name)
		if len(b) > 0 {
			limited := http.MaxBytesReader(nil, io.NopCloser(bytes.NewReader(b)), int64(len(b)-1))
			var tooLarge *http.MaxBytesError
			require.ErrorAs(t, span.UnmarshalRead(limited, test.out), &tooLarge, name)
		}
		wrapped := fmt.Errorf("the tunnel closed: %w", io.EOF)
		require.ErrorContains(t, span.UnmarshalRead(&brokenReader{b, 8, true, wrapped}, test.out), "the tunnel closed", name)
		require.NoError(t, span.UnmarshalRead(&brokenReader{b, 8, true, io.EOF}, test.out), name)
	}
}

// TestBrokenStream (G26): a Decoder gives what came whole and then the error.
func TestBrokenStream(t *testing.T) {
	for _, unframed := range []bool{false, true} {
		var out bytes.Buffer
		enc := span.NewEncoder(&out)
		enc.Unframed = unframed
		for i := range 3 {
			require.NoError(t, enc.Encode(&brokenPart{int32(i)}))
		}
		b := out.Bytes()
		for cut := 0; cut <= len(b); cut++ {
			dec := span.NewDecoder(&brokenReader{b[:cut], 4, true, errReset})
			dec.Unframed = unframed
			var v brokenPart
			whole := 0
			var err error
			for err = dec.Decode(&v); err == nil; err = dec.Decode(&v) {
				whole++
			}
			require.Equal(t, cut/(len(b)/3), whole, "%d bytes", cut)
			require.ErrorIs(t, err, errReset, "%d bytes", cut)
			require.ErrorIs(t, dec.Decode(&v), errReset, "again")
		}
	}
}

// TestBrokenReader (G26): so does a Reader on a stream.
func TestBrokenReader(t *testing.T) {
	for name, read := range map[string]func(*span.Reader){
		"Elements":   func(r *span.Reader) { r.Elements() },
		"ReadString": func(r *span.Reader) { r.ReadString() },
		"ReadBytes":  func(r *span.Reader) { r.ReadBytes(make([]byte, 0, 200)) },
		"ReadUint64": func(r *span.Reader) { r.ReadUint64() },
		"the rest":   func(r *span.Reader) { r.ReadStringN(-1) },
		"EnterSized": func(r *span.Reader) { r.Fast().EnterSized(false) },
		"ReadRaw":    func(r *span.Reader) { r.ReadRaw(make([]byte, 9)) },
	} {
		for _, chunk := range []int{1, 100} {
			r := span.NewStreamReader(&brokenReader{[]byte{100, 1, 2, 3}, chunk, true, errReset})
			read(r)
			if name == "Elements" || name == "EnterSized" {
				r.ReadRaw(make([]byte, 100))
			}
			require.ErrorIs(t, r.Err(), errReset, "%s in pieces of %d", name, chunk)
		}
	}
}
