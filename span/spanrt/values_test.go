package spanrt_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// TestVarintAt holds the fast forms of uvarints against the primitives.
func TestVarintAt(t *testing.T) {
	for _, x := range []uint64{0, 1, 0x7f, 0x80, 0xffff, 1 << 31, math.MaxUint32, 1 << 63, math.MaxUint64} {
		b := make([]byte, 11)
		i := spanrt.PutUvarint(b, 1, x)
		if want := wire.AppendUvarint(nil, x); !bytes.Equal(b[1:i], want) {
			t.Fatalf("%d: % x, want % x", x, b[1:i], want)
		}
		var v uint64
		if n := spanrt.VarintAt(b, 1, &v); n != i || v != x {
			t.Errorf("%d: read %d, next %d", x, v, n)
		}
		var z int64
		if n := spanrt.ZigZagAt(b, 1, &z); n != i || z != wire.UnZigZag(x) {
			t.Errorf("%d: zigzag %d, next %d", x, z, n)
		}
		var small uint16
		if n := spanrt.VarintAt(b, 1, &small); (n == i) != (x <= math.MaxUint16) {
			t.Errorf("%d: as 16 bits %d, next %d", x, small, n)
		}
		var word uint
		if n := spanrt.VarintIntAt(b, 1, &word); (n == i) != (x <= math.MaxUint) {
			t.Errorf("%d: as uint %d, next %d", x, word, n)
		}
		var whole int
		if n := spanrt.ZigZagIntAt(b, 1, &whole); (n == i) != (int64(int(z)) == z) {
			t.Errorf("%d: zigzag as int %d, next %d", x, whole, n)
		}
	}
	var v int32
	for _, b := range [][]byte{{}, {0x80}, {0x80, 0}, {0xff, 0xff, 0xff, 0xff, 0x1f}} {
		if n := spanrt.VarintAt(b, 0, &v); n >= 0 {
			t.Errorf("% x was read", b)
		}
	}
	if n := spanrt.VarintAt([]byte{1}, -1, &v); n >= 0 {
		t.Error("an index below 0 gave a value")
	}
}

func TestFits(t *testing.T) {
	wide := math.MaxInt > math.MaxInt32
	for _, x := range []int64{0, -1, math.MaxInt32, math.MinInt32, 1 << 40, -1 << 40} {
		le, be := make([]byte, 8), make([]byte, 8)
		spanrt.PutUint64(le, uint64(x))
		spanrt.PutUint64BE(be, uint64(x))
		if want := wide || x == int64(int32(x)); spanrt.FitsInt(le) != want || spanrt.FitsIntBE(be) != want {
			t.Errorf("%d as int: %v", x, !want)
		}
		if want := wide || uint64(x) <= math.MaxUint32; spanrt.FitsUint(le) != want || spanrt.FitsUintBE(be) != want {
			t.Errorf("%d as uint: %v", uint64(x), !want)
		}
	}
}

func TestPutGet(t *testing.T) {
	b := make([]byte, 16)
	now := time.Date(2024, 2, 3, 4, 5, 6, 789, time.UTC)
	spanrt.PutTime(b, now.Unix(), now.Nanosecond())
	if !bytes.Equal(b[:12], wire.AppendTime(nil, now)) || !spanrt.GetTime(b).Equal(now) {
		t.Errorf("time % x, back %v", b, spanrt.GetTime(b))
	}
	clear(b)
	if !spanrt.FitsDecimal(b) {
		t.Error("decimal flags of 0 do not fit")
	}
	if b[15] = 1; spanrt.FitsDecimal(b) {
		t.Error("malformed decimal flags fit")
	}
	spanrt.PutFloat32BE(b, 1.5)
	spanrt.PutFloat64BE(b[4:], -2.5)
	if spanrt.GetFloat32BE(b) != 1.5 || spanrt.GetFloat64BE(b[4:]) != -2.5 || !bytes.Equal(b[:4], []byte{0x3f, 0xc0, 0, 0}) {
		t.Errorf("floats % x", b)
	}
}

func TestPadded(t *testing.T) {
	for s, want := range map[string]bool{"": true, "abc": true, "abcd": true, "abcde": false, "ab\x00": false, "a\x00b": true} {
		if spanrt.FitsPadded(s, 4) != want || spanrt.FitsPadded([]byte(s), 4) != want {
			t.Errorf("%q fits 4 bytes: %v", s, !want)
		}
		if !want {
			continue
		}
		b := []byte("????")
		spanrt.PutPadded(b, s)
		if string(b[:spanrt.Unpadded(b)]) != s {
			t.Errorf("%q is %q", s, b)
		}
	}
}

func TestEndSized(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 20000} {
		b := append([]byte("head"), make([]byte, 1+n)...)
		b, i := spanrt.EndSized(b, 4)
		want := append(wire.AppendLength([]byte("head"), n), make([]byte, n)...)
		if i != len(want) || !bytes.Equal(b[:i], want) || len(b) != cap(b) {
			t.Errorf("%d bytes: next %d, want %d", n, i, len(want))
		}
	}
}

func TestGrowAt(t *testing.T) {
	b := make([]byte, 10)
	copy(b, "0123456789")
	if same := spanrt.GrowAt(b, 4, 6); &same[0] != &b[0] {
		t.Error("enough room was not used")
	}
	grown := spanrt.GrowAt(b, 4, 7)
	if len(grown) < 11 || len(grown) != cap(grown) || string(grown[:4]) != "0123" {
		t.Errorf("%d bytes: %q", len(grown), grown)
	}
}

func TestMap(t *testing.T) {
	if m := spanrt.Map(map[string]int(nil), 0); m != nil {
		t.Error("a map for no entries")
	}
	if m := spanrt.Map(map[string]int(nil), 2); m == nil {
		t.Error("no map for entries")
	}
	have := map[string]int{"a": 1}
	if m := spanrt.Map(have, 3); len(m) != 0 || len(have) != 0 {
		t.Error("the old map was not emptied and used")
	}
}
