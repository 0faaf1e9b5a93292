//go:build !purego

package spanwire_test

import (
	"testing"

	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/span"
)

// TestGeneratedAllocs counts what the generated methods allocate with a buffer
// that is large enough, a used value, and cursors on the stack: nothing, but one
// copy of the keys of a map.
func TestGeneratedAllocs(t *testing.T) {
	t.Run("Simple", func(t *testing.T) {
		v, out := floormodel.NewSimple(), new(floormodel.Simple)
		allocs(t, v, 0, func(b []byte) {
			var r span.Reader
			r.Reset(b, span.AliasStrings)
			if out.ReadSpan(&r); r.Err() != nil {
				t.Error(r.Err())
			}
		}, func(b []byte) {
			var w span.Writer
			w.Reset(b)
			if v.WriteSpan(&w); w.Err() != nil {
				t.Error(w.Err())
			}
		})
	})
	t.Run("Batch", func(t *testing.T) {
		v, out := floormodel.NewBatch(100), new(floormodel.Batch)
		allocs(t, v, 0, func(b []byte) {
			var r span.Reader
			r.Reset(b, span.AliasStrings)
			if out.ReadSpan(&r); r.Err() != nil {
				t.Error(r.Err())
			}
		}, func(b []byte) {
			var w span.Writer
			w.Reset(b)
			if v.WriteSpan(&w); w.Err() != nil {
				t.Error(w.Err())
			}
		})
	})
	t.Run("Rich", func(t *testing.T) {
		v, out := floormodel.NewRich(), new(floormodel.Rich)
		allocs(t, v, 1, func(b []byte) {
			var r span.Reader
			r.Reset(b, span.AliasStrings)
			if out.ReadSpan(&r); r.Err() != nil {
				t.Error(r.Err())
			}
		}, func(b []byte) {
			var w span.Writer
			w.Reset(b)
			if v.WriteSpan(&w); w.Err() != nil {
				t.Error(w.Err())
			}
		})
	})
}

// allocs counts the allocations of AppendSpan into a buffer of exactly the
// message's size, of write into such a buffer and of read, which may have most.
func allocs[T any, P generated[T]](t *testing.T, v P, most float64, read, write func([]byte)) {
	t.Helper()
	buf := make([]byte, 0, v.SizeSpan())
	count := func(what string, most float64, f func()) {
		t.Helper()
		f()
		if n := testing.AllocsPerRun(100, f); n > most {
			t.Errorf("%s: %v allocations, want at most %v", what, n, most)
		}
	}
	var msg []byte
	count("AppendSpan", 0, func() {
		var err error
		if msg, err = v.AppendSpan(buf); err != nil || &msg[0] != &buf[:1][0] {
			t.Errorf("AppendSpan moved a buffer of the message's size, or %v", err)
		}
	})
	count("WriteSpan", 0, func() { write(buf) })
	msg = append([]byte(nil), msg...)
	count("ReadSpan", most, func() { read(msg) })
}
