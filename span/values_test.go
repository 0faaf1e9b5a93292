package span_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// value is a call of one Writer method and the Reader's reverse.
type value struct {
	name string
	put  func(*span.Writer, any)
	read func(*span.Reader) any
	want any
}

// write writes the value.
func (v *value) write(w *span.Writer) { v.put(w, v.want) }

// val makes a value of a pair of methods.
func val[T any](name string, write func(*span.Writer, T), read func(*span.Reader) T, v T) value {
	return value{
		name: fmt.Sprintf("%s(%.40v)", name, v),
		put:  func(w *span.Writer, v any) { write(w, v.(T)) },
		read: func(r *span.Reader) any { return read(r) },
		want: v,
	}
}

func valBool(v bool) value {
	return val("Bool", (*span.Writer).WriteBool, (*span.Reader).ReadBool, v)
}
func valI16(v int16) value {
	return val("Int16", (*span.Writer).WriteInt16, (*span.Reader).ReadInt16, v)
}
func valU16(v uint16) value {
	return val("Uint16", (*span.Writer).WriteUint16, (*span.Reader).ReadUint16, v)
}
func valI32(v int32) value {
	return val("Int32", (*span.Writer).WriteInt32, (*span.Reader).ReadInt32, v)
}
func valU32(v uint32) value {
	return val("Uint32", (*span.Writer).WriteUint32, (*span.Reader).ReadUint32, v)
}
func valI64(v int64) value {
	return val("Int64", (*span.Writer).WriteInt64, (*span.Reader).ReadInt64, v)
}
func valU64(v uint64) value {
	return val("Uint64", (*span.Writer).WriteUint64, (*span.Reader).ReadUint64, v)
}
func valF32(v float32) value {
	return val("Float32", (*span.Writer).WriteFloat32, (*span.Reader).ReadFloat32, v)
}
func valF64(v float64) value {
	return val("Float64", (*span.Writer).WriteFloat64, (*span.Reader).ReadFloat64, v)
}
func valString(v string) value {
	return val("String", (*span.Writer).WriteString, (*span.Reader).ReadString, v)
}
func valBytes(v []byte) value {
	return val("Bytes", (*span.Writer).WriteBytes, func(r *span.Reader) []byte { return r.ReadBytes(nil) }, v)
}
func valTime(v time.Time) value {
	return val("Time", (*span.Writer).WriteTime, (*span.Reader).ReadTime, v)
}
func valDateTime(v time.Time) value {
	return val("DateTime", (*span.Writer).WriteDateTime, (*span.Reader).ReadDateTime, v)
}
func valDecimal(v span.Decimal) value {
	return val("Decimal", (*span.Writer).WriteDecimal, (*span.Reader).ReadDecimal, v)
}
func valGUID(v span.GUID) value {
	return val("GUID", func(w *span.Writer, v span.GUID) { w.WriteRaw(v[:]) }, func(r *span.Reader) (v span.GUID) {
		r.ReadRaw(v[:])
		return v
	}, v)
}
func valUvarint(width int, v uint64) value {
	return val("Uvarint", (*span.Writer).WriteUvarint, func(r *span.Reader) uint64 { return r.ReadUvarint(width) }, v)
}
func valChar(v span.Char) value {
	return val("Char", (*span.Writer).WriteChar, (*span.Reader).ReadChar, v)
}

// written gives the bytes of values under options.
func written(t testing.TB, o span.Options, values ...value) []byte {
	t.Helper()
	var w span.Writer
	w.Configure(o)
	for _, v := range values {
		v.write(&w)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// reads checks that r gives the values.
func reads(t testing.TB, at row, r *span.Reader, values ...value) {
	t.Helper()
	for i, v := range values {
		if got := v.read(r); !same(got, v.want) {
			t.Errorf("%s: value %d, %s, reads as %v: error %v", at, i, v.name, got, r.Err())
			return
		}
	}
	if err := r.Err(); err != nil {
		t.Errorf("%s: %v", at, err)
	}
}

// same compares floats by bits, times by instant, and nil with empty.
func same(got, want any) bool {
	switch w := want.(type) {
	case float32:
		g, ok := got.(float32)
		return ok && math.Float32bits(g) == math.Float32bits(w)
	case float64:
		g, ok := got.(float64)
		return ok && math.Float64bits(g) == math.Float64bits(w)
	case time.Time:
		g, ok := got.(time.Time)
		return ok && g.Equal(w)
	case []byte:
		g, ok := got.([]byte)
		return ok && bytes.Equal(g, w)
	}
	return got == want
}

// reader gives a Reader over b under options.
func reader(b []byte, o span.Options) *span.Reader {
	r := span.NewReader(b)
	r.Configure(o)
	return r
}

var (
	optLE         = span.Options{}
	optBE         = span.Options{BigEndian: true}
	optEncode     = span.Options{EncodeInt: true}
	optFull       = span.Options{FullTime: true}
	optBEEncode   = span.Options{BigEndian: true, EncodeInt: true}
	optFullEncode = span.Options{FullTime: true, EncodeInt: true}
)

func TestValueBytes(t *testing.T) {
	nan := math.Float64frombits(0x7ff4000000000001)
	july := time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC)
	amount, err := span.ParseDecimal("99.99")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		at  row
		v   value
		o   span.Options
		hex string
	}{
		{here(), valBool(false), optEncode, "00"},
		{here(), valBool(true), optBEEncode, "01"},
		{here(), val("Uint8", (*span.Writer).WriteUint8, (*span.Reader).ReadUint8, 0xab), optBEEncode, "ab"},
		{here(), valI16(-2), optLE, "feff"},
		{here(), valI16(-2), optBE, "fffe"},
		{here(), valI16(-1), optEncode, "ffff03"},
		{here(), valI16(-32768), optBEEncode, "808002"},
		{here(), valU16(60000), optLE, "60ea"},
		{here(), valU16(60000), optEncode, "e0d403"},
		{here(), valI32(1234), optLE, "d2040000"},
		{here(), valI32(1234), optBE, "000004d2"},
		{here(), valI32(-1), optEncode, "ffffffff0f"},
		{here(), valI32(math.MinInt32), optEncode, "8080808008"},
		{here(), valU32(1 << 31), optLE, "00000080"},
		{here(), valU32(128), optEncode, "8001"},
		{here(), valI64(-2), optLE, "feffffffffffffff"},
		{here(), valI64(-2), optBE, "fffffffffffffffe"},
		{here(), valI64(-1), optEncode, "ffffffffffffffffff01"},
		{here(), valU64(1 << 56), optBE, "0100000000000000"},
		{here(), valF32(3.14), optLE, "c3f54840"},
		{here(), valF32(3.14), optBEEncode, "4048f5c3"},
		{here(), valF64(99.5), optLE, "0000000000e05840"},
		{here(), valF64(nan), optBE, "7ff4000000000001"},
		{here(), valString(""), optLE, "00"},
		{here(), valString("你好"), optBEEncode, "06e4bda0e5a5bd"},
		{here(), valString("a\xffb"), optLE, "0361ff62"},
		{here(), valBytes(nil), optLE, "00"},
		{here(), valBytes([]byte{0xff, 0xfe}), optBE, "02fffe"},
		{here(), valTime(july), optBEEncode, "809563680000000000000000"},
		{here(), valTime(time.Time{}), optLE, "00096e88f1ffffff00000000"},
		{here(), valDateTime(july), optLE, "80956368"},
		{here(), valDateTime(july), optBE, "68639580"},
		{here(), valDateTime(july), optEncode, "80ab8ec306"},
		{here(), valDateTime(july), optFull, "0040194775b8dd48"},
		{here(), valDateTime(time.Time{}), optEncode, "00"},
		{here(), valDateTime(time.Time{}), optFullEncode, "00"},
		{here(), valDecimal(amount), optLE, "0f270000 00000000 00000000 00000200"},
		{here(), valDecimal(amount), optBE, "0000270f 00000000 00000000 00020000"},
		{here(), valDecimal(amount), optEncode, "8f4e 00 00 808008"},
		{here(), valGUID(span.GUID{1, 2}), optBEEncode, "01020000000000000000000000000000"},
		{here(), valChar('A'), optBE, "41"},
		{here(), valChar(0xff), optLE, "ff"},
		{here(), valUvarint(64, 300), optBE, "ac02"},
		{here(), valUvarint(16, math.MaxUint16), optLE, "ffff03"},
		{here(), valUvarint(32, math.MaxUint32), optLE, "ffffffff0f"},
		{here(), valUvarint(64, 1<<63), optLE, "80808080808080808001"},
		{here(), valUvarint(64, wire.ZigZag(-65)), optLE, "8101"},
	}
	for _, tt := range tests {
		if got := written(t, tt.o, tt.v); !bytes.Equal(got, unhex(t, tt.hex)) {
			t.Errorf("%s: %s is %x, want %s", tt.at, tt.v.name, got, tt.hex)
			continue
		}
		reads(t, tt.at, reader(unhex(t, tt.hex), tt.o), tt.v)
	}
}

func TestValueErrors(t *testing.T) {
	tests := []struct {
		at    row
		write func(*span.Writer)
		want  error
	}{
		{here(), func(w *span.Writer) { w.WriteChar(0x100) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteChar(-1) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteArray(nil, 3) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteArray(nil, -1) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteArray(make([]byte, 256), 1) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteArray(make([]byte, 65536), 2) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteDateTime(time.Unix(-1, 0)) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteDateTime(time.Unix(0, -1)) }, span.ErrRange},
		{here(), func(w *span.Writer) { w.WriteDateTime(time.Unix(math.MaxUint32, 0)) }, span.ErrRange},
		{here(), func(w *span.Writer) {
			w.Configure(optFull)
			w.WriteDateTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		}, span.ErrRange},
	}
	for _, tt := range tests {
		var w span.Writer
		tt.write(&w)
		isError(t, tt.at, w.Err(), tt.want)
		n := int64(len(w.Bytes()))
		w.WriteString("nothing is written any more")
		if int64(len(w.Bytes())) != n {
			t.Errorf("%s: a failed Writer goes on writing", tt.at)
		}
	}
}

func TestReadErrors(t *testing.T) {
	strict := span.Options{Strict: true}
	tests := []struct {
		at   row
		hex  string
		o    span.Options
		read func(*span.Reader)
		want error
	}{
		{here(), "02", optLE, func(r *span.Reader) { r.ReadBool() }, nil},
		{here(), "02", strict, func(r *span.Reader) { r.ReadBool() }, span.ErrMalformed},
		{here(), "ff", strict, func(r *span.Reader) { r.ReadBool() }, span.ErrMalformed},
		{here(), "8100", optLE, func(r *span.Reader) { r.ReadUvarint(64) }, nil},
		{here(), "8100", strict, func(r *span.Reader) { r.ReadUvarint(64) }, span.ErrMalformed},
		{here(), "8100", span.Options{EncodeInt: true, Strict: true}, func(r *span.Reader) { r.ReadInt16() }, span.ErrMalformed},
		{here(), "8080808000", optLE, func(r *span.Reader) { r.ReadUvarint(32) }, nil},
		{here(), "808080808000", optLE, func(r *span.Reader) { r.ReadUvarint(32) }, span.ErrRange},
		{here(), "8080808010", optLE, func(r *span.Reader) { r.ReadUvarint(32) }, span.ErrRange},
		{here(), "ffffffff0f", optEncode, func(r *span.Reader) { r.ReadInt32() }, nil},
		{here(), "ffffffff1f", optEncode, func(r *span.Reader) { r.ReadInt32() }, span.ErrRange},
		{here(), "ffff04", optEncode, func(r *span.Reader) { r.ReadUint16() }, span.ErrRange},
		{here(), "ffffffffffffffffff02", optLE, func(r *span.Reader) { r.ReadUvarint(64) }, span.ErrRange},
		{here(), "ffffffff0f", optLE, func(r *span.Reader) { r.ReadString() }, span.ErrRange},
		{here(), "8080808008", optLE, func(r *span.Reader) { r.ReadBytes(nil) }, span.ErrRange},
		{here(), "ffffffff", optLE, func(r *span.Reader) { r.ReadArray(nil, 4) }, span.ErrRange},
		{here(), "0080", optLE, func(r *span.Reader) { r.ReadArray(nil, 2) }, io.ErrUnexpectedEOF},
		{here(), "00", optLE, func(r *span.Reader) { r.ReadArray(nil, 3) }, span.ErrRange},
		{here(), "0161", optLE, func(r *span.Reader) { r.Elements() }, nil},
		{here(), "0261", optLE, func(r *span.Reader) { r.Elements() }, io.ErrUnexpectedEOF},
		{here(), "0000000000000000 00ca9a3b", optLE, func(r *span.Reader) { r.ReadTime() }, span.ErrRange},
		{here(), "ffffffff", optLE, func(r *span.Reader) { r.ReadDateTime() }, span.ErrRange},
		{here(), "ffffffff", span.Options{Compat: true}, func(r *span.Reader) { r.ReadDateTime() }, nil},
		{here(), "ffffffffffffff7f", optFull, func(r *span.Reader) { r.ReadDateTime() }, span.ErrRange},
		{here(), "01000000000000000000000000001d00", optLE, func(r *span.Reader) { r.ReadDecimal() }, span.ErrMalformed},
		{here(), "010000000000000000000000ffffffff", optLE, func(r *span.Reader) { r.ReadDecimal() }, span.ErrMalformed},
	}
	for _, tt := range tests {
		r := reader(unhex(t, tt.hex), tt.o)
		tt.read(r)
		isError(t, tt.at, r.Err(), tt.want)
	}
}

// Offsets name the value at fault, or the end of the input that is too short.
func TestReadErrorOffset(t *testing.T) {
	tests := []struct {
		at     row
		hex    string
		read   func(*span.Reader)
		offset int64
	}{
		{here(), "0102", func(r *span.Reader) { r.ReadUint32() }, 2},
		{here(), "0361", func(r *span.Reader) { r.ReadString() }, 2},
		{here(), "01ffffffff", func(r *span.Reader) { r.ReadUint8(); r.ReadDateTime() }, 1},
		{here(), "01ffffffff7f", func(r *span.Reader) { r.ReadUint8(); r.ReadUvarint(32) }, 1},
		{here(), "0000000000000000ffffffff", func(r *span.Reader) { r.ReadTime() }, 8},
		{here(), "ff010000000000000000000000ffffffff", func(r *span.Reader) { r.ReadUint8(); r.ReadDecimal() }, 1},
	}
	for _, tt := range tests {
		r := span.NewReader(unhex(t, tt.hex))
		tt.read(r)
		if e, ok := r.Err().(*span.Error); !ok || e.Offset != tt.offset {
			t.Errorf("%s: %v, want an error at byte %d", tt.at, r.Err(), tt.offset)
		}
	}
}
