package spanwire_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/internal/floormodel/plain"
	"github.com/spanwire/spanwire/span"
)

// generated is the method set that spangen writes for *T.
type generated[T any] interface {
	*T
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
	WriteSpan(*span.Writer)
	ReadSpan(*span.Reader)
}

// modes are the string modes by the names of the benchmark rows.
var modes = []struct {
	name string
	mode span.StringMode
}{{"alias", span.AliasStrings}, {"shared", span.SharedStrings}, {"copy", span.CopyStrings}}

// TestFloorBytes holds the bytes of generated code and of reflection against
// the floor's, which bench/floor records.
func TestFloorBytes(t *testing.T) {
	batch, plainBatch := floormodel.NewBatch(10), plain.NewBatch(10)
	rich, plainRich := floormodel.NewRich(), plain.NewRich()
	rich.M, plainRich.M = map[string]int32{"key": 7}, map[string]int32{"key": 7}
	floorBytes(t, "Simple", floormodel.NewSimple(), plain.NewSimple())
	floorBytes(t, "Small", floormodel.NewSmalls()[0], plain.NewSmalls()[0])
	floorBytes(t, "Nested", floormodel.NewNested(), plain.NewNested())
	floorBytes(t, "Batch", batch, plainBatch)
	floorBytes(t, "Rich", rich, plainRich)
}

func floorBytes[T any, P generated[T], Q any](t *testing.T, name string, v P, w *Q) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "floor", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(string(text))
	got, err := v.AppendSpan(nil)
	if hex.EncodeToString(got) != want || err != nil {
		t.Errorf("%s: AppendSpan gives %x, %v; want %s", name, got, err, want)
	}
	if n := v.SizeSpan(); n != len(want)/2 {
		t.Errorf("%s: SizeSpan gives %d, want %d", name, n, len(want)/2)
	}
	got, err = span.Marshal(w)
	if hex.EncodeToString(got) != want || err != nil {
		t.Errorf("%s: Marshal by reflection gives %x, %v; want %s", name, got, err, want)
	}
	b, _ := hex.DecodeString(want)
	for _, m := range modes {
		var r span.Reader
		r.Reset(b, m.mode)
		out := P(new(T))
		out.ReadSpan(&r)
		if r.Err() != nil || !reflect.DeepEqual(out, v) {
			t.Errorf("%s: ReadSpan(%s) gives %+v, %v", name, m.name, out, r.Err())
		}
		plainOut := new(Q)
		if err := (span.Options{Strings: m.mode}).Unmarshal(b, plainOut); err != nil || !reflect.DeepEqual(plainOut, w) {
			t.Errorf("%s: Unmarshal(%s) by reflection gives %+v, %v", name, m.name, plainOut, err)
		}
	}
}

// BenchmarkGenerated times the generated methods: AppendSpan into a used buffer,
// and ReadSpan from a Reader on the stack into a used value.
func BenchmarkGenerated(b *testing.B) {
	b.Run("Simple", func(b *testing.B) { benchGenerated(b, floormodel.NewSimple()) })
	b.Run("Small", func(b *testing.B) { benchGenerated(b, floormodel.NewSmalls()...) })
	b.Run("Nested", func(b *testing.B) { benchGenerated(b, floormodel.NewNested()) })
	b.Run("Batch", func(b *testing.B) { benchGenerated(b, floormodel.NewBatch(1000)) })
	b.Run("Rich", func(b *testing.B) { benchGenerated(b, floormodel.NewRich()) })
}

func benchGenerated[T any, P generated[T]](b *testing.B, vs ...*T) {
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for i := 0; b.Loop(); i++ {
			var err error
			if buf, err = P(vs[i%len(vs)]).AppendSpan(buf[:0]); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(buf)), "bytes")
	})
	in := marshalAll(b, vs)
	for _, m := range modes {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			out := P(new(T))
			var r span.Reader
			for i := 0; b.Loop(); i++ {
				r.Reset(in[i%len(in)], m.mode)
				if out.ReadSpan(&r); r.Err() != nil {
					b.Fatal(r.Err())
				}
			}
		})
	}
}

// BenchmarkReflection times the entry points on the same types without
// generated code.
func BenchmarkReflection(b *testing.B) {
	b.Run("Simple", func(b *testing.B) { benchEntry(b, plain.NewSimple()) })
	b.Run("Small", func(b *testing.B) { benchEntry(b, plain.NewSmalls()...) })
	b.Run("Nested", func(b *testing.B) { benchEntry(b, plain.NewNested()) })
	b.Run("Batch", func(b *testing.B) { benchEntry(b, plain.NewBatch(1000)) })
	b.Run("Rich", func(b *testing.B) { benchEntry(b, plain.NewRich()) })
}

// BenchmarkEntry times Append and Unmarshal on types with generated code.
func BenchmarkEntry(b *testing.B) {
	b.Run("Simple", func(b *testing.B) { benchEntry(b, floormodel.NewSimple()) })
	b.Run("Small", func(b *testing.B) { benchEntry(b, floormodel.NewSmalls()...) })
	b.Run("Nested", func(b *testing.B) { benchEntry(b, floormodel.NewNested()) })
	b.Run("Batch", func(b *testing.B) { benchEntry(b, floormodel.NewBatch(1000)) })
	b.Run("Rich", func(b *testing.B) { benchEntry(b, floormodel.NewRich()) })
}

func benchEntry[T any](b *testing.B, vs ...*T) {
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for i := 0; b.Loop(); i++ {
			var err error
			if buf, err = span.Append(buf[:0], vs[i%len(vs)]); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(buf)), "bytes")
	})
	in := marshalAll(b, vs)
	for _, m := range modes {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			out := new(T)
			opts := span.Options{Strings: m.mode}
			for i := 0; b.Loop(); i++ {
				if err := opts.Unmarshal(in[i%len(in)], out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// marshalAll returns the messages of vs.
func marshalAll[T any](b *testing.B, vs []*T) [][]byte {
	in := make([][]byte, len(vs))
	for i, v := range vs {
		var err error
		if in[i], err = span.Marshal(v); err != nil {
			b.Fatal(err)
		}
	}
	return in
}
