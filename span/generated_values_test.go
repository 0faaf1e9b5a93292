package span

import (
	"bytes"
	"math"
	"testing"
	"time"
)

// TestVarintAt holds the fast forms of uvarints against the primitives.
func TestVarintAt(t *testing.T) {
	for _, x := range []uint64{0, 1, 0x7f, 0x80, 0xffff, 1 << 31, math.MaxUint32, 1 << 63, math.MaxUint64} {
		b := make([]byte, 11)
		i := PutUvarint(b, 1, x)
		if want := AppendUvarint(nil, x); !bytes.Equal(b[1:i], want) {
			t.Fatalf("%d: % x, want % x", x, b[1:i], want)
		}
		var v uint64
		if n := VarintAt(b, 1, &v); n != i || v != x {
			t.Errorf("%d: read %d, next %d", x, v, n)
		}
		var z int64
		if n := ZigZagAt(b, 1, &z); n != i || z != UnZigZag(x) {
			t.Errorf("%d: zigzag %d, next %d", x, z, n)
		}
		var small uint16
		if n := VarintAt(b, 1, &small); (n == i) != (x <= math.MaxUint16) {
			t.Errorf("%d: as 16 bits %d, next %d", x, small, n)
		}
		var word uint
		if n := VarintIntAt(b, 1, &word); (n == i) != (x <= math.MaxUint) {
			t.Errorf("%d: as uint %d, next %d", x, word, n)
		}
		var whole int
		if n := ZigZagIntAt(b, 1, &whole); (n == i) != (int64(int(z)) == z) {
			t.Errorf("%d: zigzag as int %d, next %d", x, whole, n)
		}
	}
	var v int32
	for _, b := range [][]byte{{}, {0x80}, {0x80, 0}, {0xff, 0xff, 0xff, 0xff, 0x1f}} {
		if n := VarintAt(b, 0, &v); n >= 0 {
			t.Errorf("% x was read", b)
		}
	}
	if n := VarintAt([]byte{1}, -1, &v); n >= 0 {
		t.Error("an index below 0 gave a value")
	}
}

func TestFits(t *testing.T) {
	wide := math.MaxInt > math.MaxInt32
	for _, x := range []int64{0, -1, math.MaxInt32, math.MinInt32, 1 << 40, -1 << 40} {
		le, be := make([]byte, 8), make([]byte, 8)
		PutUint64(le, uint64(x))
		PutUint64BE(be, uint64(x))
		if want := wide || x == int64(int32(x)); FitsInt(le) != want || FitsIntBE(be) != want {
			t.Errorf("%d as int: %v", x, !want)
		}
		if want := wide || uint64(x) <= math.MaxUint32; FitsUint(le) != want || FitsUintBE(be) != want {
			t.Errorf("%d as uint: %v", uint64(x), !want)
		}
	}
}

func TestPutGet(t *testing.T) {
	b := make([]byte, 16)
	now := time.Date(2024, 2, 3, 4, 5, 6, 789, time.UTC)
	PutTime(b, now.Unix(), now.Nanosecond())
	if !bytes.Equal(b[:12], AppendTime(nil, now)) || !GetTime(b).Equal(now) {
		t.Errorf("time % x, back %v", b, GetTime(b))
	}
	d, err := NewDecimal(-12345, 2)
	if err != nil {
		t.Fatal(err)
	}
	PutDecimal(b, d)
	if !bytes.Equal(b, AppendDecimal(nil, d)) || !FitsDecimal(b) || GetDecimal(b) != d {
		t.Errorf("decimal % x, back %v", b, GetDecimal(b))
	}
	if b[15] = 1; FitsDecimal(b) {
		t.Error("malformed decimal flags fit")
	}
	PutFloat32BE(b, 1.5)
	PutFloat64BE(b[4:], -2.5)
	if GetFloat32BE(b) != 1.5 || GetFloat64BE(b[4:]) != -2.5 || !bytes.Equal(b[:4], AppendFloat32BE(nil, 1.5)) {
		t.Errorf("floats % x", b)
	}
}

func TestPadded(t *testing.T) {
	for s, want := range map[string]bool{"": true, "abc": true, "abcd": true, "abcde": false, "ab\x00": false, "a\x00b": true} {
		if FitsPadded(s, 4) != want || FitsPadded([]byte(s), 4) != want {
			t.Errorf("%q fits 4 bytes: %v", s, !want)
		}
		if !want {
			continue
		}
		b := []byte("????")
		PutPadded(b, s)
		if string(b[:Unpadded(b)]) != s {
			t.Errorf("%q is %q", s, b)
		}
	}
}

func TestEndSized(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 20000} {
		b := append([]byte("head"), make([]byte, 1+n)...)
		b, i := EndSized(b, 4)
		want := append(AppendLength([]byte("head"), n), make([]byte, n)...)
		if i != len(want) || !bytes.Equal(b[:i], want) || len(b) != cap(b) {
			t.Errorf("%d bytes: next %d, want %d", n, i, len(want))
		}
	}
}

func TestGrowAt(t *testing.T) {
	b := make([]byte, 10)
	copy(b, "0123456789")
	if same := GrowAt(b, 4, 6); &same[0] != &b[0] {
		t.Error("enough room was not used")
	}
	grown := GrowAt(b, 4, 7)
	if len(grown) < 11 || len(grown) != cap(grown) || string(grown[:4]) != "0123" {
		t.Errorf("%d bytes: %q", len(grown), grown)
	}
}

func TestMap(t *testing.T) {
	if m := Map(map[string]int(nil), 0); m != nil {
		t.Error("a map for no entries")
	}
	if m := Map(map[string]int(nil), 2); m == nil {
		t.Error("no map for entries")
	}
	have := map[string]int{"a": 1}
	if m := Map(have, 3); len(m) != 0 || len(have) != 0 {
		t.Error("the old map was not emptied and used")
	}
}

func TestPresent(t *testing.T) {
	r := NewReader([]byte{0, 1, 2})
	if r.Present() || !r.Present() || r.Present() || r.Err() == nil {
		t.Error("0, 1, 2:", r.Err())
	}
	r = NewReader([]byte{0, 1, 2})
	if r.PresentLenient() || !r.PresentLenient() || !r.PresentLenient() || r.Err() != nil {
		t.Error("lenient 0, 1, 2:", r.Err())
	}
	if r.PresentLenient() || r.Err() == nil {
		t.Error("a mark behind the end")
	}
}

func TestLayoutHash(t *testing.T) {
	type a struct{ X, Y int16 }
	type b struct{ Y, X int16 }
	type sized struct {
		_ struct{} `span:"sized"`
		X int16
	}
	if LayoutHash[a]() == LayoutHash[b]() || LayoutHash[a]() == 0 || LayoutHash[sized]() == 0 {
		t.Error("different structs with one hash")
	}
	if LayoutHash[int]() != 0 || LayoutHash[struct{ C chan int }]() != 0 {
		t.Error("a hash of what is no struct, or has no wire form")
	}
}
