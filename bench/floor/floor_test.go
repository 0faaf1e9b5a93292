// Package floor measures the floor: hand-written unsafe encoders and decoders of five models.
// Benchmark<Model> is in the wire order of package span with all its checks: the bar.
// BenchmarkReordered<Model> puts fixed fields first and checks less: how much order costs.
// Run: go test -bench . -benchmem -count 6 -cpu 1
package floor

import (
	"testing"

	"github.com/spanwire/spanwire/bench/floor/inorder"
	"github.com/spanwire/spanwire/bench/floor/limit"
	"github.com/spanwire/spanwire/bench/floor/model"
)

// bench measures enc into a reused buffer and each decoder into a reused object, cycling over vs.
func bench[T any](b *testing.B, vs []*T, enc func([]byte, *T) []byte, dec map[string]func([]byte, *T) error) {
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for i := 0; b.Loop(); i++ {
			buf = enc(buf[:0], vs[i%len(vs)])
		}
		b.ReportMetric(float64(len(buf)), "bytes")
	})
	in := make([][]byte, len(vs))
	for i, v := range vs {
		in[i] = enc(nil, v)
	}
	for name, d := range dec {
		b.Run("unmarshal/"+name, func(b *testing.B) {
			b.ReportAllocs()
			out := new(T)
			for i := 0; b.Loop(); i++ {
				if err := d(in[i%len(in)], out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func n[T any](f func([]byte, *T) (int, error)) func([]byte, *T) error {
	return func(b []byte, v *T) error { _, err := f(b, v); return err }
}

// must turns an in-order encoder into one for values that are known to be encodable.
func must[T any](f func([]byte, *T) ([]byte, error)) func([]byte, *T) []byte {
	return func(b []byte, v *T) []byte {
		b, err := f(b, v)
		if err != nil {
			panic(err)
		}
		return b
	}
}

type decoders[T any] map[string]func([]byte, *T) error

func BenchmarkSimple(b *testing.B) {
	bench(b, []*model.Simple{model.NewSimple()}, must(inorder.AppendSimple), decoders[model.Simple]{
		"alias": n(inorder.ReadSimple), "copy": n(inorder.ReadSimpleCopy)})
}

func BenchmarkSmall(b *testing.B) {
	bench(b, model.Smalls(), must(inorder.AppendSmall), decoders[model.Small]{
		"alias": n(inorder.ReadSmall), "copy": n(inorder.ReadSmallCopy), "shared": n(inorder.ReadSmallShared)})
}

func BenchmarkNested(b *testing.B) {
	bench(b, []*model.Nested{model.NewNested()}, must(inorder.AppendNested), decoders[model.Nested]{
		"alias": n(inorder.ReadNested), "copy": n(inorder.ReadNestedCopy), "shared": n(inorder.ReadNestedShared)})
}

func BenchmarkBatch(b *testing.B) {
	bench(b, []*model.Batch{model.NewBatch()}, must(inorder.AppendBatch), decoders[model.Batch]{
		"alias": inorder.ReadBatch, "copy": inorder.ReadBatchCopy, "shared": inorder.ReadBatchShared})
}

func BenchmarkRich(b *testing.B) {
	bench(b, []*model.Rich{model.NewRich()}, must(inorder.AppendRich), decoders[model.Rich]{
		"alias": inorder.ReadRich, "shared": inorder.ReadRichShared})
}

func BenchmarkReorderedSimple(b *testing.B) {
	bench(b, []*model.Simple{model.NewSimple()}, limit.AppendSimple, decoders[model.Simple]{
		"alias": n(limit.ReadSimpleZC), "copy": n(limit.ReadSimpleCopy)})
}

func BenchmarkReorderedSmall(b *testing.B) {
	bench(b, model.Smalls(), limit.AppendSmall, decoders[model.Small]{
		"alias": n(limit.ReadSmallZC), "shared": n(limit.ReadSmallCopy)})
}

func BenchmarkReorderedNested(b *testing.B) {
	bench(b, []*model.Nested{model.NewNested()}, limit.AppendNested, decoders[model.Nested]{
		"alias": n(limit.ReadNestedZC), "copy": n(limit.ReadNestedCopy2), "shared": n(limit.ReadNestedCopy1)})
}

func BenchmarkReorderedBatch(b *testing.B) {
	bench(b, []*model.Batch{model.NewBatch()}, limit.AppendBatch, decoders[model.Batch]{
		"alias": limit.ReadBatchZC, "copy": limit.ReadBatchCopy, "shared": limit.ReadBatchArena})
}

func BenchmarkReorderedRich(b *testing.B) {
	bench(b, []*model.Rich{model.NewRich()}, limit.AppendRich, decoders[model.Rich]{
		"alias": limit.ReadRichZC, "shared": limit.ReadRichArena})
}
