package ser

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/flat/flat"
)

// flatOf uses the object API: the model is packed into a buffer that is used
// again, and unpacked into a value that is used again.
func flatOf[M, T, V any](pack func(*T, *flatbuffers.Builder) flatbuffers.UOffsetT, root func([]byte, flatbuffers.UOffsetT) *V, unpack func(*V, *T)) Maker[M] {
	return Open[M](func() (Enc[T], Dec[T], error) {
		fb := flatbuffers.NewBuilder(1024)
		return func(b []byte, v *T) ([]byte, error) {
			fb.Reset()
			fb.Finish(pack(v, fb))
			return fb.FinishedBytes(), nil
		}, func(b []byte, v *T) error { unpack(root(b, 0), v); return nil }, nil
	})
}

func flatRows() []*Row {
	return []*Row{{
		Peer: "flatbuffers", Name: "flatbuffers", Group: Generated, Strings: "copy",
		Note:   "object API, so that all fields are read; int64 instead of time; the map is a list of pairs; returns its builder's buffer; no verifier in Go",
		Simple: flatOf[model.Simple]((*flat.SimpleT).Pack, flat.GetRootAsSimple, (*flat.Simple).UnPackTo),
		Small:  flatOf[model.Small]((*flat.SmallT).Pack, flat.GetRootAsSmall, (*flat.Small).UnPackTo),
		Nested: flatOf[model.Nested]((*flat.NestedT).Pack, flat.GetRootAsNested, (*flat.Nested).UnPackTo),
		Batch:  flatOf[model.Batch]((*flat.BatchT).Pack, flat.GetRootAsBatch, (*flat.Batch).UnPackTo),
		Rich:   flatOf[model.Rich]((*flat.RichT).Pack, flat.GetRootAsRich, (*flat.Rich).UnPackTo),
	}}
}
