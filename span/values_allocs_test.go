//go:build !purego

package span_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// The methods allocate nothing, under no options: writing into a buffer that is
// large enough, reading in alias mode.
func TestValueAllocs(t *testing.T) {
	now := time.Unix(1_700_000_000, 123).UTC()
	name, data, id := "a name of the usual length", []byte{1, 2, 3}, span.GUID{1}
	write := func(w *span.Writer) {
		w.WriteBool(true)
		w.WriteInt16(-2)
		w.WriteInt32(-3)
		w.WriteInt64(-4)
		w.WriteFloat32(1.5)
		w.WriteFloat64(2.5)
		w.WriteUvarint(1 << 40)
		w.WriteUvarint(wire.ZigZag(-1))
		w.WriteString(name)
		w.WriteBytes(data)
		w.WriteTime(now)
		w.WriteDateTime(now)
		w.WriteRaw(id[:])
		w.WriteDecimal(span.Decimal{})
		w.WriteChar('A')
		w.WriteArray(data, 2)
		w.WriteArray([]byte(name), 4)
		w.WriteStringN(name, 40)
	}
	read := func(r *span.Reader) {
		r.ReadBool()
		r.ReadInt16()
		r.ReadInt32()
		r.ReadInt64()
		r.ReadFloat32()
		r.ReadFloat64()
		r.ReadUvarint(64)
		r.ReadUvarint(64)
		r.ReadString()
		data = r.ReadBytes(data)
		r.ReadTime()
		r.ReadDateTime()
		r.ReadRaw(id[:])
		r.ReadDecimal()
		r.ReadChar()
		data = r.ReadArray(data, 2)
		data = r.ReadArray(data, 4)
		r.ReadStringN(40)
	}
	for _, o := range []span.Options{optLE, optBE, optEncode, optFull, {Compat: true}} {
		o.Strings = span.AliasStrings
		var w span.Writer
		w.Reset(make([]byte, 0, 100_000))
		w.Configure(o)
		noAllocs(t, "writing", func() { write(&w) })
		r := reader(w.Bytes(), o)
		noAllocs(t, "reading", func() { read(r) })
		isError(t, here(), w.Err(), nil)
		isError(t, here(), r.Err(), nil)
	}
}

// Writers and Readers on the stack stay there.
func TestCursorAllocs(t *testing.T) {
	buf, data := make([]byte, 0, 64), []byte{1, 2, 3}
	noAllocs(t, "a Writer and a Reader", func() {
		var w span.Writer
		w.Reset(buf)
		w.WriteInt32(1)
		w.WriteString("text")
		w.WriteDateTime(time.Time{})
		w.WriteArray(data, 0)
		var r span.Reader
		r.Reset(w.Bytes(), span.AliasStrings)
		r.ReadInt32()
		_ = r.ReadString()
		r.ReadDateTime()
		for range r.Elements() {
			r.ReadUint8()
		}
	})
}
