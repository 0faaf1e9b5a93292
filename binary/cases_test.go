package binary_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// stone is the model of NewLife's own tests.
type stone struct {
	Code int32
	Name string
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// roundTrip checks the bytes of a value and that they read back as it.
func roundTrip[T any](t *testing.T, v *T, want string, o binary.Options) {
	t.Helper()
	b, err := o.Marshal(v)
	if err != nil || !bytes.Equal(b, unhex(want)) {
		t.Errorf("%+v: error %v, wrote %x, want %s", *v, err, b, want)
		return
	}
	var got T
	if err := o.Unmarshal(b, &got); err != nil {
		t.Errorf("%x: %v", b, err)
		return
	}
	again, err := o.Marshal(&got)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("%x reads as %+v, error %v, which is written %x", b, got, err, again)
	}
}

// refuses checks that reading fails for a reason.
func refuses[T any](t *testing.T, in string, o binary.Options, reason error, path string) {
	t.Helper()
	var v T
	err := o.Unmarshal(unhex(in), &v)
	var e *binary.Error
	if !errors.Is(err, reason) || !errors.As(err, &e) || e.Path != path {
		t.Errorf("%s: error %v, want %v at %q", in, err, reason, path)
	}
}

// cannot checks that writing fails for a reason, and leaves what was there.
func cannot(t *testing.T, v any, o binary.Options, reason error, path string) {
	t.Helper()
	b, err := o.Append([]byte("before"), v)
	var e *binary.Error
	if !errors.Is(err, reason) || !errors.As(err, &e) || e.Path != path || string(b) != "before" {
		t.Errorf("%+v: error %v, want %v at %q; %q", v, err, reason, path, b)
	}
}

// TestNewLife holds the anchors that NewLife's own tests assert.
func TestNewLife(t *testing.T) {
	v := &stone{1234, "Stone"}
	roundTrip(t, v, "000004D20553746F6E65", binary.Options{})
	roundTrip(t, v, "D20400000553746F6E65", binary.Options{LittleEndian: true})
	roundTrip(t, v, "D2090553746F6E65", binary.Options{EncodeInt: true})
	roundTrip(t, v, "000004D2000553746F6E65", binary.Options{SizeWidth: 2})
	roundTrip(t, v, "0553746F6E65", binary.Options{IgnoreMembers: []string{"Code"}})
	b, err := binary.FastWrite(v)
	if err != nil || !bytes.Equal(b, unhex("D2090553746F6E65")) {
		t.Errorf("FastWrite: %x, %v", b, err)
	}
	var got stone
	if err := binary.FastRead(b, &got); err != nil || got != *v {
		t.Errorf("FastRead: %v, %v", got, err)
	}
	if n := len(binary.DefaultHandlers()); n != 5 {
		t.Errorf("%d default handlers", n)
	}
}

// TestReferenceSet: writing sets the length member, in the object itself.
func TestReferenceSet(t *testing.T) {
	type sized struct {
		Length uint8
		Name   string `binary:"ref=Length"`
	}
	v := &sized{Name: "Stone"}
	roundTrip(t, v, "0553746F6E65", binary.Options{UseFieldSize: true})
	if v.Length != 5 {
		t.Errorf("Length is %d after writing", v.Length)
	}
	value := sized{Name: "Stone"}
	b, err := binary.Options{UseFieldSize: true}.Marshal(value)
	if err != nil || string(b) != "\x05Stone" || value.Length != 0 {
		t.Errorf("a value: %q, %v, Length %d", b, err, value.Length)
	}
	cannot(t, &sized{Name: strings.Repeat("x", 256)}, binary.Options{UseFieldSize: true}, binary.ErrRange, "Name")
}

type fixedStone struct {
	Code int32
	Name string `binary:"fixed=8"`
}

// ownStone writes itself little-endian whatever the options are.
type ownStone struct{ stone }

func (s *ownStone) WriteBinary(e *binary.Encoder) error {
	e.WriteRaw([]byte{byte(s.Code), byte(s.Code >> 8), byte(s.Code >> 16), byte(s.Code >> 24), byte(len(s.Name))})
	e.WriteRaw([]byte(s.Name))
	return nil
}

func (s *ownStone) ReadBinary(d *binary.Decoder) error {
	b := d.ReadRaw(5)
	if len(b) == 5 {
		s.Code = int32(b[0]) | int32(b[1])<<8 | int32(b[2])<<16 | int32(b[3])<<24
		s.Name = string(d.ReadRaw(int(b[4])))
	}
	return nil
}

func TestFixedStringAndAccessor(t *testing.T) {
	o := binary.Options{EncodeInt: true}
	roundTrip(t, &fixedStone{1234, "Stone"}, "D20953746F6E65000000", o)
	roundTrip(t, &ownStone{stone{1234, "Stone"}}, "D20400000553746F6E65", o)
	cannot(t, &fixedStone{1, "too long for it"}, o, binary.ErrRange, "Name")
	o.Compat = true
	roundTrip(t, &fixedStone{1, "too long for it"}, "01746F6F206C6F6E67", o)
}

// TestSpanEquality: one struct that crosses both serializers (D04).
func TestSpanEquality(t *testing.T) {
	type all struct {
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
	amount, err := span.ParseDecimal("99.99")
	if err != nil {
		t.Fatal(err)
	}
	v := &all{1234, "Stone", true, 3.14, 0, 0, time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC), 'X', amount}
	roundTrip(t, v, "D20400000553746F6E6501C3F548400000000000000000000080956368580F270000000000000000000000000200", binary.Options{LittleEndian: true})
	roundTrip(t, v, "000004D20553746F6E65014048F5C30000000000000000000068639580580000270F000000000000000000020000", binary.Options{})
}

func TestEncodeInt(t *testing.T) {
	o := binary.Options{EncodeInt: true}
	for want, v := range map[string]any{
		"FFFF03": int16(-1), "FFFFFFFF0F": int32(-1), "FFFFFFFFFFFFFFFFFF01": int64(-1), "E0D403": uint16(60000),
		"C0843D": int32(1000000), "C801": int64(200), "8080808008": int32(math.MinInt32), "C3F54840": float32(3.14), "AB": uint8(0xab),
		"80ABE8C306": nil, "9C": int8(-100), "41": span.Char('A'), "01": true,
	} {
		if v == nil {
			continue
		}
		o := o
		o.LittleEndian = true
		b, err := o.Marshal(v)
		if err != nil || !bytes.Equal(b, unhex(want)) {
			t.Errorf("%T %v: %x, %v, want %s", v, v, b, err, want)
		}
	}
	for n, size := range map[int32]int{0: 1, 127: 1, 128: 2, 0x3fff: 2, 0x4000: 3, 0x1fffff: 3, 0x200000: 4, 0xfffffff: 4, 0x10000000: 5, -1: 5} {
		if b, err := o.Marshal(n); err != nil || len(b) != size {
			t.Errorf("%d: %x, %v, want %d bytes", n, b, err, size)
		}
	}
	type timed struct{ T time.Time }
	roundTrip(t, &timed{time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC)}, "80AB8EC306", o)
	roundTrip(t, &timed{}, "00", o)
	roundTrip(t, &timed{}, "0000000000000000", binary.Options{FullTime: true})
	roundTrip(t, &timed{time.Date(2038, 12, 31, 0, 0, 0, 0, time.UTC)}, "80F9C781", binary.Options{LittleEndian: true})
	cannot(t, &timed{time.Date(2106, 12, 31, 0, 0, 0, 0, time.UTC)}, o, binary.ErrRange, "T")
	cannot(t, &timed{time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)}, o, binary.ErrRange, "T")
}

func TestUvarintLimits(t *testing.T) {
	type one struct{ V int32 }
	o := binary.Options{EncodeInt: true}
	for _, in := range []string{"8080808010", "FFFFFFFF7F", "FFFFFFFFFF01"} {
		refuses[one](t, in, o, binary.ErrRange, "V")
	}
	for in, want := range map[string]int32{
		"FFFFFFFF0F": -1, "FFFFFFFF07": math.MaxInt32, "8080808008": math.MinInt32,
		"8000": 0, "8100": 1, "8080808000": 0, "FF00": 127,
	} {
		var v one
		if err := o.Unmarshal(unhex(in), &v); err != nil || v.V != want {
			t.Errorf("%s: %d, %v, want %d", in, v.V, err, want)
		}
	}
	o.Strict = true
	for _, in := range []string{"8000", "8100", "8080808000", "FF00"} {
		refuses[one](t, in, o, binary.ErrMalformed, "V")
	}
}

func TestLists(t *testing.T) {
	type ints struct{ V []int32 }
	type dict struct{ V map[string]int32 }
	type maybe struct{ V []*int32 }
	type objects struct{ V []*stone }
	one := int32(1)
	o := binary.Options{}
	roundTrip(t, &ints{[]int32{1, 2}}, "020000000100000002", o)
	roundTrip(t, &ints{}, "00", o)
	roundTrip(t, &ints{[]int32{}}, "00", o)
	roundTrip(t, &dict{map[string]int32{"a": 1}}, "01016100000001", o)
	roundTrip(t, &maybe{[]*int32{&one, nil}}, "02 01 00000001 00", o)
	cannot(t, &objects{[]*stone{{1, "a"}, nil}}, o, binary.ErrNil, "V[1]")
	b, err := binary.Options{Compat: true}.Marshal(&maybe{[]*int32{&one, nil}})
	if err != nil || !bytes.Equal(b, unhex("0200000001")) {
		t.Errorf("Compat: %x, %v", b, err)
	}
	roundTrip(t, &objects{[]*stone{{1, "a"}, nil}}, "02 02 00000001 0161 00", binary.Options{UseRef: true})
}

func TestGUIDAndDecimal(t *testing.T) {
	type ids struct {
		G span.GUID
		N *span.GUID
	}
	g, err := span.ParseGUID("00112233-4455-6677-8899-aabbccddeeff")
	if err != nil {
		t.Fatal(err)
	}
	for _, le := range []bool{false, true} {
		roundTrip(t, &ids{g, &g}, "33221100554477668899AABBCCDDEEFF 01 33221100554477668899AABBCCDDEEFF", binary.Options{LittleEndian: le})
		roundTrip(t, &ids{}, "00000000000000000000000000000000 00", binary.Options{LittleEndian: le})
	}
	type amount struct{ D span.Decimal }
	for text, want := range map[string]string{
		"0": "00000000000000000000000000000000", "1": "01000000000000000000000000000000", "-1": "01000000000000000000000000000080",
		"99.99": "0F270000000000000000000000000200", "123456.789": "15CD5B07000000000000000000000300",
		"-0.5": "05000000000000000000000000000180", "1.10": "6E000000000000000000000000000200",
		"79228162514264337593543950335": "FFFFFFFFFFFFFFFFFFFFFFFF00000000",
	} {
		d, err := span.ParseDecimal(text)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, &amount{d}, want, binary.Options{LittleEndian: true})
	}
	refuses[amount](t, "0000000000000000000000001d1d0000", binary.Options{}, binary.ErrMalformed, "D")
}

func TestBCD(t *testing.T) {
	for n, want := range map[int]byte{0: 0, 9: 9, 25: 0x25, 99: 0x99} {
		b, err := binary.ToBCD(n)
		back, e := binary.FromBCD(b)
		if b != want || err != nil || back != n || e != nil {
			t.Errorf("%d: %#x, %v, %d, %v", n, b, err, back, e)
		}
	}
	for _, n := range []int{-1, 100} {
		if _, err := binary.ToBCD(n); !errors.Is(err, binary.ErrRange) {
			t.Errorf("%d: %v", n, err)
		}
	}
	for digits, want := range map[string]string{"123456": "123456", "1234": "123400"} {
		if b, err := binary.AppendBCD(nil, digits, 3); err != nil || hex.EncodeToString(b) != want {
			t.Errorf("%s: %x, %v", digits, b, err)
		}
	}
	for digits, reason := range map[string]error{"123": binary.ErrMalformed, "12x4": binary.ErrMalformed, "12345678": binary.ErrRange} {
		if b, err := binary.AppendBCD([]byte{7}, digits, 3); !errors.Is(err, reason) || len(b) != 1 {
			t.Errorf("%s: %x, %v", digits, b, err)
		}
	}
	if s, err := binary.DigitsBCD(unhex("123456")); s != "123456" || err != nil {
		t.Errorf("%s, %v", s, err)
	}
	if _, err := binary.DigitsBCD(unhex("1A3F")); !errors.Is(err, binary.ErrMalformed) {
		t.Error(err)
	}
}

// TestStream: Total counts on both sides, and an exhausted stream says so.
func TestStream(t *testing.T) {
	var buf bytes.Buffer
	e := binary.NewEncoder(&buf)
	for i := range 3 {
		if err := e.Encode(&stone{int32(i), "Stone"}); err != nil {
			t.Fatal(err)
		}
	}
	if e.Total() != 30 || buf.Len() != 30 {
		t.Errorf("Total %d of %d", e.Total(), buf.Len())
	}
	d := binary.NewDecoder(&buf)
	for i := range 3 {
		var v stone
		if err := d.Decode(&v); err != nil || v != (stone{int32(i), "Stone"}) {
			t.Errorf("%v, %v", v, err)
		}
		if d.Total() != int64(10*(i+1)) || d.EndOfStream() != (i == 2) {
			t.Errorf("Total %d, EndOfStream %t", d.Total(), d.EndOfStream())
		}
	}
	var v stone
	if err := d.Decode(&v); err != io.EOF { // it must be io.EOF itself
		t.Errorf("error %v, want io.EOF", err)
	}
}
