package binary_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
)

// TestPaths: lengths and conditions in bit fields, behind pointers and in
// embedded structs.
func TestPaths(t *testing.T) {
	type Bits struct {
		Has  bool  `binary:"bits=1"`
		_    uint8 `binary:"bits=2"`
		Size uint8 `binary:"bits=5"`
	}
	type deep struct{ B *Bits }
	type m struct {
		Bits
		D deep
		A []byte `binary:"count=Size"`
		B []byte `binary:"count=D.B.Size"`
		C uint8  `binary:"if=D.B.Has"`
		E uint8  `binary:"if=Has"`
		F uint8  `binary:"if=!Bits.Has"`
	}
	v := &m{D: deep{&Bits{Has: true}}, A: []byte("ab"), B: []byte("xyz"), C: 1, F: 2}
	roundTrip(t, v, "02 83 6162 78797a 01 02", binary.Options{})
	if v.Size != 2 || v.D.B.Size != 3 {
		t.Errorf("%+v, %+v", v.Bits, *v.D.B)
	}
	refuses[m](t, "02 a3 6162 78797a 01 02", binary.Options{Strict: true}, binary.ErrMalformed, "D.B._")
	cannot(t, &m{B: []byte("x")}, binary.Options{}, binary.ErrNil, "B")
	cannot(t, &m{D: deep{&Bits{}}, A: make([]byte, 32)}, binary.Options{}, binary.ErrRange, "Bits.Size")
	for _, bad := range []any{
		struct {
			D deep
			A []byte `binary:"count=D.B.Nope"`
		}{},
		struct {
			D deep
			A []byte `binary:"count=D.B.Has"`
		}{},
		struct {
			D deep
			A uint8 `binary:"if=D.B.Size"`
		}{},
		struct {
			D deep
			A uint8 `binary:"if=D.B.Size.8"`
		}{},
		struct {
			A uint8 `binary:"bits=3,const=9"`
			B uint8 `binary:"bits=5"`
		}{},
		struct {
			A bool  `binary:"bits=1,const=1"`
			B uint8 `binary:"bits=7"`
		}{},
		struct {
			A uint8 `binary:"bits=8,bits=8"`
		}{},
		struct {
			A string `binary:"size=3,size=4"`
		}{},
		struct {
			A string `binary:"version=1"`
		}{},
		struct {
			A uint16 `binary:"sum=crc32"`
		}{},
		struct {
			A uint16 `binary:"sum=crc16-modbus,from=B"`
		}{},
		struct {
			A string `binary:"const=abc"`
			B []byte `binary:"const=0xabc"`
		}{},
		struct {
			A float32 `binary:"const=1"`
		}{},
		struct {
			A int32 `binary:"bcd=2"`
		}{},
		struct {
			A uint64 `binary:"bcd=11"`
		}{},
	} {
		if _, err := binary.Marshal(bad); !errors.Is(err, binary.ErrUnsupported) {
			t.Errorf("%T: %v", bad, err)
		}
	}
}

type keyed struct {
	A      uint8
	hidden *int
}

// TestIgnored: what other members depend on, and bit fields, can't be left out.
func TestIgnored(t *testing.T) {
	type m struct {
		A uint8
		B flags
		N uint8
		D []byte `binary:"count=N"`
		E uint8  `binary:"if=A.0"`
		S uint8  `binary:"sum=xor,from=N"`
	}
	v := &m{A: 1, D: []byte("x"), E: 2}
	ignore := func(names ...string) binary.Options { return binary.Options{IgnoreMembers: names} }
	roundTrip(t, v, "01 0000 01 78 02 7b", ignore("Nothing"))
	roundTrip(t, v, "01 01 78 02 7b", ignore("B"))
	roundTrip(t, v, "01 0000 02 02", ignore("N", "D"))
	cannot(t, v, ignore("N"), binary.ErrUnsupported, "D")
	cannot(t, v, ignore("A"), binary.ErrUnsupported, "E")
	cannot(t, v, ignore("Opcode"), binary.ErrUnsupported, "B.QR")
	refuses[m](t, "01 0000 01 78 02 7b", ignore("N"), binary.ErrUnsupported, "D")
	refuses[m](t, "01 0000 01 78 02 7b", ignore("Rcode"), binary.ErrUnsupported, "B.QR")
}

func TestMapKeys(t *testing.T) {
	_ = keyed{}.hidden
	type m struct{ M map[keyed]uint8 }
	o := binary.Options{Deterministic: true}
	roundTrip(t, &m{map[keyed]uint8{{A: 2}: 1, {A: 1}: 2}}, "02 01 02 02 01", o)
	type all struct {
		B map[bool]uint8
		F map[float64]uint8
		A map[[2]int8]uint8
		D map[binary.Date]uint8
	}
	roundTrip(t, &all{
		map[bool]uint8{true: 1, false: 2}, map[float64]uint8{2: 1, -1: 2}, map[[2]int8]uint8{{1, 2}: 1, {-1, 9}: 2},
		map[binary.Date]uint8{5: 1, 4: 2},
	}, "02 0002 0101 02 bff000000000000002 400000000000000001 02 ff0902 010201 02 0000000402 0000000501", o)
	type object struct{ M map[string]*stone }
	cannot(t, &object{map[string]*stone{"k": nil}}, o, binary.ErrNil, "M[k]")
	roundTrip(t, &object{map[string]*stone{"k": nil}}, "01 016b 00", binary.Options{UseRef: true})
	type late struct{ M map[string]time.Time }
	cannot(t, &late{map[string]time.Time{"k": time.Unix(-1, 0)}}, o, binary.ErrRange, "M[k]")
	refuses[late](t, "01 016b 000000", o, io.ErrUnexpectedEOF, "M[k]")
}

// TestCompatMarks: what NewLife takes for an object has a mark under UseRef.
func TestCompatMarks(t *testing.T) {
	type m struct{ D time.Duration }
	o := binary.Options{UseRef: true, Compat: true}
	b, err := o.Marshal(&m{time.Second})
	if err != nil || len(b) != 93 || b[0] != 2 {
		t.Errorf("%x, %v", b, err)
	}
	var got m
	if err := o.Unmarshal(b, &got); err != nil || got.D != time.Second {
		t.Errorf("%+v, %v", got, err)
	}
	b, err = o.Marshal(time.Second)
	if err != nil || len(b) != 92 {
		t.Errorf("the root has no mark: %x, %v", b, err)
	}
}

// TestOpaque: a foreign struct without exported fields has no form.
func TestOpaque(t *testing.T) {
	type m struct{ L strings.Reader }
	if _, err := binary.Marshal(&m{}); !errors.Is(err, binary.ErrUnsupported) || !strings.Contains(err.Error(), "m.L") {
		t.Errorf("error %v", err)
	}
	type pointers **m
	var p pointers
	if _, err := binary.Marshal(&p); err == nil {
		t.Error("a nil pointer is accepted")
	}
	type circle *circle
	var c circle
	c = circle(&c)
	if _, err := binary.Marshal(c); !errors.Is(err, binary.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}
