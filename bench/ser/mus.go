package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/mus/fast"
	"github.com/spanwire/spanwire/bench/peers/mus/notunsafe"
	"github.com/spanwire/spanwire/bench/peers/mus/safe"
)

type musSerializer[T any] interface {
	Marshal(v T, bs []byte) int
	Unmarshal(bs []byte) (T, int, error)
	Size(v T) int
}

// musOf sizes first, as mus demands: Marshal panics in a short buffer.
func musOf[M, T any, S musSerializer[T]](s S) Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) {
		n := s.Size(*v)
		if cap(b) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		return b[:s.Marshal(*v, b)], nil
	}, func(b []byte, v *T) (err error) {
		*v, _, err = s.Unmarshal(b)
		return err
	})
}

func musRows() []*Row {
	return []*Row{
		{
			Peer: "mus-go", Name: "mus safe", Group: Generated, Strings: "copy",
			Note:   "fixed-width numbers; values by value; no limits by default",
			Simple: musOf[model.Simple, safe.Simple](safe.SimpleMUS),
			Small:  musOf[model.Small, safe.Small](safe.SmallMUS),
			Nested: musOf[model.Nested, safe.Nested](safe.NestedMUS),
			Batch:  musOf[model.Batch, safe.Batch](safe.BatchMUS),
			Rich:   musOf[model.Rich, safe.Rich](safe.RichMUS),
		},
		{
			Peer: "mus-go", Name: "mus notunsafe", Group: Generated, Strings: "copy",
			Note:   "unsafe for numbers only; no limits by default",
			Simple: musOf[model.Simple, notunsafe.Simple](notunsafe.SimpleMUS),
			Small:  musOf[model.Small, notunsafe.Small](notunsafe.SmallMUS),
			Nested: musOf[model.Nested, notunsafe.Nested](notunsafe.NestedMUS),
			Batch:  musOf[model.Batch, notunsafe.Batch](notunsafe.BatchMUS),
			Rich:   musOf[model.Rich, notunsafe.Rich](notunsafe.RichMUS),
		},
		{
			Peer: "mus-go", Name: "mus unsafe", Group: Generated, Strings: "alias",
			Note:   "no limits by default; see the hostile inputs",
			Simple: musOf[model.Simple, fast.Simple](fast.SimpleMUS),
			Small:  musOf[model.Small, fast.Small](fast.SmallMUS),
			Nested: musOf[model.Nested, fast.Nested](fast.NestedMUS),
			Batch:  musOf[model.Batch, fast.Batch](fast.BatchMUS),
			Rich:   musOf[model.Rich, fast.Rich](fast.RichMUS),
		},
	}
}
