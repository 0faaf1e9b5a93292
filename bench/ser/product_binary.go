package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	peer "github.com/spanwire/spanwire/bench/peers/binary"
	"github.com/spanwire/spanwire/binary"
)

func ourBinaryOf[M, T any]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) { return binary.Append(b, v) },
		func(b []byte, v *T) error { return binary.Unmarshal(b, v) })
}

// productBinaryRows returns the rows of package binary.
func productBinaryRows() []*Row {
	return []*Row{{
		Peer: "spanwire", Name: "spanwire binary", Group: Stream, Strings: "copy", Ours: true,
		Note:   "int64 instead of time; NewLife's stream format by reflection; members missing at the end are allowed, as there",
		Simple: ourBinaryOf[model.Simple, peer.OurSimple](), Small: ourBinaryOf[model.Small, peer.OurSmall](),
		Nested: ourBinaryOf[model.Nested, peer.OurNested](), Batch: ourBinaryOf[model.Batch, peer.OurBatch](), Rich: ourBinaryOf[model.Rich, peer.OurRich](),
	}}
}
