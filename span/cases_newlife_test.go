package span_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Facts about NewLife's bytes, each with the number that the case list gives it.

// bytesAre checks the bytes that write gives under options.
func bytesAre(t *testing.T, at row, o span.Options, want string, write func(*span.Writer)) {
	t.Helper()
	var w span.Writer
	w.Configure(o)
	write(&w)
	if err := w.Err(); err != nil || !bytes.Equal(w.Bytes(), unhex(t, want)) {
		t.Errorf("%s: error %v, wrote %x, want %s", at, err, w.Bytes(), want)
	}
}

func mustDecimal(t *testing.T, s string) span.Decimal {
	t.Helper()
	d, err := span.ParseDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A struct of all basic members, in both byte orders.
func TestCaseD04(t *testing.T) {
	write := func(w *span.Writer) {
		w.WriteInt32(1234)
		w.WriteString("Stone")
		w.WriteBool(true)
		w.WriteFloat32(3.14)
		w.WriteInt64(0)
		w.WriteInt16(0)
		w.WriteDateTime(time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC))
		w.WriteChar('X')
		w.WriteDecimal(mustDecimal(t, "99.99"))
	}
	bytesAre(t, here(), optLE, "D20400000553746F6E6501C3F548400000000000000000000080956368580F270000000000000000000000000200", write)
	bytesAre(t, here(), optBE, "000004D20553746F6E65014048F5C30000000000000000000068639580580000270F000000000000000000020000", write)
}

// EncodeInt: no zigzag, 16-bit types as 16 bits, exact buffers are enough.
func TestCaseD05(t *testing.T) {
	bytesAre(t, here(), optEncode, "FFFF03", func(w *span.Writer) { w.WriteInt16(-1) })
	bytesAre(t, here(), optEncode, "FFFFFFFF0F", func(w *span.Writer) { w.WriteInt32(-1) })
	bytesAre(t, here(), optEncode, "FFFFFFFFFFFFFFFFFF01", func(w *span.Writer) { w.WriteInt64(-1) })
	bytesAre(t, here(), optEncode, "E0D403", func(w *span.Writer) { w.WriteUint16(60000) })
	bytesAre(t, here(), optEncode, "C0843D", func(w *span.Writer) { w.WriteInt32(1000000) })
	bytesAre(t, here(), optEncode, "C801", func(w *span.Writer) { w.WriteInt64(200) })
	bytesAre(t, here(), optEncode, "8080808008", func(w *span.Writer) { w.WriteInt32(-1 << 31) })
	bytesAre(t, here(), optEncode, "AB", func(w *span.Writer) { w.WriteUint8(0xab) })
	bytesAre(t, here(), optEncode, "0000803F", func(w *span.Writer) { w.WriteFloat32(1) })
	bytesAre(t, here(), optEncode, "8F4E0000808008", func(w *span.Writer) { w.WriteDecimal(mustDecimal(t, "99.99")) })
	bytesAre(t, here(), optEncode, "80AB8EC306", func(w *span.Writer) {
		w.WriteDateTime(time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC))
	})
	sizes := []struct {
		v    int32
		size int
	}{
		{0, 1}, {1, 1}, {127, 1}, {128, 2}, {0x3fff, 2}, {0x4000, 3}, {0x1fffff, 3}, {0x200000, 4}, {0xfffffff, 4}, {0x10000000, 5}, {-1, 5},
	}
	for _, tt := range sizes {
		for _, size := range []int{tt.size, tt.size - 1} {
			w := *span.NewFixedWriter(make([]byte, size))
			w.WriteUvarint(uint64(uint32(tt.v)))
			if want := size == tt.size; (w.Err() == nil) != want {
				t.Errorf("%d in %d bytes: error %v", tt.v, size, w.Err())
			}
		}
	}
}

// Strings and bytes: null is empty, a size cuts by bytes.
func TestCaseD07(t *testing.T) {
	stringN := func(s string, n int) func(*span.Writer) {
		return func(w *span.Writer) { w.WriteStringN(s, n) }
	}
	bytesAre(t, here(), optLE, "00", func(w *span.Writer) { w.WriteString("") })
	bytesAre(t, here(), optLE, "48656C6C6F", stringN("Hello World", 5))
	bytesAre(t, here(), optLE, "48690000000000000000", stringN("Hi", 10))
	bytesAre(t, here(), optLE, "0000000000", stringN("", 5))
	bytesAre(t, here(), optLE, "", stringN("", -1))
	bytesAre(t, here(), optLE, "00", func(w *span.Writer) { w.WriteBytes(nil) })
	bytesAre(t, here(), optLE, "00", func(w *span.Writer) { w.WriteBytes([]byte{}) })
	bytesAre(t, here(), optLE, "02FFFE", func(w *span.Writer) { w.WriteBytes([]byte{0xff, 0xfe}) })
	bytesAre(t, here(), optLE, "E4BDA0E5", stringN("你好", 4))
	if got := span.NewReader(unhex(t, "4869000000")).ReadStringN(5); got != "Hi" {
		t.Errorf("the padding reads as part of %q", got)
	}
	if got := span.NewReader([]byte("rest")).ReadStringN(-1); got != "rest" {
		t.Errorf("the rest reads as %q", got)
	}
}

// GUIDs have one order of bytes whatever the switches are.
func TestCaseD09(t *testing.T) {
	g, err := span.ParseGUID("00112233-4455-6677-8899-aabbccddeeff")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []span.Options{optLE, optBE, optBEEncode} {
		bytesAre(t, here(), o, "33221100554477668899AABBCCDDEEFF", func(w *span.Writer) { w.WriteRaw(g[:]) })
		bytesAre(t, here(), o, "00000000000000000000000000000000", func(w *span.Writer) { w.WriteRaw(make([]byte, 16)) })
		bytesAre(t, here(), o, "01 33221100554477668899AABBCCDDEEFF 00", func(w *span.Writer) {
			w.WriteBool(true)
			w.WriteRaw(g[:])
			w.WriteBool(false)
		})
	}
}

// Decimals are four words, each in the byte order.
func TestCaseD10(t *testing.T) {
	for s, want := range map[string]string{
		"0":                             "00000000000000000000000000000000",
		"1":                             "01000000000000000000000000000000",
		"-1":                            "01000000000000000000000000000080",
		"99.99":                         "0F270000000000000000000000000200",
		"123456.789":                    "15CD5B07000000000000000000000300",
		"-0.5":                          "05000000000000000000000000000180",
		"1.10":                          "6E000000000000000000000000000200",
		"79228162514264337593543950335": "FFFFFFFFFFFFFFFFFFFFFFFF00000000",
	} {
		d := mustDecimal(t, s)
		bytesAre(t, row(s), optLE, want, func(w *span.Writer) { w.WriteDecimal(d) })
		b := unhex(t, want)
		for i := range 4 {
			word := b[4*i:][:4]
			word[0], word[1], word[2], word[3] = word[3], word[2], word[1], word[0]
		}
		if got := reader(b, optBE).ReadDecimal(); got != d {
			t.Errorf("%s reads big-endian as %s", s, got)
		}
	}
}

// DateTime is uint32 seconds or, with FullTime, eight bytes of ticks.
func TestCaseD11(t *testing.T) {
	dateTime := func(v time.Time) func(*span.Writer) { return func(w *span.Writer) { w.WriteDateTime(v) } }
	y2038 := time.Date(2038, 12, 31, 0, 0, 0, 0, time.UTC)
	bytesAre(t, here(), optLE, "00000000", dateTime(time.Time{}))
	bytesAre(t, here(), optEncode, "00", dateTime(time.Time{}))
	bytesAre(t, here(), optLE, "80F9C781", dateTime(y2038))
	bytesAre(t, here(), optFull, "0000000000000000", dateTime(time.Time{}))
	bytesAre(t, here(), optFull, "00402FC06099DC48", dateTime(time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)))
	bytesAre(t, here(), optFull, "FF3F37F47528CA6B", dateTime(time.Date(9999, 12, 31, 23, 59, 59, 999_999_900, time.UTC)))
	var w span.Writer
	w.WriteDateTime(time.Date(2106, 12, 31, 0, 0, 0, 0, time.UTC))
	isError(t, here(), w.Err(), span.ErrRange)
	got := span.NewReader(unhex(t, "80F9C781")).ReadDateTime()
	if !got.Equal(y2038) || got.Location() != time.UTC {
		t.Errorf("reads as %v", got)
	}
}

// One byte each.
func TestCaseD12(t *testing.T) {
	bytesAre(t, here(), optLE, "9C 41 01 AB", func(w *span.Writer) {
		w.WriteUint8(0x9c)
		w.WriteChar('A')
		w.WriteBool(true)
		w.WriteUint8(0xab)
	})
	if got := int8(span.NewReader([]byte{0x9c}).ReadUint8()); got != -100 {
		t.Errorf("sbyte reads as %d", got)
	}
}

// A flag byte for Nullable<T> and before the root of Write<T>, nothing else.
func TestCaseD13(t *testing.T) {
	number, yes, wide := int32(42), true, int64(-4)
	bytesAre(t, here(), optLE, "012A000000 00 0101 01FCFFFFFFFFFFFFFF", func(w *span.Writer) {
		for _, p := range []*int32{&number, nil} {
			if w.WriteBool(p != nil); p != nil {
				w.WriteInt32(*p)
			}
		}
		w.WriteBool(true)
		w.WriteBool(yes)
		w.WriteBool(true)
		w.WriteInt64(wide)
	})
}
