package ser

import (
	"github.com/niubaoshu/gotiny"

	"github.com/spanwire/spanwire/bench/floor/model"
)

// gotinyCodec keeps an encoder and a decoder, as its authors do. A decoder that
// has panicked is left in the middle of its input, so the next call makes another.
func gotinyCodec[M any]() (Enc[M], Dec[M]) {
	enc, dec, busy := gotiny.NewEncoderWithPtr(new(M)), gotiny.NewDecoderWithPtr(new(M)), false
	return func(b []byte, v *M) ([]byte, error) {
			enc.AppendTo(b)
			return enc.Encode(v), nil
		}, func(b []byte, v *M) error {
			if busy {
				dec = gotiny.NewDecoderWithPtr(new(M))
			}
			busy = true
			dec.Decode(b, v)
			busy = false
			return nil
		}
}

func gotinyOf[M any]() Maker[M] {
	return Open[M](func() (Enc[M], Dec[M], error) {
		enc, dec := gotinyCodec[M]()
		return enc, dec, nil
	})
}

func gotinyRows() []*Row {
	return []*Row{{
		Peer: "gotiny", Name: "gotiny", Group: Reflection, Strings: "copy",
		Note:   "times as nanoseconds without a zone; bytes alias the input; no errors, panics on cut input; writes pointers that the garbage collector is not told of",
		Simple: gotinyOf[model.Simple](), Small: gotinyOf[model.Small](),
		Nested: gotinyOf[model.Nested](), Batch: gotinyOf[model.Batch](), Rich: gotinyOf[model.Rich](),
	}}
}
