package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/benc/fast"
	"github.com/spanwire/spanwire/bench/peers/benc/safe"
)

type bencPlain[T any] interface {
	*T
	SizePlain() int
	MarshalPlain(n int, b []byte) int
	UnmarshalPlain(n int, b []byte) (int, error)
}

// bencPlainEnc sizes first, as benc demands: MarshalPlain panics in a short
// buffer.
func bencPlainEnc[T any, P bencPlain[T]](b []byte, v *T) ([]byte, error) {
	n := P(v).SizePlain()
	if cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	P(v).MarshalPlain(0, b)
	return b, nil
}

func bencPlainDec[T any, P bencPlain[T]](b []byte, v *T) error {
	_, err := P(v).UnmarshalPlain(0, b)
	return err
}

func bencPlainOf[M, T any, P bencPlain[T]]() Maker[M] {
	return Of[M](bencPlainEnc[T, P], bencPlainDec[T, P])
}

type bencTagged[T any] interface {
	*T
	Size() int
	Marshal([]byte)
	Unmarshal([]byte) error
}

func bencTaggedOf[M, T any, P bencTagged[T]]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) {
		n := P(v).Size()
		if cap(b) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		P(v).Marshal(b)
		return b, nil
	}, func(b []byte, v *T) error { return P(v).Unmarshal(b) })
}

func bencRows() []*Row {
	const (
		fields = "int64 instead of time; Rich's pointer is a value and its array a slice; no limits"
		plain  = fields + "; bencgen's Plain methods: package std's calls, no field numbers"
		tagged = fields + "; bencgen's usual methods, with field numbers, so that fields may come and go; lists' elements have none"
	)
	return []*Row{
		{
			Peer: "benc", Name: "benc std", Group: Generated, Strings: "copy", Note: plain,
			Simple: bencPlainOf[model.Simple, safe.Simple](), Small: bencPlainOf[model.Small, safe.Small](),
			Nested: bencPlainOf[model.Nested, safe.Nested](), Batch: bencPlainOf[model.Batch, safe.Batch](), Rich: bencPlainOf[model.Rich, safe.Rich](),
		},
		{
			Peer: "benc", Name: "benc unsafe", Group: Generated, Strings: "alias", Note: plain + "; bytes alias the input too",
			Simple: bencPlainOf[model.Simple, fast.Simple](), Small: bencPlainOf[model.Small, fast.Small](),
			Nested: bencPlainOf[model.Nested, fast.Nested](), Batch: bencPlainOf[model.Batch, fast.Batch](), Rich: bencPlainOf[model.Rich, fast.Rich](),
		},
		{
			Peer: "benc", Name: "benc tagged", Group: Generated, Strings: "copy", Note: tagged,
			Simple: bencTaggedOf[model.Simple, safe.Simple](), Small: bencTaggedOf[model.Small, safe.Small](),
			Nested: bencTaggedOf[model.Nested, safe.Nested](), Batch: bencTaggedOf[model.Batch, safe.Batch](), Rich: bencTaggedOf[model.Rich, safe.Rich](),
		},
		{
			Peer: "benc", Name: "benc tagged unsafe", Group: Generated, Strings: "alias", Note: tagged + "; bytes alias the input too",
			Simple: bencTaggedOf[model.Simple, fast.Simple](), Small: bencTaggedOf[model.Small, fast.Small](),
			Nested: bencTaggedOf[model.Nested, fast.Nested](), Batch: bencTaggedOf[model.Batch, fast.Batch](), Rich: bencTaggedOf[model.Rich, fast.Rich](),
		},
	}
}
