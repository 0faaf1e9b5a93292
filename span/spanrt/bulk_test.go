package spanrt

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// same checks that numbers have the same bytes by the fast way, one by one, and
// by package encoding/binary, and come back.
func same[T fixedNumber](t *testing.T, s ...T) {
	t.Helper()
	var want bytes.Buffer
	if err := binary.Write(&want, binary.LittleEndian, s); err != nil {
		t.Fatal(err)
	}
	fast, slow := make([]byte, want.Len()), make([]byte, want.Len())
	PutNumbers(fast, s)
	putNumbers(slow, s)
	if !bytes.Equal(fast, want.Bytes()) || !bytes.Equal(slow, want.Bytes()) {
		t.Errorf("%T: % x, one by one % x, want % x", s, fast, slow, want.Bytes())
	}
	back := ReadNumbers([]T(nil), append(fast, 0xff), len(s))
	single := make([]T, len(s))
	getNumbers(single, slow)
	fast2, slow2 := make([]byte, want.Len()), make([]byte, want.Len())
	PutNumbers(fast2, back)
	PutNumbers(slow2, single)
	if !bytes.Equal(fast2, want.Bytes()) || !bytes.Equal(slow2, want.Bytes()) {
		t.Errorf("%T: %v read back as %v, one by one %v", s, s, back, single)
	}
}

func TestNumbers(t *testing.T) {
	type named int32
	same(t, int8(-1), math.MinInt8, math.MaxInt8)
	same(t, uint8(0), 200)
	same(t, int16(-1), math.MinInt16, math.MaxInt16)
	same(t, uint16(0xfffe))
	same(t, int32(-1), math.MinInt32, math.MaxInt32)
	same(t, named(-7), 7)
	same(t, uint32(math.MaxUint32))
	same(t, int64(-1), math.MinInt64, math.MaxInt64)
	same(t, uint64(math.MaxUint64))
	same(t, float32(0), 1.5, math.Float32frombits(0x7fa00001), math.MaxFloat32)
	same(t, float64(0), -2.5, math.Float64frombits(0x7ff0000000000001), math.Inf(1))
	same[int64](t)
}

// TestNumbersMemory: the memory of the destination is used again.
func TestNumbersMemory(t *testing.T) {
	have := make([]int32, 3, 8)
	got := ReadNumbers(have, make([]byte, 20), 5)
	if len(got) != 5 || &got[0] != &have[0] {
		t.Error("new memory although the old was large enough")
	}
	if got := ReadNumbers([]int32(nil), nil, 0); got != nil {
		t.Errorf("%v of no bytes", got)
	}
	if got := ReadNumbers(have, nil, 0); got == nil || len(got) != 0 {
		t.Errorf("%v of no bytes into a used slice", got)
	}
}

func TestInts(t *testing.T) {
	for _, s := range [][]int{nil, {0}, {-1, math.MaxInt32, math.MinInt32, math.MaxInt, math.MinInt}} {
		b := make([]byte, 8*len(s))
		PutInts(b, s)
		for i, v := range s {
			if got := int64(binary.LittleEndian.Uint64(b[8*i:])); got != int64(v) {
				t.Errorf("%d is written as %d", v, got)
			}
		}
		if !FitInts(s, b, len(s)) || !slices.Equal(ReadInts([]int(nil), b, len(s)), s) {
			t.Errorf("%v does not come back", s)
		}
	}
	u := []uint{0, math.MaxUint}
	b := make([]byte, 16)
	PutInts(b, u)
	if !FitInts(u, b, 2) || !slices.Equal(ReadInts([]uint(nil), b, 2), u) {
		t.Errorf("%v does not come back", u)
	}
	large := []byte{0, 0, 0, 0, 1, 0, 0, 0}
	if fits := math.MaxInt > math.MaxInt32; FitInts([]int(nil), large, 1) != fits || FitInts([]uint(nil), large, 1) != fits {
		t.Error("1<<32 fits where it should not, or the other way round")
	}
}
