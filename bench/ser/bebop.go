package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/bebop/dated"
	"github.com/spanwire/spanwire/bench/peers/bebop/fast"
	"github.com/spanwire/spanwire/bench/peers/bebop/safe"
)

type bebopMethods[T any] interface {
	*T
	Size() int
	MarshalBebopTo([]byte) int
	UnmarshalBebop([]byte) error
}

type bebopUnsafe[T any] interface {
	bebopMethods[T]
	MustUnmarshalBebop([]byte)
}

// bebopEnc sizes first, as bebop demands: MarshalBebopTo panics in a short
// buffer.
func bebopEnc[T any, P bebopMethods[T]](b []byte, v *T) ([]byte, error) {
	n := P(v).Size()
	if cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	return b[:P(v).MarshalBebopTo(b)], nil
}

func bebopDec[T any, P bebopMethods[T]](b []byte, v *T) error { return P(v).UnmarshalBebop(b) }

func bebopMust[T any, P bebopUnsafe[T]](b []byte, v *T) error { P(v).MustUnmarshalBebop(b); return nil }

func bebopOf[M, T any, P bebopMethods[T]]() Maker[M] { return Of[M](bebopEnc[T, P], bebopDec[T, P]) }

func bebopUnsafeOf[M, T any, P bebopUnsafe[T]]() Maker[M] {
	return Of[M](bebopEnc[T, P], bebopMust[T, P])
}

func bebopRows() []*Row {
	const (
		value  = "Rich's pointer is a value; no limits"
		fields = "int64 instead of time; " + value
	)
	return []*Row{
		{
			Peer: "200sc/bebop", Name: "bebop", Group: Generated, Strings: "copy", Note: fields,
			Simple: bebopOf[model.Simple, safe.Simple](), Small: bebopOf[model.Small, safe.Small](),
			Nested: bebopOf[model.Nested, safe.Nested](), Batch: bebopOf[model.Batch, safe.Batch](), Rich: bebopOf[model.Rich, safe.Rich](),
		},
		{
			Peer: "200sc/bebop", Name: "bebop shared memory", Group: Generated, Encoder: "bebop", Strings: "alias", Note: fields + "; checks the input's length",
			Simple: bebopOf[model.Simple, fast.Simple](), Small: bebopOf[model.Small, fast.Small](),
			Nested: bebopOf[model.Nested, fast.Nested](), Batch: bebopOf[model.Batch, fast.Batch](), Rich: bebopOf[model.Rich, fast.Rich](),
		},
		{
			Peer: "200sc/bebop", Name: "bebop unsafe", Group: Generated, Encoder: "bebop", Strings: "alias", Note: fields + "; MustUnmarshalBebop: no checks, panics on cut input",
			Simple: bebopUnsafeOf[model.Simple, fast.Simple](), Small: bebopUnsafeOf[model.Small, fast.Small](),
			Nested: bebopUnsafeOf[model.Nested, fast.Nested](), Batch: bebopUnsafeOf[model.Batch, fast.Batch](), Rich: bebopUnsafeOf[model.Rich, fast.Rich](),
		},
		{
			Peer: "200sc/bebop", Name: "bebop unsafe date", Group: Generated, Strings: "alias",
			Note:   "as bebop unsafe, with times, which bebop counts in 100 ns: too coarse for Small; " + value + "; panics on cut input",
			Simple: bebopUnsafeOf[model.Simple, dated.Simple](), Nested: bebopUnsafeOf[model.Nested, dated.Nested](),
			Batch: bebopUnsafeOf[model.Batch, dated.Batch](), Rich: bebopUnsafeOf[model.Rich, dated.Rich](),
		},
	}
}
