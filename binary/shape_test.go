package binary_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// enclosed writes itself for package span, by package binary.
type enclosed struct{ v struct{ N uint32 } }

func (e *enclosed) WriteSpan(w *span.Writer) {
	b, err := binary.Marshal(&e.v)
	w.Fail(err)
	w.WriteBytes(b)
}

func (e *enclosed) ReadSpan(r *span.Reader) { r.Fail(binary.Unmarshal(r.ReadBytes(nil), &e.v)) }

// TestOneErrorShape: errors of both packages are of one type that says whose they
// are, and each is the reason of the other where one package calls the other.
func TestOneErrorShape(t *testing.T) {
	type line struct{ Price uint32 }
	var e *span.Error
	err := binary.Unmarshal([]byte{1, 0, 0}, &struct{ Lines [1]line }{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, []any{"binary", "unmarshal", "Lines[0].Price", int64(3)}, []any{e.Package, e.Op, e.Path, e.Offset})
	require.ErrorIs(t, e, io.ErrUnexpectedEOF)

	// span calls binary: the place is that in the span message.
	err = span.Unmarshal([]byte{7, 2, 0, 0}, &struct {
		A uint8
		B enclosed
	}{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, []any{"", "B", int64(4)}, []any{e.Package, e.Path, e.Offset})
	require.ErrorAs(t, e.Err, &e)
	require.Equal(t, []any{"binary", "N", int64(2)}, []any{e.Package, e.Path, e.Offset})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)

	// binary calls span: the reason is what span found.
	err = binary.Unmarshal([]byte{7, 9}, &struct {
		A uint8
		B selfish
	}{})
	require.ErrorAs(t, err, &e)
	require.Equal(t, []any{"binary", "B", span.ErrRange}, []any{e.Package, e.Path, e.Err})
	require.False(t, errors.As(e.Err, &e))
}

// selfish refuses to be read.
type selfish struct{ n uint8 }

func (s *selfish) WriteSpan(w *span.Writer) { w.WriteUint8(s.n) }
func (s *selfish) ReadSpan(r *span.Reader)  { s.n = r.ReadUint8(); r.Fail(span.ErrRange) }
