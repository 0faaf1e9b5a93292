package binary_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// Values that may end in several places, or with the input.
type (
	brokenPlain struct {
		ID   uint32
		Name string
		On   bool
	}
	brokenRest struct {
		ID   uint32
		Rest string `binary:"rest"`
	}
	brokenSpan struct{ a, b uint16 }
	brokenOwn  struct {
		ID   uint32
		Part brokenSpan
	}
)

func (s *brokenSpan) WriteSpan(w *span.Writer) { w.WriteUint16(s.a); w.WriteUint16(s.b) }
func (s *brokenSpan) ReadSpan(r *span.Reader)  { s.a = r.ReadUint16(); s.b = r.ReadUint16() }

// TestBrokenSource (G26): wherever a source ends with an error that is not
// io.EOF, decoding gives that error: at once where the value needs more bytes or
// may end there, else in place of the next value.
func TestBrokenSource(t *testing.T) {
	reset := errors.New("connection reset by peer")
	for name, test := range map[string]struct{ in, out any }{
		"plain": {&brokenPlain{7, "name", true}, new(brokenPlain)},
		"rest":  {&brokenRest{7, "all that is left"}, new(brokenRest)},
		"list":  {&[]uint32{1, 2, 3}, new([]uint32)},
		"map":   {&map[string]uint32{"a": 1}, new(map[string]uint32)},
		"span":  {&brokenOwn{7, brokenSpan{1, 2}}, new(brokenOwn)},
	} {
		for _, opts := range []binary.Options{{}, {Compat: true}, {EncodeInt: true}, {Strict: true}} {
			b, err := opts.Marshal(test.in)
			require.NoError(t, err, name)
			for cut := range len(b) + 1 {
				for how, src := range map[string]io.Reader{
					"with the last":  &endingReader{bytes.NewReader(b[:cut]), cut, true, reset},
					"after the last": &endingReader{bytes.NewReader(b[:cut]), cut, false, reset},
					"byte by byte":   iotest.OneByteReader(&endingReader{bytes.NewReader(b[:cut]), cut, false, reset}),
				} {
					d := opts.NewDecoder(src)
					err := d.Decode(test.out)
					if cut == len(b) && name != "rest" && err == nil {
						err = d.Decode(test.out)
					}
					require.ErrorIs(t, err, reset, "%s: %d of %d bytes, the error %s", name, cut, len(b), how)
				}
			}
		}
	}
}

// A endingReader gives an error with the last of its bytes or after them.
type endingReader struct {
	r    io.Reader
	left int
	with bool
	err  error
}

func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.left -= n
	if err == io.EOF || r.with && r.left == 0 {
		err = r.err
	}
	return n, err
}

// TestBrokenSources (G26): the same with sources of the standard library.
func TestBrokenSources(t *testing.T) {
	b, err := binary.Marshal(&brokenRest{7, "all that is left"})
	require.NoError(t, err)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	zipped.Bytes()[zipped.Len()-8] ^= 1
	r, err := gzip.NewReader(&zipped)
	require.NoError(t, err)
	var v brokenRest
	require.ErrorIs(t, binary.NewDecoder(r).Decode(&v), gzip.ErrChecksum)

	limited := http.MaxBytesReader(nil, io.NopCloser(bytes.NewReader(b)), int64(len(b)-1))
	var tooLarge *http.MaxBytesError
	require.ErrorAs(t, binary.NewDecoder(limited).Decode(&v), &tooLarge)

	wrapped := fmt.Errorf("the tunnel closed: %w", io.EOF)
	d := binary.NewDecoder(&endingReader{bytes.NewReader(b[:4]), 4, true, wrapped})
	require.ErrorContains(t, d.Decode(&v), "the tunnel closed")
}
