package span_test

import (
	"math"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

func TestPlanTagsOfNumbers(t *testing.T) {
	type varints struct {
		A int16   `span:"varint"`
		B int32   `span:"varint"`
		C int64   `span:"varint"`
		D uint16  `span:"varint"`
		E int     `span:"varint"`
		F []int32 `span:"varint"`
	}
	onWire(t, here(), varints{-1, -1, -1, 60000, 300, []int32{1, -1}},
		"ffff03 ffffffff0f ffffffffffffffffff01 e0d403 ac02 02 01 ffffffff0f")
	type zigzags struct {
		A int16           `span:"zigzag"`
		B int32           `span:"zigzag"`
		C int64           `span:"zigzag"`
		D int             `span:"zigzag"`
		E map[string]int8 `span:"-"`
		F *int64          `span:"zigzag"`
	}
	onWire(t, here(), zigzags{A: -1, B: math.MinInt32, C: math.MaxInt64, D: 1, F: ptrTo(int64(-2))},
		"01 ffffffff0f feffffffffffffffff01 02 01 03")
	type bigs struct {
		A uint16     `span:"be"`
		B int32      `span:"be"`
		C uint64     `span:"be"`
		D float32    `span:"be"`
		E float64    `span:"be"`
		F complex64  `span:"be"`
		G [2]int16   `span:"be"`
		H []uint32   `span:"be"`
		I int        `span:"be"`
		J complex128 `span:"be"`
	}
	onWire(t, here(), bigs{1, 2, 3, 1, 1, complex(1, 2), [2]int16{1, 2}, []uint32{3}, -2, complex(1, 2)},
		"0001 00000002 0000000000000003 3f800000 3ff0000000000000 3f80000040000000 00010002 0100000003 fffffffffffffffe 3ff00000000000004000000000000000")
}

func TestPlanTagsOfLengths(t *testing.T) {
	type lengths struct {
		A string          `span:"len=1"`
		B []byte          `span:"len=2"`
		C []int16         `span:"len=4"`
		D map[string]bool `span:"len=1"`
		E *string         `span:"len=2"`
	}
	onWire(t, here(), lengths{"a", []byte{1}, []int16{2}, map[string]bool{"k": true}, ptrTo("x")},
		"0161 010001 010000000200 01016b01 01010078")
	type fixeds struct {
		A string `span:"fixed=4"`
		B []byte `span:"fixed=3"`
		C string `span:"fixed=2,utf8"`
	}
	onWire(t, here(), fixeds{"ab", []byte{0, 1}, "é"}, "61620000 000100 c3a9")
	onWire(t, here(), fixeds{}, "00000000 000000 0000")
	type nilables struct {
		A []byte          `span:"nilable"`
		B []int16         `span:"nilable"`
		C map[string]bool `span:"nilable,len=1"`
		D []string        `span:"nilable,max=2"`
	}
	onWire(t, here(), nilables{}, "00000000")
	b := exercise(t, here(), nilables{[]byte{}, []int16{}, map[string]bool{}, []string{}})
	var v nilables
	if err := span.Unmarshal(b, &v); err != nil || v.A == nil || v.B == nil || v.C == nil || v.D == nil {
		t.Errorf("nilable values that are empty read as %#v, %v", v, err)
	}
	if err := span.Unmarshal(make([]byte, 4), &v); err != nil || v.A != nil || v.B != nil || v.C != nil || v.D != nil {
		t.Errorf("nilable values that are nil read as %#v, %v", v, err)
	}
}

func TestPlanLimitsOfTags(t *testing.T) {
	refuse(t, here(), struct {
		A string `span:"len=1"`
	}{string(make([]byte, 256))}, span.ErrRange, "A")
	refuse(t, here(), struct {
		A []bool `span:"len=2"`
	}{make([]bool, 65536)}, span.ErrRange, "A")
	refuse(t, here(), struct {
		A string `span:"max=3"`
	}{"abcd"}, span.ErrLimit, "A")
	refuse(t, here(), struct {
		A map[int8]bool `span:"max=1"`
	}{map[int8]bool{1: true, 2: true}}, span.ErrLimit, "A")
	refuse(t, here(), struct {
		A string `span:"fixed=3"`
	}{"abcd"}, span.ErrRange, "A")
	refuse(t, here(), struct {
		A []byte `span:"fixed=3"`
	}{[]byte{1, 0}}, span.ErrRange, "A")
	refuse(t, here(), struct {
		A string `span:"utf8"`
	}{"a\xff"}, span.ErrUTF8, "A")
	refuse(t, here(), struct {
		A []span.Char
	}{[]span.Char{1, 256}}, span.ErrRange, "A[1]")

	reject[struct {
		A string `span:"max=3"`
	}](t, here(), "0461626364", span.ErrLimit, "A", 0)
	reject[struct {
		A map[string]string `span:"utf8"`
	}](t, here(), "01016b01ff", span.ErrUTF8, `A["k"]`, 3)
	reject[struct {
		A []byte `span:"len=4"`
	}](t, here(), "000000ff", span.ErrRange, "A", 0)
}

func TestPlanTagsOfTimes(t *testing.T) {
	type times struct {
		A time.Time   `span:"unix"`
		B time.Time   `span:"unixmilli"`
		C time.Time   `span:"unixnano"`
		D time.Time   `span:"ticks"`
		E []time.Time `span:"unix,be"`
		F time.Time   `span:"unix,varint"`
		G *time.Time  `span:"unixnano,be"`
		H time.Time   `span:"unixmilli,varint"`
	}
	at := time.Unix(1, 0).UTC()
	onWire(t, here(), times{at, at, at, time.Unix(0, 0).UTC(), []time.Time{at}, at, &at, at},
		"01000000 e803000000000000 00ca9a3b00000000 0080b5f7f57f9f48 0100000001 01 01000000003b9aca00 e807")
	onWire(t, here(), times{}, "00000000 0000000000000080 0000000000000080 0000000000000000 00 00 00 80808080808080808001")
	refuse(t, here(), times{A: time.Unix(-1, 0)}, span.ErrRange, "A")
	refuse(t, here(), times{A: time.Unix(0, 0)}, span.ErrRange, "A")
	refuse(t, here(), times{C: time.Unix(1<<40, 0)}, span.ErrRange, "C")
	refuse(t, here(), times{D: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, span.ErrRange, "D")
	reject[one[time.Time]](t, here(), "0000000000000000 00ca9a3b", span.ErrRange, "V", 0)
	reject[struct {
		D time.Time `span:"ticks"`
	}](t, here(), "ffffffffffffff7f", span.ErrRange, "D", 0)
}

func TestPlanOptional(t *testing.T) {
	type inner struct {
		A int8
		B string `span:"optional"`
	}
	type outer struct {
		A int16
		B string          `span:"optional"`
		C *inner          `span:"optional,sized"`
		D map[string]bool `span:"optional"`
	}
	full := outer{1, "b", &inner{2, "x"}, map[string]bool{"k": true}}
	b := exercise(t, here(), full)
	for n, want := range map[int]outer{2: {A: 1}, 4: {A: 1, B: "b"}, 9: {A: 1, B: "b", C: full.C}} {
		v := full
		if err := span.Unmarshal(b[:n], &v); err != nil || !equal(v, want) {
			t.Errorf("%d of %x: %v %+v, want %+v", n, b, err, v, want)
		}
	}
	reject[outer](t, here(), "01", errUnexpectedEOF, "A", 1)
	reject[outer](t, here(), "0100 0261", errUnexpectedEOF, "B", 4)
}

func TestPlanSized(t *testing.T) {
	type v2 struct {
		A int8
		B string
		C []int16
	}
	type v1 struct{ A int8 }
	type holder[T any] struct {
		X []T          `span:"sized"`
		Y *T           `span:"sized"`
		Z map[string]T `span:"sized"`
		W T            `span:"sized"`
		N int8
	}
	long := v2{1, string(make([]byte, 200)), []int16{1}}
	now := holder[v2]{[]v2{{1, "b", nil}, long}, &v2{}, map[string]v2{"k": long}, v2{C: []int16{3}}, 5}
	b := exercise(t, here(), now)
	var old holder[v1]
	if err := span.Unmarshal(b, &old); err != nil || old.X[1].A != 1 || old.N != 5 {
		t.Errorf("read by an old version: %v %+v", err, old)
	}
	old = holder[v1]{[]v1{{1}, {2}}, &v1{3}, map[string]v1{"k": {4}}, v1{5}, 6}
	b = exercise(t, here(), old)
	if err := span.Unmarshal(b, &now); err != nil || !equal(now, holder[v2]{[]v2{{A: 1}, {A: 2}}, &v2{A: 3}, map[string]v2{"k": {A: 4}}, v2{A: 5}, 6}) {
		t.Errorf("read by a new version: %v %+v", err, now)
	}
	onWire(t, here(), struct {
		_ struct{} `span:"sized"`
		A int16
		B string
	}{A: 1, B: "x"}, "04 0100 0178")
	reject[holder[v1]](t, here(), "01 05 01", errUnexpectedEOF, "X[0]", 1)
	reject[struct {
		V v2 `span:"sized"`
	}](t, here(), "03 01 0261", errUnexpectedEOF, "V.B", 4)
}
