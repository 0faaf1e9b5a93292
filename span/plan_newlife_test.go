package span_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

type nlSub struct {
	_    struct{} `span:"newlife"`
	P, Q uint8
}

type nlMember struct {
	_ struct{} `span:"newlife"`
	A int32
	B string
	T time.Time
	N *int16
	S nlSub
	C []nlSub
	K *nlSub
}

func TestPlanNewLife(t *testing.T) {
	at := time.Unix(0x01020304, 999)
	full := nlMember{A: 1, B: "b", T: at.Truncate(time.Second), N: ptrTo(int16(5)), S: nlSub{P: 1, Q: 2}, C: []nlSub{{P: 3, Q: 4}}, K: &nlSub{P: 5, Q: 6}}
	onWire(t, here(), full, "01000000 0162 04030201 010500 0102 010304 0506")
	full.K, full.T = nil, time.Time{}
	onWire(t, here(), full, "01000000 0162 00000000 010500 0102 010304")

	// Bytes that NewLife takes as well.
	for in, want := range map[string]nlMember{
		"":                            {},
		"01000000":                    {A: 1},
		"01000000 0162":               {A: 1, B: "b"},
		"01000000 818000 62":          {A: 1, B: "b"},
		"01000000 00 00000000 ff0500": {A: 1, N: ptrTo(int16(5))},
		"01000000 00 00000000 00 09":  {A: 1, S: nlSub{P: 9}},
	} {
		v := nlMember{A: 9, B: "x", N: ptrTo(int16(9)), S: nlSub{P: 7, Q: 8}, C: make([]nlSub, 3), K: &nlSub{}}
		if err := span.Unmarshal(unhex(t, in), &v); err != nil || !equal(v, want) {
			t.Errorf("%s: %v\n%+v, want\n%+v", in, err, v, want)
		}
		if err := (span.Options{Strict: true}).Unmarshal(unhex(t, in), &v); err == nil {
			t.Errorf("%s: accepted under Strict", in)
		}
	}
	b := exercise(t, here(), full)
	var v nlMember
	if err := (span.Options{Strict: true}).Unmarshal(b, &v); err != nil {
		t.Errorf("a nil pointer at the end under Strict: %v", err)
	}
	reject[nlMember](t, here(), "0100", errUnexpectedEOF, "A", 2)
	reject[nlMember](t, here(), "01000000 0262", errUnexpectedEOF, "B", 6)
	reject[nlMember](t, here(), "01000000 00 00000000 00 0102 02 030405", errUnexpectedEOF, "C", 12)
	reject[nlMember](t, here(), "01000000 00 ffffffff", span.ErrRange, "T", 5)
}

func TestPlanNewLifeNil(t *testing.T) {
	type middle struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *nlSub
		B uint16
	}
	refuse(t, here(), middle{A: 1, B: 2}, span.ErrNil, "N")
	onWire(t, here(), middle{A: 1, N: &nlSub{P: 2, Q: 3}, B: 4}, "01 0203 0400")
	type two struct {
		_ struct{} `span:"newlife"`
		M *nlSub
		N *nlSub
	}
	onWire(t, here(), two{}, "")
	onWire(t, here(), two{M: &nlSub{P: 1, Q: 2}}, "0102")
	refuse(t, here(), two{N: &nlSub{P: 1}}, span.ErrNil, "M")
	type outer struct {
		_ struct{} `span:"newlife"`
		T two
		B []byte
	}
	refuse(t, here(), outer{}, span.ErrNil, "T.M")
	type list struct {
		_ struct{} `span:"newlife"`
		L []*nlSub
		M map[string]two
	}
	refuse(t, here(), list{L: []*nlSub{{}, nil}}, span.ErrNil, "L[1]")
	refuse(t, here(), list{M: map[string]two{"k": {M: &nlSub{}}}}, span.ErrNil, `M["k"].N`)
	onWire(t, here(), list{L: []*nlSub{{P: 1, Q: 2}}}, "010102 00")
	type sized struct {
		_ struct{} `span:"newlife"`
		A two      `span:"sized"`
		B *nlSub   `span:"sized"`
	}
	onWire(t, here(), sized{A: two{M: &nlSub{P: 1, Q: 2}}, B: &nlSub{P: 3, Q: 4}}, "020102 020304")
	onWire(t, here(), sized{}, "00")
	type sizedFirst struct {
		_ struct{} `span:"newlife"`
		B *nlSub   `span:"sized"`
		C uint8
	}
	refuse(t, here(), sizedFirst{}, span.ErrNil, "B")
	type nothing struct{}
	type empty struct {
		_ struct{} `span:"newlife"`
		N *nothing
		L []*nothing `span:"max=2"`
		C uint8
	}
	var v empty
	onWire(t, here(), empty{L: make([]*nothing, 2), C: 1}, "0201")
	if err := span.Unmarshal([]byte{2, 1}, &v); err != nil || v.N != nil || v.L[0] != nil {
		t.Errorf("pointers to nothing read as %+v, %v", v, err)
	}

	// Under Compat nil writes nothing wherever it stands.
	b, err := span.Options{Compat: true}.Marshal(middle{A: 1, B: 0x0302})
	if string(b) != "\x01\x02\x03" || err != nil {
		t.Errorf("Compat: %x %v", b, err)
	}
}

func TestPlanProfiles(t *testing.T) {
	type goSide struct {
		T *nlSub
		B bool
	}
	type nlSide struct {
		_ struct{} `span:"newlife"`
		G goSide
		H *goSide
	}
	onWire(t, here(), nlSide{G: goSide{T: &nlSub{P: 1, Q: 2}, B: true}, H: &goSide{}}, "01010201 0000")
	// A boundary inside of a Go struct is no place to end.
	reject[nlSide](t, here(), "00", errUnexpectedEOF, "G.B", 1)
	reject[nlSide](t, here(), "0002", span.ErrMalformed, "G.B", 1)
	// One inside of a NewLife struct is, but then what follows it must be able to.
	reject[goSide](t, here(), "0105", errUnexpectedEOF, "B", 2)
	var v nlSide
	if err := span.Unmarshal(nil, &v); err != nil {
		t.Error(err)
	}
}

func TestPlanSwitches(t *testing.T) {
	type number struct {
		_ struct{} `span:"newlife"`
		A int16
		B uint32
		C int64
		D float32
		E time.Time
		F span.Decimal
		G uint32 `span:"be"`
		H []int16
		I int8
		J map[int32]string
		K span.GUID
	}
	v := number{A: -1, B: 1, C: 300, D: 1, E: time.Unix(1, 0).UTC(), F: mustDecimal(t, "99.99"), G: 1, H: []int16{2}, I: 3, J: map[int32]string{4: "x"}, K: span.GUID{1}}
	const guid = "01000000000000000000000000000000"
	for _, c := range []struct {
		o    span.Options
		want string
	}{
		{span.Options{}, "ffff 01000000 2c01000000000000 0000803f 01000000 0f270000000000000000000000000200 00000001 010200 03 01 04000000 0178"},
		{span.Options{BigEndian: true}, "ffff 00000001 000000000000012c 3f800000 00000001 0000270f000000000000000000020000 00000001 010002 03 01 00000004 0178"},
		{span.Options{EncodeInt: true}, "ffff03 01 ac02 0000803f 01 8f4e0000808008 00000001 0102 03 01 04 0178"},
		{span.Options{FullTime: true}, "ffff 01000000 2c01000000000000 0000803f 80164ef8f57f9f48 0f270000000000000000000000000200 00000001 010200 03 01 04000000 0178"},
	} {
		got := exercise(t, here(), v, c.o)
		want := c.want + guid
		if string(got) != string(unhex(t, want)) {
			t.Errorf("%+v\n%x, want\n%s", c.o, got, want)
		}
	}
	for i := range 8 {
		exercise(t, here(), v, span.Options{BigEndian: i&1 != 0, EncodeInt: i&2 != 0, FullTime: i&4 != 0})
	}
	// The Go profile does not care.
	if got := exercise(t, here(), one[int32]{1}, span.Options{BigEndian: true, EncodeInt: true}); string(got) != "\x01\x00\x00\x00" {
		t.Errorf("%x", got)
	}
}

func TestPlanCompat(t *testing.T) {
	type times struct {
		_ struct{} `span:"newlife"`
		T time.Time
	}
	compat := span.Options{Compat: true}
	for sec, want := range map[int64]string{-1: "00000000", 1: "01000000", 1 << 32: "ffffffff", 1<<32 - 1: "ffffffff"} {
		v := times{T: time.Unix(sec, 0).UTC()}
		if b, err := compat.Marshal(v); err != nil || string(b) != string(unhex(t, want)) {
			t.Errorf("%d: %x %v, want %s", sec, b, err, want)
		}
		if sec != 1 {
			refuse(t, here(), v, span.ErrRange, "T")
		}
	}
	var v times
	if err := compat.Unmarshal([]byte{255, 255, 255, 255}, &v); err != nil || v.T.Unix() != 1<<32-1 {
		t.Errorf("%v %v", v, err)
	}
}
