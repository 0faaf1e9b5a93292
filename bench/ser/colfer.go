package ser

import (
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/colfer"
)

type colferMethods[T any] interface {
	*T
	MarshalLen() (int, error)
	MarshalTo([]byte) int
	Unmarshal([]byte) (int, error)
}

// colferEnc sizes first, as colfer demands: MarshalTo panics in a short buffer.
func colferEnc[T any, P colferMethods[T]](b []byte, v *T) ([]byte, error) {
	n, err := P(v).MarshalLen()
	if err != nil {
		return b, err
	}
	if cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	P(v).MarshalTo(b)
	return b, nil
}

// colferDec clears the value first: fields that are zero are not in the message.
func colferDec[T any, P colferMethods[T]](b []byte, v *T) error {
	*v = *new(T)
	_, err := P(v).Unmarshal(b)
	return err
}

func colferOf[M, T any, P colferMethods[T]]() Maker[M] {
	return Of[M](colferEnc[T, P], colferDec[T, P])
}

func colferRows() []*Row {
	return []*Row{{
		Peer: "colfer", Name: "colfer", Group: Generated, Strings: "copy",
		Note:   "colf v1.8.1; field numbers, zero fields left out; nested structures by pointer; at most 65,536 elements and 16 MiB by default; no maps and no lists of integers, so no Rich",
		Simple: colferOf[model.Simple, colfer.Simple](), Small: colferOf[model.Small, colfer.Small](),
		Nested: colferOf[model.Nested, colfer.Nested](), Batch: colferOf[model.Batch, colfer.Batch](),
	}}
}
