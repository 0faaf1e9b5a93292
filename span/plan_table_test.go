package span_test

import (
	"bytes"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// one holds a single value, as most rows need.
type one[T any] struct{ V T }

// onWire checks that a value has the given bytes and goes through everything.
func onWire[T any](t *testing.T, at row, v T, want string) {
	t.Helper()
	got := exercise(t, at, v)
	if !bytes.Equal(got, unhex(t, want)) {
		t.Errorf("%s: %T\n%x, want\n%s", at, v, got, want)
	}
}

type (
	namedInt   int16
	namedText  string
	namedBytes []byte
	namedByte  byte
	namedTime  time.Time
	namedList  []uint16
	namedMap   map[namedText]bool
)

func TestPlanNumbers(t *testing.T) {
	onWire(t, here(), one[bool]{true}, "01")
	onWire(t, here(), one[int8]{-2}, "fe")
	onWire(t, here(), one[uint8]{200}, "c8")
	onWire(t, here(), one[int16]{-2}, "feff")
	onWire(t, here(), one[uint16]{0x1234}, "3412")
	onWire(t, here(), one[int32]{math.MinInt32}, "00000080")
	onWire(t, here(), one[uint32]{0x12345678}, "78563412")
	onWire(t, here(), one[int64]{math.MinInt64}, "0000000000000080")
	onWire(t, here(), one[uint64]{math.MaxUint64}, "ffffffffffffffff")
	onWire(t, here(), one[int]{-1}, "ffffffffffffffff")
	onWire(t, here(), one[uint]{7}, "0700000000000000")
	onWire(t, here(), one[float32]{math.Float32frombits(0x7fa00001)}, "0100a07f") // a signalling NaN
	onWire(t, here(), one[float64]{math.Float64frombits(0x7ff0000000000001)}, "010000000000f07f")
	onWire(t, here(), one[float64]{math.Copysign(0, -1)}, "0000000000000080")
	onWire(t, here(), one[complex64]{complex(1, -2)}, "0000803f000000c0")
	onWire(t, here(), one[complex128]{complex(1, -2)}, "000000000000f03f00000000000000c0")
	onWire(t, here(), one[namedInt]{-3}, "fdff")
	onWire(t, here(), one[time.Duration]{time.Second}, "00ca9a3b00000000")
	onWire(t, here(), one[time.Month]{5}, "0500000000000000")
}

func TestPlanScalars(t *testing.T) {
	onWire(t, here(), one[time.Time]{}, "0009 6e88f1ffffff 00000000")
	onWire(t, here(), one[time.Time]{time.Unix(1, 5)}, "0100000000000000 05000000")
	onWire(t, here(), one[namedTime]{namedTime(time.Unix(-1, 999999999))}, "ffffffffffffffff ffc99a3b")
	onWire(t, here(), one[span.GUID]{span.GUID{1, 2, 15: 3}}, "01020000000000000000000000000003")
	onWire(t, here(), one[span.Decimal]{mustDecimal(t, "-1.10")}, "6e0000000000000000000000 00000280")
	onWire(t, here(), one[span.Char]{'ÿ'}, "ff")
	u, _ := url.Parse("http://h/p")
	onWire(t, here(), one[url.URL]{*u}, "0a687474703a2f2f682f70")
	onWire(t, here(), one[netip.Addr]{netip.MustParseAddr("1.2.3.4")}, "0401020304")
	onWire(t, here(), one[*big.Int]{big.NewInt(-12)}, "01032d3132")
}

func TestPlanLists(t *testing.T) {
	onWire(t, here(), one[string]{"héllo"}, "0668c3a96c6c6f")
	onWire(t, here(), one[namedText]{"a\xff"}, "0261ff")
	onWire(t, here(), one[[]byte]{[]byte{1, 2}}, "020102")
	onWire(t, here(), one[namedBytes]{namedBytes{1, 2}}, "020102")
	onWire(t, here(), one[[]namedByte]{[]namedByte{1, 2}}, "020102")
	onWire(t, here(), one[[]int8]{[]int8{-1, 2}}, "02ff02")
	onWire(t, here(), one[[3]byte]{[3]byte{1, 2, 3}}, "010203")
	onWire(t, here(), one[[2]namedByte]{[2]namedByte{1, 2}}, "0102")
	onWire(t, here(), one[[2]int16]{[2]int16{1, -1}}, "0100ffff")
	onWire(t, here(), one[[0]int16]{}, "")
	onWire(t, here(), one[namedList]{namedList{1, 2}}, "0201000200")
	onWire(t, here(), one[[]string]{[]string{"a", "", "bc"}}, "03016100026263")
	onWire(t, here(), one[[][]int32]{[][]int32{{1}, nil, {2, 3}}}, "03 0101000000 00 020200000003000000")
	onWire(t, here(), one[[]bool]{[]bool{true, false}}, "020100")
	onWire(t, here(), one[[]float32]{[]float32{1, -1}}, "020000803f000080bf")
	onWire(t, here(), one[[]complex64]{[]complex64{1}}, "010000803f00000000")
	onWire(t, here(), one[[]*int8]{[]*int8{nil, new(int8)}}, "02000100")
	onWire(t, here(), one[[2]struct{ A, B uint8 }]{[2]struct{ A, B uint8 }{{1, 2}, {3, 4}}}, "01020304")
	onWire(t, here(), one[[]struct {
		A uint8
		B uint16
	}]{[]struct {
		A uint8
		B uint16
	}{{1, 2}, {3, 4}}}, "02010200030400")
	onWire(t, here(), one[**int16]{ptrTo(ptrTo(int16(3)))}, "01010300")
	onWire(t, here(), one[*[]int8]{&[]int8{3}}, "010103")
}

func ptrTo[T any](v T) *T { return &v }

func TestPlanMaps(t *testing.T) {
	onWire(t, here(), one[map[string]int8]{map[string]int8{"b": 2, "a": 1, "": 3}}, "03 0003 016101 016202")
	onWire(t, here(), one[map[int16]bool]{map[int16]bool{-1: true, 1: false}}, "02 ffff01 010000")
	onWire(t, here(), one[map[bool]string]{map[bool]string{true: "t", false: "f"}}, "02 000166 010174")
	onWire(t, here(), one[map[[2]byte]string]{map[[2]byte]string{{2, 1}: "x", {1, 2}: "y"}}, "02 01020179 02010178")
	onWire(t, here(), one[map[struct{ X, Y int16 }]uint8]{map[struct{ X, Y int16 }]uint8{{1, -1}: 1, {1, -2}: 2}}, "02 0100feff02 0100ffff01")
	onWire(t, here(), one[namedMap]{namedMap{"k": true}}, "01016b01")
	onWire(t, here(), one[map[float64]int8]{map[float64]int8{1: 1, -1: 2, math.Inf(-1): 3}},
		"03 000000000000f0ff03 000000000000f0bf02 000000000000f03f01")
	onWire(t, here(), one[map[span.GUID]int8]{map[span.GUID]int8{{1}: 1, {0, 1}: 2}},
		"02 0001000000000000000000000000000002 0100000000000000000000000000000001")
	onWire(t, here(), one[map[string][]string]{map[string][]string{"a": {"x"}}}, "01 0161 01 0178")
	onWire(t, here(), one[map[string]map[string]int8]{map[string]map[string]int8{"a": {"b": 1}}}, "01 0161 01 016201")
	onWire(t, here(), one[map[string]*int8]{map[string]*int8{"a": nil, "b": ptrTo(int8(4))}}, "02 016100 01620104")
	onWire(t, here(), one[map[complex64]int8]{map[complex64]int8{1: 1}}, "01 0000803f00000000 01")
}

func TestPlanMapsOfNaN(t *testing.T) {
	nan := math.NaN()
	b, err := ordered.Marshal(map[float64]int8{nan: 2, 0: 1, math.Inf(-1): 3})
	if want := "03 010000000000f87f02 000000000000f0ff03 000000000000000001"; err != nil || !bytes.Equal(b, unhex(t, want)) {
		t.Errorf("%v\n%x, want\n%s", err, b, want)
	}
}

func TestPlanRoots(t *testing.T) {
	onWire(t, here(), int32(7), "07000000")
	onWire(t, here(), "abc", "03616263")
	onWire(t, here(), []int16{1, 2}, "0201000200")
	onWire(t, here(), map[string]bool{"a": true}, "01016101")
	onWire(t, here(), [2]bool{true}, "0100")
	onWire(t, here(), time.Unix(3, 0), "0300000000000000 00000000")
	onWire(t, here(), struct{}{}, "")
	var p = ptrTo(ptrTo(int8(5)))
	if b, err := span.Marshal(p); err != nil || !bytes.Equal(b, []byte{5}) {
		t.Errorf("pointers at the root: %x %v", b, err)
	}
	var q **int8
	if err := span.Unmarshal([]byte{6}, &q); err != nil || **q != 6 {
		t.Errorf("pointers at the root: %v", err)
	}
}

type embedded struct{ E int8 }

type Shown struct{ F int8 }

func TestPlanFields(t *testing.T) {
	type nothing struct{}
	onWire(t, here(), struct {
		N  nothing
		P  *nothing
		A  [3]nothing
		_  uint32
		U8 uint8
		h  int
		S  int `span:"-"`
	}{U8: 9}, "0009")
	type holder struct {
		embedded
		*Shown
		time.Month
		E string
	}
	onWire(t, here(), holder{embedded{1}, &Shown{2}, 3, "x"}, "01 0102 0300000000000000 0178")
	type deep struct {
		A struct {
			B struct{ C int8 }
			D string
		}
		E int8
	}
	var d deep
	d.A.B.C, d.A.D, d.E = 1, "d", 2
	onWire(t, here(), d, "01 0164 02")
}
