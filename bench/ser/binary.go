package ser

import (
	"bytes"
	"encoding/binary"

	"github.com/go-restruct/restruct"
	"github.com/lunixbochs/struc"

	"github.com/spanwire/spanwire/bench/floor/model"
	peer "github.com/spanwire/spanwire/bench/peers/binary"
)

func restructOf[M, T any]() Maker[M] {
	return Of[M](func(_ []byte, v *T) ([]byte, error) { return restruct.Pack(binary.LittleEndian, v) },
		func(b []byte, v *T) error { return restruct.Unpack(b, binary.LittleEndian, v) })
}

func strucOf[M, T any]() Maker[M] {
	return Open[M](func() (Enc[T], Dec[T], error) {
		var buf bytes.Buffer
		var in bytes.Reader
		opts := &struc.Options{Order: binary.LittleEndian}
		return func(_ []byte, v *T) ([]byte, error) {
			buf.Reset()
			err := struc.PackWithOptions(&buf, v, opts)
			return buf.Bytes(), err
		}, func(b []byte, v *T) error { in.Reset(b); return struc.UnpackWithOptions(&in, v, opts) }, nil
	})
}

func fixedOf[M, T any]() Maker[M] {
	return Of[M](func(b []byte, v *T) ([]byte, error) { return binary.Append(b, binary.LittleEndian, v) },
		func(b []byte, v *T) error { _, err := binary.Decode(b, binary.LittleEndian, v); return err })
}

func binaryRows() []*Row {
	const fields = "int64 instead of time; length fields of one byte; no maps or pointers, so no Rich"
	return []*Row{
		{
			Peer: "go-restruct/restruct", Name: "restruct", Group: Stream, Strings: "copy", Note: fields,
			Simple: restructOf[model.Simple, peer.Simple](), Small: restructOf[model.Small, peer.Small](),
			Nested: restructOf[model.Nested, peer.Nested](), Batch: restructOf[model.Batch, peer.Batch](),
		},
		{
			Peer: "lunixbochs/struc", Name: "struc", Group: Stream, Strings: "copy", Note: fields,
			Simple: strucOf[model.Simple, peer.StrucSimple](), Small: strucOf[model.Small, peer.StrucSmall](),
			Nested: strucOf[model.Nested, peer.StrucNested](), Batch: strucOf[model.Batch, peer.StrucBatch](),
		},
		{
			Peer: "encoding/binary", Name: "encoding/binary", Group: Stream, Strings: "copy",
			Note:   "int64 instead of time; knows no strings, so names are arrays of exactly their length: no lengths, nothing to allocate; no lists, maps or pointers in structs",
			Simple: fixedOf[model.Simple, peer.FixedSimple](), Small: fixedOf[model.Small, peer.FixedSmall](),
			Nested: fixedOf[model.Nested, peer.FixedNested](),
		},
	}
}
