package ser

import (
	"bytes"
	"encoding/gob"

	"github.com/fxamacker/cbor/v2"
	hamba "github.com/hamba/avro/v2"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/peers/avro"
	"github.com/spanwire/spanwire/bench/peers/tagged"
)

var cborMode = func() cbor.UserBufferEncMode {
	m, err := cbor.EncOptions{Time: cbor.TimeRFC3339Nano}.UserBufferEncMode()
	if err != nil {
		panic(err) // options are constant
	}
	return m
}()

func cborOf[M, T any]() Maker[M] {
	return Open[M](func() (Enc[T], Dec[T], error) {
		var buf bytes.Buffer
		return func(_ []byte, v *T) ([]byte, error) {
			buf.Reset()
			err := cborMode.MarshalToBuffer(v, &buf)
			return buf.Bytes(), err
		}, func(b []byte, v *T) error { return cbor.Unmarshal(b, v) }, nil
	})
}

func msgpackOf[M any]() Maker[M] {
	return Open[M](func() (Enc[M], Dec[M], error) {
		var buf bytes.Buffer
		var in bytes.Reader
		enc, dec := msgpack.NewEncoder(&buf), msgpack.NewDecoder(&in)
		return func(_ []byte, v *M) ([]byte, error) {
				buf.Reset()
				enc.Reset(&buf)
				enc.UseArrayEncodedStructs(true)
				err := enc.Encode(v)
				return buf.Bytes(), err
			}, func(b []byte, v *M) error {
				in.Reset(b)
				dec.Reset(&in)
				return dec.Decode(v)
			}, nil
	})
}

func avroOf[M, T any](s hamba.Schema) Maker[M] {
	return Of[M](func(_ []byte, v *T) ([]byte, error) { return hamba.Marshal(s, v) },
		func(b []byte, v *T) error { return hamba.Unmarshal(s, b, v) })
}

// gobOf keeps one stream in each direction, so that the description of the types
// is sent and read once, before anything is measured.
func gobOf[M any]() Maker[M] {
	return Open[M](func() (Enc[M], Dec[M], error) {
		var out, in bytes.Buffer
		enc, dec := gob.NewEncoder(&out), gob.NewDecoder(&in)
		if err := enc.Encode(new(M)); err != nil {
			return nil, nil, err
		}
		in.Write(out.Bytes())
		if err := dec.Decode(new(M)); err != nil {
			return nil, nil, err
		}
		return func(_ []byte, v *M) ([]byte, error) {
				out.Reset()
				err := enc.Encode(v)
				return out.Bytes(), err
			}, func(b []byte, v *M) error {
				in.Reset()
				in.Write(b)
				*v = *new(M) // fields that are zero are left out of the message
				return dec.Decode(v)
			}, nil
	})
}

func reflectRows() []*Row {
	return []*Row{
		{
			Peer: "fxamacker/cbor", Name: "cbor toarray", Group: Reflection, Strings: "copy", Note: "CBOR, structs as arrays, times as text; checks UTF-8",
			Simple: cborOf[model.Simple, tagged.Simple](), Small: cborOf[model.Small, tagged.Small](),
			Nested: cborOf[model.Nested, tagged.Nested](), Batch: cborOf[model.Batch, tagged.Batch](), Rich: cborOf[model.Rich, tagged.Rich](),
		},
		{
			Peer: "fxamacker/cbor", Name: "cbor", Group: Reflection, Strings: "copy", Note: "CBOR, structs as maps with field names (the default), times as text; checks UTF-8",
			Simple: cborOf[model.Simple, model.Simple](), Small: cborOf[model.Small, model.Small](),
			Nested: cborOf[model.Nested, model.Nested](), Batch: cborOf[model.Batch, model.Batch](), Rich: cborOf[model.Rich, model.Rich](),
		},
		{
			Peer: "vmihailenco/msgpack", Name: "msgpack array", Group: Reflection, Strings: "copy", Note: "MessagePack, structs as arrays; encoder and decoder used again",
			Simple: msgpackOf[model.Simple](), Small: msgpackOf[model.Small](),
			Nested: msgpackOf[model.Nested](), Batch: msgpackOf[model.Batch](), Rich: msgpackOf[model.Rich](),
		},
		{
			Peer: "hamba/avro", Name: "avro", Group: Reflection, Strings: "copy", Note: "int64 instead of time; one schema on both sides",
			Simple: avroOf[model.Simple, avro.Simple](avro.SimpleSchema), Small: avroOf[model.Small, avro.Small](avro.SmallSchema),
			Nested: avroOf[model.Nested, avro.Nested](avro.NestedSchema), Batch: avroOf[model.Batch, avro.Batch](avro.BatchSchema), Rich: avroOf[model.Rich, avro.Rich](avro.RichSchema),
		},
		{
			Peer: "encoding/gob", Name: "gob stream", Group: Reflection, Strings: "copy", Note: "one stream: types are described once, outside the time",
			Simple: gobOf[model.Simple](), Small: gobOf[model.Small](),
			Nested: gobOf[model.Nested](), Batch: gobOf[model.Batch](), Rich: gobOf[model.Rich](),
		},
	}
}
