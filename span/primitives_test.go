package span_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// family holds the three functions of one primitive.
type family[T any] struct {
	append  func([]byte, T) []byte
	consume func([]byte) (T, int)
	size    func(T) int
}

// check holds a value against its bytes: all three functions agree, what is in
// front and behind does not matter, and every proper prefix is truncated.
func (f family[T]) check(t *testing.T, at row, v T, wire []byte, equal func(a, b T) bool) {
	t.Helper()
	b := f.append([]byte("front"), v)
	if string(b) != "front"+string(wire) {
		t.Errorf("%s: wrote %x, want %x", at, b[5:], wire)
	}
	if n := f.size(v); n != len(wire) {
		t.Errorf("%s: size %d, want %d", at, n, len(wire))
	}
	for _, behind := range []string{"", "\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if got, n := f.consume(append(bytes.Clone(wire), behind...)); n != len(wire) || !equal(got, v) {
			t.Errorf("%s: read %v, %d, want %v", at, got, n, v)
		}
	}
	for i := range wire {
		_, n := f.consume(wire[:i:i])
		isError(t, at, span.ConsumeError(n), io.ErrUnexpectedEOF)
	}
}

func checkFixed[T comparable](t *testing.T, f family[T], order binary.AppendByteOrder, values ...T) {
	t.Helper()
	for _, v := range values {
		wire, err := binary.Append(nil, order.(binary.ByteOrder), v)
		if err != nil {
			t.Fatal(err)
		}
		f.check(t, here(), v, wire, func(a, b T) bool { // by bits: a NaN equals itself
			x, _ := binary.Append(nil, binary.LittleEndian, a)
			y, _ := binary.Append(nil, binary.LittleEndian, b)
			return bytes.Equal(x, y)
		})
	}
}

func TestFixed(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	checkFixed(t, family[bool]{span.AppendBool, span.ConsumeBool, span.SizeBool}, le, false, true)
	checkFixed(t, family[uint8]{span.AppendUint8, span.ConsumeUint8, span.SizeUint8}, le, 0, 1, 0xab, 255)
	checkFixed(t, family[int8]{span.AppendInt8, span.ConsumeInt8, span.SizeInt8}, le, 0, -100, -128, 127)

	u16 := []uint16{0, 1, 0x1234, math.MaxUint16}
	checkFixed(t, family[uint16]{span.AppendUint16, span.ConsumeUint16, span.SizeUint16}, le, u16...)
	checkFixed(t, family[uint16]{span.AppendUint16BE, span.ConsumeUint16BE, span.SizeUint16}, be, u16...)
	u32 := []uint32{0, 1, 0x12345678, math.MaxUint32}
	checkFixed(t, family[uint32]{span.AppendUint32, span.ConsumeUint32, span.SizeUint32}, le, u32...)
	checkFixed(t, family[uint32]{span.AppendUint32BE, span.ConsumeUint32BE, span.SizeUint32}, be, u32...)
	u64 := []uint64{0, 1, 0x123456789abcdef0, math.MaxUint64}
	checkFixed(t, family[uint64]{span.AppendUint64, span.ConsumeUint64, span.SizeUint64}, le, u64...)
	checkFixed(t, family[uint64]{span.AppendUint64BE, span.ConsumeUint64BE, span.SizeUint64}, be, u64...)

	i16 := []int16{0, -1, 0x1234, math.MinInt16, math.MaxInt16}
	checkFixed(t, family[int16]{span.AppendInt16, span.ConsumeInt16, span.SizeInt16}, le, i16...)
	checkFixed(t, family[int16]{span.AppendInt16BE, span.ConsumeInt16BE, span.SizeInt16}, be, i16...)
	i32 := []int32{0, -1, 0x12345678, math.MinInt32, math.MaxInt32}
	checkFixed(t, family[int32]{span.AppendInt32, span.ConsumeInt32, span.SizeInt32}, le, i32...)
	checkFixed(t, family[int32]{span.AppendInt32BE, span.ConsumeInt32BE, span.SizeInt32}, be, i32...)
	i64 := []int64{0, -1, 0x123456789abcdef0, math.MinInt64, math.MaxInt64}
	checkFixed(t, family[int64]{span.AppendInt64, span.ConsumeInt64, span.SizeInt64}, le, i64...)
	checkFixed(t, family[int64]{span.AppendInt64BE, span.ConsumeInt64BE, span.SizeInt64}, be, i64...)

	f32 := []float32{0, 1.5, float32(math.Copysign(0, -1)), math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(-1)), math.Float32frombits(0x7fc12345)}
	checkFixed(t, family[float32]{span.AppendFloat32, span.ConsumeFloat32, span.SizeFloat32}, le, f32...)
	checkFixed(t, family[float32]{span.AppendFloat32BE, span.ConsumeFloat32BE, span.SizeFloat32}, be, f32...)
	f64 := []float64{0, 1.5, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(-1), math.Float64frombits(0x7ff8000000abcdef)}
	checkFixed(t, family[float64]{span.AppendFloat64, span.ConsumeFloat64, span.SizeFloat64}, le, f64...)
	checkFixed(t, family[float64]{span.AppendFloat64BE, span.ConsumeFloat64BE, span.SizeFloat64}, be, f64...)
	checkFixed(t, family[time.Duration]{span.AppendDuration, span.ConsumeDuration, span.SizeDuration}, le, 0, -1, time.Hour, math.MinInt64, math.MaxInt64)
}

func TestBoolMalformed(t *testing.T) {
	for c := 2; c < 256; c++ {
		v, n := span.ConsumeBool([]byte{byte(c)})
		isError(t, here(), span.ConsumeError(n), span.ErrMalformed)
		if v {
			t.Errorf("%d reads as true beside an error", c)
		}
	}
}

func TestStringsAndBytes(t *testing.T) {
	strs := family[string]{span.AppendString, span.ConsumeString, span.SizeString}
	byts := family[[]byte]{span.AppendBytes, span.ConsumeBytes, span.SizeBytes}
	long := strings.Repeat("b", 128)
	for _, r := range []struct {
		at   row
		s    string
		wire string
	}{
		{here(), "", "\x00"},
		{here(), "Hello World", "\x0bHello World"},
		{here(), "你好", "\x06\xe4\xbd\xa0\xe5\xa5\xbd"},
		{here(), "a\xffb", "\x03a\xffb"},
		{here(), long[:127], "\x7f" + long[:127]},
		{here(), long, "\x80\x01" + long},
		{here(), strings.Repeat("x", 16384), "\x80\x80\x01" + strings.Repeat("x", 16384)},
	} {
		strs.check(t, r.at, r.s, []byte(r.wire), func(a, b string) bool { return a == b })
		byts.check(t, r.at, []byte(r.s), []byte(r.wire), bytes.Equal)
	}
	if v, n := span.ConsumeBytes([]byte{0}); v != nil || n != 1 {
		t.Errorf("%v, %d, want nil", v, n)
	}
	if b := span.AppendBytes(nil, nil); string(b) != "\x00" {
		t.Errorf("nil is %x", b)
	}
	for _, r := range []struct {
		at   row
		wire string
		want error
	}{
		{here(), "05 61", io.ErrUnexpectedEOF},
		{here(), "ffffffff07", io.ErrUnexpectedEOF},
		{here(), "ffffffff08 61", span.ErrRange},
		{here(), "8000", span.ErrMalformed},
		{here(), "8100 61", span.ErrMalformed},
		{here(), "", io.ErrUnexpectedEOF},
		{here(), "80", io.ErrUnexpectedEOF},
	} {
		s, n := span.ConsumeString(unhex(t, r.wire))
		isError(t, r.at, span.ConsumeError(n), r.want)
		v, m := span.ConsumeBytes(unhex(t, r.wire))
		if m != n || s != "" || v != nil {
			t.Errorf("%s: %q, %q, %d beside an error", r.at, s, v, m)
		}
	}
}

// TestNoAliasing: what was read stays when the input changes, and no append to
// it reaches the input.
func TestNoAliasing(t *testing.T) {
	in := []byte("\x03abc\x03def")
	s, _ := span.ConsumeString(in)
	v, n := span.ConsumeBytes(in)
	_ = append(v, 'x')
	if in[n] != 3 {
		t.Error("append to a slice that was read changed the input")
	}
	copy(in, "\xff\xff\xff\xff")
	if s != "abc" || string(v) != "abc" {
		t.Errorf("%q, %q after the input changed", s, v)
	}
}

func TestTimeGUIDDecimalSizes(t *testing.T) {
	v := time.Date(2025, 1, 1, 0, 0, 0, 7, time.UTC)
	family[time.Time]{span.AppendTime, span.ConsumeTime, span.SizeTime}.check(t, here(), v,
		unhex(t, "8085746700000000 07000000"), time.Time.Equal)
	family[time.Time]{span.AppendTime, span.ConsumeTime, span.SizeTime}.check(t, here(), time.Time{},
		unhex(t, "00096e88f1ffffff 00000000"), time.Time.Equal)
	_, n := span.ConsumeTime(unhex(t, "8085746700000000 00ca9a3b"))
	isError(t, here(), span.ConsumeError(n), span.ErrRange)
	g := span.NewGUID()
	family[span.GUID]{span.AppendGUID, span.ConsumeGUID, span.SizeGUID}.check(t, here(), g, g[:], func(a, b span.GUID) bool { return a == b })
	family[span.Decimal]{span.AppendDecimal, span.ConsumeDecimal, span.SizeDecimal}.check(t, here(), dec(t, "-1.10"),
		unhex(t, "6E000000 00000000 00000000 00000280"), func(a, b span.Decimal) bool { return a == b })
	if span.SizeChar('x') != 1 {
		t.Error("a Char takes 1 byte")
	}
}

func TestPrimitiveAllocs(t *testing.T) {
	buf := make([]byte, 0, 256)
	big := rand.Uint64() | 1<<63
	str, text := strings.Repeat("s", 200), []byte(strings.Repeat("s", 200))
	noAllocs(t, "append", func() {
		b := span.AppendUvarint(buf, big)
		b = span.AppendVarint32(b, math.MaxUint32)
		b = span.AppendZigZag(b, math.MinInt64)
		b = span.AppendFloat64BE(b, 1)
		b = span.AppendTime(b, time.Time{})
		b, _ = span.AppendChar(b, 'x')
		_ = span.AppendString(b[:0], str)
		_ = span.AppendBytes(b[:0], text)
	})
	in := span.AppendUvarint(nil, big)
	noAllocs(t, "consume", func() {
		_, _ = span.ConsumeUvarint(in)
		_, _ = span.ConsumeVarint64Lenient(in)
		_, _ = span.ConsumeLength(in)
		_, n := span.ConsumeString(in)
		_ = span.ConsumeError(n)
	})
}
