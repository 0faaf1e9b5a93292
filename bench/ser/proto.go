package ser

import (
	"google.golang.org/protobuf/proto"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/gogo"
	"github.com/spanwire/spanwire/bench/peers/pb"
)

type vtMethods[T any] interface {
	*T
	proto.Message
	Reset()
	ResetVT()
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// vtEnc sizes first and writes from the end, as vtprotobuf does.
func vtEnc[T any, P vtMethods[T]](b []byte, v *T) ([]byte, error) {
	n := P(v).SizeVT()
	if cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	_, err := P(v).MarshalToSizedBufferVT(b)
	return b, err
}

func vtOf[M, T any, P vtMethods[T]](dec func(P, []byte) error) Maker[M] {
	return Of[M](vtEnc[T, P], func(b []byte, v *T) error { return dec(v, b) })
}

func vtFresh[T any, P vtMethods[T]](v P, b []byte) error  { v.Reset(); return v.UnmarshalVT(b) }
func vtReuse[T any, P vtMethods[T]](v P, b []byte) error  { v.ResetVT(); return v.UnmarshalVT(b) }
func vtUnsafe[T any, P vtMethods[T]](v P, b []byte) error { v.Reset(); return v.UnmarshalVTUnsafe(b) }

func googleOf[M, T any, P vtMethods[T]]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(b, P(v)) },
		func(b []byte, v *T) error { return proto.Unmarshal(b, P(v)) })
}

type gogoMethods[T any] interface {
	*T
	Reset()
	Size() int
	MarshalToSizedBuffer([]byte) (int, error)
	Unmarshal([]byte) error
}

func gogoOf[M, T any, P gogoMethods[T]]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) {
		n := P(v).Size()
		if cap(b) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		_, err := P(v).MarshalToSizedBuffer(b)
		return b, err
	}, func(b []byte, v *T) error { P(v).Reset(); return P(v).Unmarshal(b) })
}

func protoRows() []*Row {
	const times = "int64 instead of time"
	return []*Row{
		{
			Peer: "vtprotobuf", Name: "vtprotobuf", Group: Generated, Strings: "copy", Note: times,
			Simple: vtOf[model.Simple](vtFresh[pb.Simple]), Small: vtOf[model.Small](vtFresh[pb.Small]),
			Nested: vtOf[model.Nested](vtFresh[pb.Nested]), Batch: vtOf[model.Batch](vtFresh[pb.Batch]), Rich: vtOf[model.Rich](vtFresh[pb.Rich]),
		},
		{
			Peer: "vtprotobuf", Name: "vtprotobuf reuse", Group: Generated, Encoder: "vtprotobuf", Strings: "copy", Note: times + "; ResetVT keeps the old value's memory",
			Simple: vtOf[model.Simple](vtReuse[pb.Simple]), Small: vtOf[model.Small](vtReuse[pb.Small]),
			Nested: vtOf[model.Nested](vtReuse[pb.Nested]), Batch: vtOf[model.Batch](vtReuse[pb.Batch]), Rich: vtOf[model.Rich](vtReuse[pb.Rich]),
		},
		{
			Peer: "vtprotobuf", Name: "vtprotobuf unsafe", Group: Generated, Encoder: "vtprotobuf", Strings: "alias", Note: times + "; bytes alias the input too",
			Simple: vtOf[model.Simple](vtUnsafe[pb.Simple]), Small: vtOf[model.Small](vtUnsafe[pb.Small]),
			Nested: vtOf[model.Nested](vtUnsafe[pb.Nested]), Batch: vtOf[model.Batch](vtUnsafe[pb.Batch]), Rich: vtOf[model.Rich](vtUnsafe[pb.Rich]),
		},
		{
			Peer: "gogo/protobuf", Name: "gogofaster", Group: Generated, Strings: "copy", Note: times + "; nested messages by value; no longer maintained",
			Simple: gogoOf[model.Simple, gogo.Simple](), Small: gogoOf[model.Small, gogo.Small](),
			Nested: gogoOf[model.Nested, gogo.Nested](), Batch: gogoOf[model.Batch, gogo.Batch](), Rich: gogoOf[model.Rich, gogo.Rich](),
		},
		{
			Peer: "protobuf-go", Name: "protobuf-go", Group: Reflection, Strings: "copy", Note: times + "; generated messages, table-driven codec",
			Simple: googleOf[model.Simple, pb.Simple](), Small: googleOf[model.Small, pb.Small](),
			Nested: googleOf[model.Nested, pb.Nested](), Batch: googleOf[model.Batch, pb.Batch](), Rich: googleOf[model.Rich, pb.Rich](),
		},
	}
}
