package span_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Faults that decoders are known for, each with the number that the case list
// gives it. The types have NewLife's profile unless a case is about the other.

// readsAs unmarshals hex text into v and checks the error.
func readsAs(t *testing.T, at row, hex string, v any, want error, opts ...span.Options) {
	t.Helper()
	isError(t, at, under(opts).Unmarshal(unhex(t, hex), v), want)
}

// writesAs checks the bytes of v.
func writesAs(t *testing.T, at row, v any, want string, opts ...span.Options) {
	t.Helper()
	b, err := under(opts).Marshal(v)
	if err != nil || !bytes.Equal(b, unhex(t, want)) {
		t.Errorf("%s: error %v, wrote %x, want %s", at, err, b, want)
	}
}

// Input that ends between two fields leaves the rest zero; anywhere else it is an
// error, and so it is everywhere for the other profile and under Strict.
func TestCaseB01(t *testing.T) {
	type lenient struct {
		_    struct{} `span:"newlife"`
		Code int32
		Name string
		Flag bool
		Data []byte
		Opt  *int16
	}
	type exact struct {
		Code int32
		Name string
		Flag bool
		Data []byte
		Opt  *int16
	}
	full := unhex(t, "D20400000553746F6E650102AABB01FEFF")
	ends := map[int]bool{0: true, 4: true, 10: true, 11: true, 14: true, 17: true}
	for n := range len(full) + 1 {
		var l lenient
		if err := span.Unmarshal(full[:n], &l); (err == nil) != ends[n] {
			t.Errorf("%d bytes: %v", n, err)
		}
		var e exact
		if err := span.Unmarshal(full[:n], &e); (err == nil) != (n == len(full)) {
			t.Errorf("%d bytes, Go profile: %v", n, err)
		}
		if err := (span.Options{Strict: true}).Unmarshal(full[:n], &l); (err == nil) != (n == len(full)) {
			t.Errorf("%d bytes, strict: %v", n, err)
		}
	}
}

// A length without its bytes costs nothing.
func TestCaseB03(t *testing.T) {
	type text struct{ Name string }
	type data struct{ Data []byte }
	type list struct{ L []int64 }
	for _, in := range []string{"FFFFFFFF07", "80808040010203"} {
		for _, v := range []any{new(text), new(data), new(list), new(map[string]int32)} {
			b := unhex(t, in)
			var err error
			if n := allocated(func() { err = span.Unmarshal(b, v) }); n > 64<<10 {
				t.Errorf("%s into %T allocates %d bytes", in, v, n)
			}
			isError(t, row(in), err, io.ErrUnexpectedEOF)
		}
	}
}

// Lengths that would be negative as int32.
func TestCaseB06(t *testing.T) {
	type wide struct {
		S string `span:"len=4"`
	}
	for _, in := range []string{"FFFFFFFF0F", "8080808008"} {
		for _, v := range []any{new(string), new([]byte), new([]int32), new(map[int32]int32)} {
			readsAs(t, here(), in, v, span.ErrRange)
		}
	}
	readsAs(t, here(), "FFFFFFFF", new(wide), span.ErrRange)
}

// Uvarints of more bits than the integer has.
func TestCaseB07(t *testing.T) {
	type varint struct {
		_ struct{} `span:"newlife"`
		V int32    `span:"varint"`
	}
	for _, in := range []string{"8080808010", "FFFFFFFF7F", "FFFFFFFFFF01"} {
		readsAs(t, here(), in, new(varint), span.ErrRange)
		r := span.NewReader(unhex(t, in))
		r.ReadUvarint(32)
		isError(t, here(), r.Err(), span.ErrRange)
	}
	for in, want := range map[string]int32{"FFFFFFFF0F": -1, "FFFFFFFF07": math.MaxInt32, "8080808008": math.MinInt32} {
		var v varint
		if readsAs(t, row(in), in, &v, nil); v.V != want {
			t.Errorf("%s is %d", in, v.V)
		}
	}
}

// Padded uvarints: NewLife's profile takes them, the other and Strict do not;
// nobody writes them.
func TestCaseB09(t *testing.T) {
	type lenient struct {
		_ struct{} `span:"newlife"`
		V uint32   `span:"varint"`
	}
	type exact struct {
		V uint32 `span:"varint"`
	}
	for in, want := range map[string]uint32{"8000": 0, "8100": 1, "8080808000": 0, "FF00": 127, "80808100": 1 << 14} {
		var v lenient
		if readsAs(t, row(in), in, &v, nil); v.V != want {
			t.Errorf("%s is %d", in, v.V)
		}
		readsAs(t, row(in), in, new(lenient), span.ErrMalformed, span.Options{Strict: true})
		readsAs(t, row(in), in, new(exact), span.ErrMalformed)
	}
}

// Strings keep their bytes, valid UTF-8 or not, unless tagged.
func TestCaseB11(t *testing.T) {
	type raw struct{ S string }
	type checked struct {
		S string `span:"utf8"`
	}
	for _, in := range []string{"01FF", "0261C3", "03EDA080", "02C080", "02F080"} {
		var v raw
		readsAs(t, here(), in, &v, nil)
		writesAs(t, here(), &v, in)
		readsAs(t, here(), in, new(checked), span.ErrUTF8)
		_, err := span.Marshal(&checked{v.S})
		isError(t, here(), err, span.ErrUTF8)
	}
	writesAs(t, here(), &raw{"你好"}, "06E4BDA0E5A5BD")
	writesAs(t, here(), &checked{"你好"}, "06E4BDA0E5A5BD")
}

// Every byte opens another level; the limit holds, and a chain within it reads.
func TestCaseB12(t *testing.T) {
	type node struct {
		_    struct{} `span:"newlife"`
		V    uint8
		Next *node
	}
	b := make([]byte, 8<<20)
	isError(t, here(), span.Unmarshal(b, new(node)), span.ErrDepth)
	isError(t, here(), span.Unmarshal(b[:1000], new(node)), nil)
	isError(t, here(), span.Unmarshal(b[:1001], new(node)), span.ErrDepth)
	isError(t, here(), span.Options{MaxDepth: 1 << 30}.Unmarshal(b[:100_000], new(node)), nil)
	isError(t, here(), span.Options{MaxDepth: 1 << 30}.Unmarshal(b[:100_001], new(node)), span.ErrDepth)
}

// Nothing that was read refers to the input, unless asked for.
func TestCaseB14(t *testing.T) {
	type named struct {
		Name string
		Data []byte
		M    map[string]string
	}
	for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
		b := unhex(t, "0553746F6E65 02AABB 01 016B 0176")
		var v named
		isError(t, here(), span.Options{Strings: mode}.Unmarshal(b, &v), nil)
		for i := range b {
			b[i] = 0xff
		}
		if mode != span.AliasStrings && (v.Name != "Stone" || v.M["k"] != "v") {
			t.Errorf("mode %d: %+v", mode, v)
		}
		for k := range v.M {
			if k != "k" {
				t.Errorf("mode %d: the key became %q", mode, k)
			}
		}
		if !bytes.Equal(v.Data, []byte{0xaa, 0xbb}) {
			t.Errorf("mode %d: %x", mode, v.Data)
		}
	}
}

// A destination that was used before holds the message and nothing else.
func TestCaseB16(t *testing.T) {
	type used struct {
		_ struct{} `span:"newlife"`
		L []int32
		M map[string]int32
		P *int16
		S string
	}
	five := int16(5)
	dst := used{L: []int32{1, 2, 3}, M: map[string]int32{"x": 1}, P: &five, S: "old"}
	readsAs(t, here(), "01 09000000 00 00 00", &dst, nil)
	if len(dst.L) != 1 || dst.L[0] != 9 || len(dst.M) != 0 || dst.P != nil || dst.S != "" {
		t.Errorf("%+v", dst)
	}
	dst = used{L: []int32{1, 2, 3}, M: map[string]int32{"x": 1}, P: &five, S: "old"}
	readsAs(t, here(), "01 09000000", &dst, nil) // the tail that is missing is reset
	if len(dst.L) != 1 || len(dst.M) != 0 || dst.P != nil || dst.S != "" {
		t.Errorf("%+v", dst)
	}
}

// The last of equal keys wins, or is refused.
func TestCaseB18(t *testing.T) {
	var m map[string]int32
	readsAs(t, here(), "02 0161 01000000 0161 02000000", &m, nil)
	if len(m) != 1 || m["a"] != 2 {
		t.Errorf("%v", m)
	}
	readsAs(t, here(), "02 0161 01000000 0161 02000000", &m, span.ErrDuplicateKey, span.Options{Strict: true})
}

// Bools and flags above 1: true in NewLife's profile, written back as 1.
func TestCaseB20(t *testing.T) {
	type lenient struct {
		_ struct{} `span:"newlife"`
		B bool
		P *int16
	}
	type exact struct {
		B bool
		P *int16
	}
	for _, c := range []string{"02", "FF", "80"} {
		var v lenient
		readsAs(t, here(), c+c+"0100", &v, nil)
		if v.B != true || v.P == nil || *v.P != 1 {
			t.Errorf("%s: %+v", c, v)
		}
		writesAs(t, here(), &v, "01010100")
		readsAs(t, here(), c+"00", new(exact), span.ErrMalformed)
		readsAs(t, here(), "00"+c+"0000", new(exact), span.ErrMalformed)
		readsAs(t, here(), c+"00", new(lenient), span.ErrMalformed, span.Options{Strict: true})
	}
}

// int and uint have 8 bytes on every platform, and what does not fit is an error.
func TestCaseB21(t *testing.T) {
	type platform struct {
		I int
		L []int
		U uint
	}
	writesAs(t, here(), &platform{I: -1, L: []int{2}, U: 3}, "FFFFFFFFFFFFFFFF 01 0200000000000000 0300000000000000")
	want := error(nil)
	if math.MaxInt == math.MaxInt32 {
		want = span.ErrRange
	}
	for _, in := range []string{
		"0000000000010000 00 0000000000000000",
		"0000000000000000 01 0000000000010000 0000000000000000",
		"0000000000000000 00 0000000000010000",
	} {
		readsAs(t, here(), in, new(platform), want)
	}
}

// Times at the edges of uint32 seconds.
func TestCaseB22(t *testing.T) {
	type stamp struct {
		_ struct{} `span:"newlife"`
		T time.Time
	}
	for text, want := range map[string]string{
		"0001-01-01T00:00:00Z": "00000000",
		"1970-01-01T00:00:00Z": "00000000",
		"1970-01-01T00:00:01Z": "01000000",
		"2038-12-31T00:00:00Z": "80F9C781",
		"2106-02-07T06:28:14Z": "FEFFFFFF",
		"1969-12-31T23:59:59Z": "",
		"2106-02-07T06:28:15Z": "",
		"9999-12-31T00:00:00Z": "",
	} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			_, err := span.Marshal(&stamp{T: at})
			isError(t, row(text), err, span.ErrRange)
			continue
		}
		writesAs(t, row(text), &stamp{T: at}, want)
		var v stamp
		readsAs(t, row(text), want, &v, nil)
		if zero := want == "00000000"; v.T.IsZero() != zero || !zero && !v.T.Equal(at) {
			t.Errorf("%s reads as %v", text, v.T)
		}
	}
	readsAs(t, here(), "FFFFFFFF", new(stamp), span.ErrRange)
}

// What follows a message is told, or refused.
func TestCaseB24(t *testing.T) {
	type a struct{ X uint16 }
	b := unhex(t, "0700 0800 FF")
	var v a
	isError(t, here(), span.Unmarshal(b, &v), span.ErrTrailing)
	rest, err := span.UnmarshalFirst(b, &v)
	if err != nil || v.X != 7 || len(rest) != 3 {
		t.Errorf("%+v, %d bytes left, %v", v, len(rest), err)
	}
	rest, err = span.UnmarshalFirst(rest, &v)
	if err != nil || v.X != 8 || len(rest) != 1 {
		t.Errorf("%+v, %d bytes left, %v", v, len(rest), err)
	}
}

// A nil object with something behind it is an error, except under Compat.
func TestCaseB25(t *testing.T) {
	type sub struct {
		_    struct{} `span:"newlife"`
		P, Q uint8
	}
	type middle struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *sub
		B uint16
	}
	type last struct {
		_ struct{} `span:"newlife"`
		A uint8
		B uint16
		N *sub
	}
	_, err := span.Marshal(&middle{A: 1, B: 0x0302})
	isError(t, here(), err, span.ErrNil)
	if err == nil || !strings.Contains(err.Error(), "N") {
		t.Errorf("%v does not name the field", err)
	}
	writesAs(t, here(), &middle{A: 1, B: 0x0302}, "010203", span.Options{Compat: true})
	writesAs(t, here(), &middle{A: 1, N: &sub{P: 5}, B: 0x0302}, "0105000203")
	writesAs(t, here(), &last{A: 1, B: 0x0302}, "010203")
	var v last
	if readsAs(t, here(), "010203", &v, nil); v.N != nil || v.B != 0x0302 {
		t.Errorf("%+v", v)
	}
}
