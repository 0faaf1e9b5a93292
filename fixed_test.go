package spanwire_test

import (
	"errors"
	"testing"

	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/span"
)

// TestFixedWriter writes into buffers of every size: the exact size is enough,
// and in a smaller one the error names the field that did not fit.
func TestFixedWriter(t *testing.T) {
	v := floormodel.NewSimple()
	fields := []struct {
		name string
		end  int
	}{{"ID", 4}, {"Name", 12}, {"IsActive", 13}, {"CreatedAt", 21}, {"Score", 29}}
	for size := range v.SizeSpan() {
		w := *span.NewFixedWriter(make([]byte, size))
		v.WriteSpan(&w)
		want := ""
		for _, f := range fields {
			if want == "" && size < f.end {
				want = f.name
			}
		}
		var e *span.Error
		if err := w.Err(); !errors.Is(err, span.ErrShortBuffer) || !errors.As(err, &e) || e.Path != want {
			t.Errorf("%d bytes: %v, want the path %s", size, err, want)
		}
	}
	buf := make([]byte, v.SizeSpan())
	w := *span.NewFixedWriter(buf)
	if v.WriteSpan(&w); w.Err() != nil || &w.Bytes()[0] != &buf[0] {
		t.Errorf("a buffer of the message's size: %v", w.Err())
	}
}
