package binary_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/binary"
)

type named struct{ Name string }
type data struct{ Data []byte }
type numbers struct{ L []int64 }
type table struct{ M map[string]int32 }
type chain struct {
	V    uint8
	Next *chain
}

// allocated gives the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileLengths: lengths beyond the input, or below zero, are errors before
// anything is made for them.
func TestHostileLengths(t *testing.T) {
	for _, c := range []struct {
		in string
		o  binary.Options
	}{
		{"FFFFFFFF07", binary.Options{}}, {"80808040 616263", binary.Options{}},
		{"FFFFFFFF0F", binary.Options{}}, {"8080808008", binary.Options{}}, {"FFFFFFFFFF01", binary.Options{}},
		{"FFFFFFFF", binary.Options{SizeWidth: 4}}, {"7FFFFFFF", binary.Options{SizeWidth: 4}},
		{"8000 00", binary.Options{SizeWidth: 2}}, {"7FFF 00", binary.Options{SizeWidth: 2}}, {"FFFF03", binary.Options{SizeWidth: 2, EncodeInt: true}},
		{"FF 00", binary.Options{SizeWidth: 1}},
	} {
		for _, v := range []any{new(named), new(data), new(numbers), new(table)} {
			for name, read := range map[string]func() error{
				"slice":  func() error { return c.o.Unmarshal(unhex(c.in), v) },
				"stream": func() error { return c.o.NewDecoder(bytes.NewReader(unhex(c.in))).Decode(v) },
			} {
				err := read() // compiles the plan
				grown := allocated(func() { err = read() })
				if err == nil || grown > 64<<10 {
					t.Errorf("%T of %s from a %s: error %v, %d bytes allocated", v, c.in, name, err, grown)
				}
			}
		}
	}
}

func TestDepth(t *testing.T) {
	var v chain
	if err := binary.Unmarshal(make([]byte, 8<<20), &v); !errors.Is(err, binary.ErrDepth) {
		t.Errorf("error %v", err)
	}
	ok := &chain{}
	for range 900 {
		ok = &chain{1, ok}
	}
	b, err := binary.Marshal(ok)
	if err != nil {
		t.Fatal(err)
	}
	if err := binary.Unmarshal(b, &v); err != nil {
		t.Error(err)
	}
	if err := (binary.Options{MaxDepth: 10}).Unmarshal(b, &v); !errors.Is(err, binary.ErrDepth) {
		t.Errorf("error %v", err)
	}
	loop := &chain{}
	loop.Next = loop
	cannot(t, loop, binary.Options{MaxDepth: 3}, binary.ErrDepth, "Next.Next.Next")
}

type list []list

func TestEndlessLists(t *testing.T) {
	var l list
	if err := binary.Unmarshal(bytes.Repeat([]byte{1}, 1<<20), &l); !errors.Is(err, binary.ErrDepth) {
		t.Errorf("error %v", err)
	}
	type nothing struct{}
	var v struct{ L []nothing }
	if err := binary.Unmarshal(unhex("808004"), &v); err != nil || len(v.L) != 65536 {
		t.Errorf("%d, %v", len(v.L), err)
	}
	var w struct{ M map[nothing]nothing }
	if err := binary.Unmarshal(unhex("FFFFFFFF07"), &w); !errors.Is(err, binary.ErrLimit) {
		t.Errorf("error %v", err)
	}
	many := struct {
		P []*stone
		O []ownStone
	}{make([]*stone, 70_000), make([]ownStone, 70_000)}
	for i := range many.P {
		many.P[i] = &stone{int32(i), "x"}
	}
	b, err := binary.Marshal(&many)
	if err == nil {
		many.P, many.O = nil, nil
		err = binary.Unmarshal(b, &many)
	}
	if err != nil || len(many.P) != 70_000 || many.P[69_999].Code != 69_999 || len(many.O) != 70_000 {
		t.Errorf("%d, %d, %v", len(many.P), len(many.O), err)
	}
	v.L = make([]nothing, 65537)
	if b, err := binary.Marshal(&v); err != nil || !bytes.Equal(b, unhex("818004")) {
		t.Errorf("%x, error %v", b, err)
	}
}

// TestDestination: what was there is replaced, nothing is appended to it.
func TestDestination(t *testing.T) {
	type dst struct {
		L []int32
		M map[string]int32
		P *int16
		S string
		E uint8
	}
	five := int16(5)
	v := dst{[]int32{1, 2, 3}, map[string]int32{"x": 1}, &five, "old", 9}
	if err := binary.Unmarshal(unhex("01 00000009 00 00 00 07"), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.L) != 1 || v.L[0] != 9 || len(v.M) != 0 || v.P != nil || v.S != "" || v.E != 7 {
		t.Errorf("%+v", v)
	}
	v = dst{[]int32{1}, map[string]int32{"x": 1}, &five, "old", 9}
	if err := binary.Unmarshal(unhex("00"), &v); err != nil || len(v.L) != 0 || v.M != nil || v.P != nil || v.S != "" || v.E != 0 {
		t.Errorf("a missing tail leaves %+v, %v", v, err)
	}
	refuses[dst](t, "00", binary.Options{Strict: true}, io.ErrUnexpectedEOF, "M")
	// Elements are overwritten whole.
	type held struct{ L []struct{ A, B *int8 } }
	one := int8(1)
	h := held{[]struct{ A, B *int8 }{{&one, &one}}}
	if err := binary.Unmarshal(unhex("01 00 0102"), &h); err != nil || h.L[0].A != nil || *h.L[0].B != 2 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestAliasing(t *testing.T) {
	type both struct {
		Name string
		Data []byte
	}
	in := unhex("0553746F6E6502AABB")
	var v both
	if err := binary.Unmarshal(in, &v); err != nil {
		t.Fatal(err)
	}
	for i := range in {
		in[i] = 0xff
	}
	if v.Name != "Stone" || !bytes.Equal(v.Data, []byte{0xaa, 0xbb}) {
		t.Errorf("%q %x", v.Name, v.Data)
	}
}

func TestLenience(t *testing.T) {
	type m struct {
		B bool
		P *int16
	}
	for in, b := range map[string]bool{"02 02 0001": true, "FF 80 0001": true, "80 FF 0001": true} {
		var v m
		if err := binary.Unmarshal(unhex(in), &v); err != nil || v.B != b || v.P == nil || *v.P != 1 {
			t.Errorf("%s: %+v, %v", in, v, err)
		}
		if out, err := binary.Marshal(&v); err != nil || !bytes.Equal(out, unhex("01 01 0001")) {
			t.Errorf("%s is written %x, %v", in, out, err)
		}
		refuses[m](t, in, binary.Options{Strict: true}, binary.ErrMalformed, "B")
	}
	var v table
	in := unhex("02 0161 00000001 0161 00000002")
	if err := binary.Unmarshal(in, &v); err != nil || len(v.M) != 1 || v.M["a"] != 2 {
		t.Errorf("%v, %v", v, err)
	}
	if err := (binary.Options{Strict: true}).Unmarshal(in, &v); !errors.Is(err, binary.ErrDuplicateKey) {
		t.Errorf("error %v", err)
	}
	var n named
	if err := (binary.Options{Strict: true}).Unmarshal(unhex("02C080"), &n); !errors.Is(err, binary.ErrUTF8) {
		t.Errorf("error %v", err)
	}
	for _, in := range []string{"01FF", "0261C3", "03EDA080", "02C080", "02F080"} {
		roundTrip(t, &named{string(unhex(in)[1:])}, in, binary.Options{})
	}
	type a struct{ X uint16 }
	refuses[a](t, "0007 0008 FF", binary.Options{}, binary.ErrTrailing, "")
	var x a
	rest, err := binary.UnmarshalFirst(unhex("0007 0008 FF"), &x)
	if err != nil || x.X != 7 || len(rest) != 3 {
		t.Errorf("%v, %x, %v", x, rest, err)
	}
}

// TestEveryPrefix: what ends between members is a message with a tail missing,
// everything else an error that says where.
func TestEveryPrefix(t *testing.T) {
	type m struct {
		Code int32
		Name string
		Flag bool
		Data []byte
		Opt  *int16
	}
	full := unhex("000004D2 0553746F6E65 01 02AABB 01FFFE")
	ends := map[int]bool{4: true, 10: true, 11: true, 14: true, 17: true}
	for n := range len(full) + 1 {
		for name, read := range map[string]func(v any) error{
			"slice":   func(v any) error { return binary.Unmarshal(full[:n], v) },
			"stream":  func(v any) error { return binary.NewDecoder(bytes.NewReader(full[:n])).Decode(v) },
			"onebyte": func(v any) error { return binary.NewDecoder(iotest.OneByteReader(bytes.NewReader(full[:n]))).Decode(v) },
			"dataerr": func(v any) error { return binary.NewDecoder(iotest.DataErrReader(bytes.NewReader(full[:n]))).Decode(v) },
		} {
			var v m
			err := read(&v)
			var e *binary.Error
			switch {
			case n == 0:
				if err == nil {
					t.Errorf("%s: nothing is accepted", name)
				}
			case ends[n]:
				if err != nil || v.Code != 1234 || (n >= 10) != (v.Name == "Stone") {
					t.Errorf("%s of %d bytes: %+v, %v", name, n, v, err)
				}
			case !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &e) || e.Path == "" || e.Offset > int64(n):
				t.Errorf("%s of %d bytes: %v", name, n, err)
			}
		}
	}
}

func TestSizeLimits(t *testing.T) {
	v := &data{make([]byte, 100)}
	if _, err := (binary.Options{MaxSize: 101}).Marshal(v); err != nil {
		t.Error(err)
	}
	if _, err := (binary.Options{MaxSize: 100}).Marshal(v); !errors.Is(err, binary.ErrLimit) {
		t.Errorf("error %v", err)
	}
	if err := (binary.Options{MaxSize: 100}).Unmarshal(make([]byte, 101), v); !errors.Is(err, binary.ErrLimit) {
		t.Errorf("error %v", err)
	}
	for width, most := range map[int]int{1: 255, 2: 32767} {
		o := binary.Options{SizeWidth: width}
		if _, err := o.Marshal(&data{make([]byte, most)}); err != nil {
			t.Error(err)
		}
		cannot(t, &data{make([]byte, most+1)}, o, binary.ErrRange, "Data")
	}
	cannot(t, v, binary.Options{SizeWidth: 3}, binary.ErrRange, "")
	if err := (binary.Options{SizeWidth: 5}).NewEncoder(io.Discard).Encode(v); !errors.Is(err, binary.ErrRange) {
		t.Errorf("error %v", err)
	}
	if err := (binary.Options{SizeWidth: 5}).NewDecoder(strings.NewReader("x")).Decode(v); !errors.Is(err, binary.ErrRange) {
		t.Errorf("error %v", err)
	}
	for _, v := range []any{nil, (*stone)(nil), (**stone)(nil), new(*stone)} {
		if _, err := binary.Marshal(v); !errors.Is(err, binary.ErrNil) {
			t.Errorf("%T: %v", v, err)
		}
	}
	for _, v := range []any{nil, stone{}, (*stone)(nil)} {
		if err := binary.Unmarshal(unhex("0000000100"), v); !errors.Is(err, binary.ErrNil) {
			t.Errorf("%T: %v", v, err)
		}
	}
	var p *stone
	if err := binary.Unmarshal(unhex("0000000100"), &p); err != nil || p == nil || p.Code != 1 {
		t.Errorf("%v, %v", p, err)
	}
}
