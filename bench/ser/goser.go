package ser

import (
	"encoding/json"
	"time"

	"github.com/bytedance/sonic"
	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"

	"github.com/spanwire/spanwire/bench/floor/inorder"
	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/gogo"
	"github.com/spanwire/spanwire/bench/peers/msgp/tuple"
	"github.com/spanwire/spanwire/bench/peers/mus/fast"
	"github.com/spanwire/spanwire/bench/peers/mus/notunsafe"
	"github.com/spanwire/spanwire/bench/peers/mus/safe"
	"github.com/spanwire/spanwire/bench/peers/pb"
	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/internal/floormodel/plain"
	"github.com/spanwire/spanwire/span"
)

// Goser is the interface of the public suite of Go serializers: the value is a
// pointer to the record, and the slice may be used again by the next call.
type Goser interface {
	Marshal(o any) ([]byte, error)
	Unmarshal(d []byte, o any) error
}

// GoserEntry is one entry of that suite.
type GoserEntry struct {
	Name   string
	Unsafe bool // strings alias the input
	Ours   bool
	Note   string
	New    func() Goser
}

// direct is an entry for a type that is the record's own, but for its name and
// tags, so that nothing is copied.
type direct[T any] struct {
	as  func(*model.Small) *T
	enc Enc[T]
	dec Dec[T]
	buf []byte
}

func (e *direct[T]) Marshal(o any) (_ []byte, err error) {
	e.buf, err = e.enc(e.buf[:0], e.as(o.(*model.Small)))
	return e.buf, err
}

func (e *direct[T]) Unmarshal(d []byte, o any) error { return e.dec(d, e.as(o.(*model.Small))) }

// copied is an entry for a type that fields are copied to and from.
type copied[T any] struct {
	set func(*T, *model.Small)
	get func(*model.Small, *T)
	enc Enc[T]
	dec Dec[T]
	buf []byte
	v   T
}

func (e *copied[T]) Marshal(o any) (_ []byte, err error) {
	e.set(&e.v, o.(*model.Small))
	e.buf, err = e.enc(e.buf[:0], &e.v)
	return e.buf, err
}

func (e *copied[T]) Unmarshal(d []byte, o any) error {
	if err := e.dec(d, &e.v); err != nil {
		return err
	}
	e.get(o.(*model.Small), &e.v)
	return nil
}

func directOf[T any](as func(*model.Small) *T, enc Enc[T], dec Dec[T]) func() Goser {
	return func() Goser { return &direct[T]{as: as, enc: enc, dec: dec} }
}

func musGoser[T any, S musSerializer[T]](as func(*model.Small) *T, s S) func() Goser {
	return directOf(as, func(b []byte, v *T) ([]byte, error) {
		n := s.Size(*v)
		if cap(b) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		return b[:s.Marshal(*v, b)], nil
	}, func(b []byte, v *T) (err error) { *v, _, err = s.Unmarshal(b); return err })
}

func setPB(p *pb.Small, v *model.Small) {
	p.Name, p.BirthDay, p.Phone = v.Name, v.BirthDay.UnixNano(), v.Phone
	p.Siblings, p.Spouse, p.Money = int32(v.Siblings), v.Spouse, v.Money
}

func getPB(v *model.Small, p *pb.Small) {
	v.Name, v.BirthDay, v.Phone = p.Name, time.Unix(0, p.BirthDay).UTC(), p.Phone
	v.Siblings, v.Spouse, v.Money = int(p.Siblings), p.Spouse, p.Money
}

func setGogo(p *gogo.Small, v *model.Small) {
	p.Name, p.BirthDay, p.Phone = v.Name, v.BirthDay.UnixNano(), v.Phone
	p.Siblings, p.Spouse, p.Money = int32(v.Siblings), v.Spouse, v.Money
}

func getGogo(v *model.Small, p *gogo.Small) {
	v.Name, v.BirthDay, v.Phone = p.Name, time.Unix(0, p.BirthDay).UTC(), p.Phone
	v.Siblings, v.Spouse, v.Money = int(p.Siblings), p.Spouse, p.Money
}

func itself(v *model.Small) *model.Small { return v }

func anyGoser(enc func(any) ([]byte, error), dec func([]byte, any) error) func() Goser {
	return directOf(itself, func(_ []byte, v *model.Small) ([]byte, error) { return enc(v) },
		func(b []byte, v *model.Small) error { return dec(b, v) })
}

// GoserEntries are the entries that are measured in the suite's manner.
func GoserEntries() []GoserEntry {
	ours := func(v *model.Small) *floormodel.Small { return (*floormodel.Small)(v) }
	refl := func(v *model.Small) *plain.Small { return (*plain.Small)(v) }
	pbOf := func(enc Enc[pb.Small], dec Dec[pb.Small]) func() Goser {
		return func() Goser { return &copied[pb.Small]{set: setPB, get: getPB, enc: enc, dec: dec} }
	}
	const times = "int64 instead of time; fields copied"
	return append([]GoserEntry{
		{Name: "floor", Unsafe: true, Note: "the hand-written floor", New: directOf(itself, inorder.AppendSmall, floorDec(inorder.ReadSmall))},
		{Name: "spanwire alias", Unsafe: true, Ours: true, New: directOf(ours, writeSmall, readSmall(span.AliasStrings))},
		{Name: "spanwire shared", Ours: true, Note: "one copy a message", New: directOf(ours, writeSmall, readSmall(span.SharedStrings))},
		{Name: "spanwire copy", Ours: true, New: directOf(ours, writeSmall, readSmall(span.CopyStrings))},
		{
			Name: "spanwire reflection", Ours: true,
			New: directOf(refl, func(b []byte, v *plain.Small) ([]byte, error) { return span.Append(b, v) },
				func(b []byte, v *plain.Small) error { return span.Unmarshal(b, v) }),
		},
		{Name: "mus unsafe", Unsafe: true, New: musGoser(func(v *model.Small) *fast.Small { return (*fast.Small)(v) }, fast.SmallMUS)},
		{Name: "mus notunsafe", New: musGoser(func(v *model.Small) *notunsafe.Small { return (*notunsafe.Small)(v) }, notunsafe.SmallMUS)},
		{Name: "mus safe", New: musGoser(func(v *model.Small) *safe.Small { return (*safe.Small)(v) }, safe.SmallMUS)},
		{
			Name: "msgp tuple",
			New: directOf(func(v *model.Small) *tuple.Small { return (*tuple.Small)(v) },
				func(b []byte, v *tuple.Small) ([]byte, error) { return v.MarshalMsg(b) },
				func(b []byte, v *tuple.Small) error { _, err := v.UnmarshalMsg(b); return err }),
		},
		{Name: "vtprotobuf", Note: times, New: pbOf(vtEnc[pb.Small], func(b []byte, v *pb.Small) error { return vtFresh(v, b) })},
		{Name: "vtprotobuf unsafe", Unsafe: true, Note: times, New: pbOf(vtEnc[pb.Small], func(b []byte, v *pb.Small) error { return vtUnsafe(v, b) })},
		{
			Name: "protobuf-go", Note: times,
			New: pbOf(func(b []byte, v *pb.Small) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(b, v) },
				func(b []byte, v *pb.Small) error { return proto.Unmarshal(b, v) }),
		},
		{Name: "gogofaster", Note: times, New: func() Goser {
			return &copied[gogo.Small]{set: setGogo, get: getGogo,
				enc: func(b []byte, v *gogo.Small) ([]byte, error) {
					n := v.Size()
					if cap(b) < n {
						b = make([]byte, n)
					}
					_, err := v.MarshalToSizedBuffer(b[:n])
					return b[:n], err
				},
				dec: func(b []byte, v *gogo.Small) error { v.Reset(); return v.Unmarshal(b) }}
		}},
		{Name: "sonic", Unsafe: true, Note: "JSON", New: anyGoser(sonic.ConfigDefault.Marshal, sonic.ConfigDefault.Unmarshal)},
		{Name: "encoding/json", Note: "JSON", New: anyGoser(json.Marshal, json.Unmarshal)},
		{Name: "msgpack", New: anyGoser(func(v any) ([]byte, error) { return msgpack.Marshal(v) }, msgpack.Unmarshal)},
	}, moreGoserEntries()...)
}
