package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/msgp/keyed"
	"github.com/spanwire/spanwire/bench/peers/msgp/tuple"
)

type msgpMethods[T any] interface {
	*T
	MarshalMsg([]byte) ([]byte, error)
	UnmarshalMsg([]byte) ([]byte, error)
}

func msgpOf[M, T any, P msgpMethods[T]]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) { return P(v).MarshalMsg(b) },
		func(b []byte, v *T) error { _, err := P(v).UnmarshalMsg(b); return err })
}

func msgpRows() []*Row {
	return []*Row{
		{
			Peer: "msgp", Name: "msgp tuple", Group: Generated, Strings: "copy",
			Note:   "MessagePack, structs as arrays; limits must be set by the user",
			Simple: msgpOf[model.Simple, tuple.Simple](), Small: msgpOf[model.Small, tuple.Small](),
			Nested: msgpOf[model.Nested, tuple.Nested](), Batch: msgpOf[model.Batch, tuple.Batch](), Rich: msgpOf[model.Rich, tuple.Rich](),
		},
		{
			Peer: "msgp", Name: "msgp", Group: Generated, Strings: "copy",
			Note:   "MessagePack, structs as maps with field names (the default); limits must be set by the user",
			Simple: msgpOf[model.Simple, keyed.Simple](), Small: msgpOf[model.Small, keyed.Small](),
			Nested: msgpOf[model.Nested, keyed.Nested](), Batch: msgpOf[model.Batch, keyed.Batch](), Rich: msgpOf[model.Rich, keyed.Rich](),
		},
	}
}
