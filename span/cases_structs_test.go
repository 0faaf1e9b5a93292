package span_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// The facts of cases_newlife_test.go in structs instead of calls.

// both checks that v has the bytes, and that they read as v.
func both(t *testing.T, at row, v any, want string, opts ...span.Options) {
	t.Helper()
	writesAs(t, at, v, want, opts...)
	got := reflect.New(reflect.TypeOf(v).Elem())
	if readsAs(t, at, want, got.Interface(), nil, opts...); !reflect.DeepEqual(got.Interface(), v) {
		t.Errorf("%s: reads as %+v, want %+v", at, got.Elem(), v)
	}
}

func TestCaseD04Struct(t *testing.T) {
	type compat struct {
		_      struct{} `span:"newlife"`
		Code   int32
		Name   string
		Flag   bool
		Score  float32
		Count  int64
		Level  int16
		Time   time.Time
		Tag    span.Char
		Amount span.Decimal
	}
	v := &compat{
		Code: 1234, Name: "Stone", Flag: true, Score: 3.14, Tag: 'X', Amount: mustDecimal(t, "99.99"),
		Time: time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC),
	}
	both(t, here(), v, "D20400000553746F6E6501C3F548400000000000000000000080956368580F270000000000000000000000000200")
	both(t, here(), v, "000004D20553746F6E65014048F5C30000000000000000000068639580580000270F000000000000000000020000", optBE)
}

func TestCaseD05Struct(t *testing.T) {
	type encoded struct {
		_ struct{} `span:"newlife"`
		A int16
		B int32
		C int64
		D uint16
		E float32
		F uint8
		G span.Decimal
		H int32 `span:"be"`
	}
	v := &encoded{A: -1, B: -1 << 31, C: 200, D: 60000, E: 1, F: 0xab, G: mustDecimal(t, "99.99"), H: 1}
	both(t, here(), v, "FFFF03 8080808008 C801 E0D403 0000803F AB 8F4E0000808008 00000001", optEncode)
}

func TestCaseD07Struct(t *testing.T) {
	type blob struct {
		_ struct{} `span:"newlife"`
		B []byte
		S string
	}
	both(t, here(), &blob{}, "00 00")
	both(t, here(), &blob{B: []byte{0xff, 0xfe}, S: "你"}, "02FFFE 03E4BDA0")
	writesAs(t, here(), &blob{B: []byte{}}, "00 00")
}

func TestCaseD13Struct(t *testing.T) {
	type point struct {
		_    struct{} `span:"newlife"`
		X, Y int32
	}
	type holder struct {
		_ struct{} `span:"newlife"`
		N *int32
		B *bool
		L *int64
		P point
		G *span.GUID
		Q *point
	}
	n, b := int32(42), true
	both(t, here(), &holder{N: &n, B: &b, P: point{X: 1, Y: -1}, Q: &point{X: 2}},
		"012A000000 0101 00 01000000FFFFFFFF 00 0200000000000000")
	both(t, here(), &holder{G: &span.GUID{1}}, "00 00 00 0000000000000000 01 01000000000000000000000000000000")

	if got, err := span.AppendMarked(nil, (*point)(nil)); err != nil || len(got) != 1 || got[0] != 0 {
		t.Errorf("null is %x, %v", got, err)
	}
	got, err := span.AppendMarked(nil, &point{X: 1})
	if err != nil || string(got) != "\x01\x01\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("an object is %x, %v", got, err)
	}
}

// SpanSerializer has no lists; here they are a count and the elements, as in
// Binary.
func TestCaseD14Struct(t *testing.T) {
	type lists struct {
		_ struct{} `span:"newlife"`
		L []int32
		M map[string]int32
		N []*int32
		P []*struct{ A uint8 }
	}
	one := int32(1)
	both(t, here(), &lists{L: []int32{1, 2}, M: map[string]int32{"a": 1}, N: []*int32{&one, nil}, P: []*struct{ A uint8 }{{7}}},
		"02 01000000 02000000 01 0161 01000000 02 0101000000 00 01 07")
	both(t, here(), &lists{}, "00 00 00 00")
	_, err := span.Marshal(&lists{P: []*struct{ A uint8 }{nil}})
	isError(t, here(), err, span.ErrNil)
}

// The members of a base class come first: embed it there.
func TestCaseD19Struct(t *testing.T) {
	type Base struct {
		_ struct{} `span:"newlife"`
		A uint8
	}
	type derived struct {
		_ struct{} `span:"newlife"`
		Base
		B       uint8
		Ignored string `span:"-"`
		hidden  int
	}
	v := &derived{Base: Base{A: 1}, B: 2}
	both(t, here(), v, "01 02")
	v.Ignored, v.hidden = "x", 1
	writesAs(t, here(), v, "01 02")
}
