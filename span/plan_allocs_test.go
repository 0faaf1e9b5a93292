//go:build !purego && !race

package span_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

type simple struct {
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time `span:"unixnano"`
	Score     float64
}

// roomy has what must not allocate when it is written, or read again.
type roomy struct {
	simple
	P  *simple
	L  []simple
	I  []int64
	S  []string
	B  []byte
	M  map[int32]int64
	MM map[int8]map[int8]simple
	T  [3]time.Time
	G  span.GUID
	D  span.Decimal
	Z  *nlTail `span:"sized"`
}

type nlTail struct {
	_ struct{} `span:"newlife"`
	A int16
	N *nlSub
}

func newRoomy() *roomy {
	s := simple{42, "NewLife", true, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), 99.5}
	return &roomy{
		simple: s, P: &s, L: []simple{s, s}, I: []int64{1, 2}, S: []string{"a", "b"}, B: []byte{1},
		M: map[int32]int64{1: 2, 3: 4}, MM: map[int8]map[int8]simple{1: {2: s}},
		T: [3]time.Time{s.CreatedAt}, Z: &nlTail{A: 1},
	}
}

var alias = span.Options{Strings: span.AliasStrings}

func TestPlanAllocs(t *testing.T) {
	v := newRoomy()
	buf, err := ordered.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	msg := string(buf)
	noAllocs(t, "Append", func() { buf, _ = span.Append(buf[:0], v) })
	noAllocs(t, "Append with options", func() { buf, _ = span.Options{Compat: true}.Append(buf[:0], v) })
	noAllocs(t, "Size", func() { span.Size(v) })
	noAllocs(t, "MarshalWrite", func() { span.MarshalWrite(discard{}, v) })
	if buf, _ = ordered.Append(buf[:0], v); string(buf) != msg {
		t.Fatal("the bytes have changed")
	}
	v.MM = nil // its inner maps are made anew
	buf, _ = span.Append(buf[:0], v)
	dst := newRoomy()
	noAllocs(t, "Unmarshal", func() {
		if err := alias.Unmarshal(buf, dst); err != nil {
			t.Fatal(err)
		}
	})
	noAllocs(t, "Unmarshal with options", func() { span.Options{Strings: span.AliasStrings, Strict: true}.Unmarshal(buf, dst) })

	keys := map[string]int32{"one": 1, "two": 2, "three": 3}
	buf, _ = span.Append(buf[:0], &keys)
	noAllocs(t, "Append of a map", func() { buf, _ = span.Append(buf[:0], &keys) })
	if n := testing.AllocsPerRun(100, func() { alias.Unmarshal(buf, &keys) }); n > 1 {
		t.Errorf("a map with string keys: %v allocations", n)
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// What generated code calls leaves its arguments on the stack.
func TestGeneratedPlanAllocs(t *testing.T) {
	buf, err := span.Marshal(newRoomy())
	if err != nil {
		t.Fatal(err)
	}
	base := newRoomy()
	noAllocs(t, "AppendPlan", func() {
		v := *base
		buf, _ = span.PlanOf(&v).Append(buf[:0], &v, 0)
	})
	noAllocs(t, "AppendFields", func() {
		v := *base
		buf, _ = span.PlanOf(&v).AppendFields(buf[:0], &v, 0, 1, 0)
		buf, _ = span.PlanOf(&v).AppendFields(buf, &v, 1, 12, 0)
	})
	noAllocs(t, "SizePlan", func() {
		v := *base
		if span.PlanOf(&v).Size(&v) != len(buf) || span.PlanOf(&v).SizeFields(&v, 0, 5)+span.PlanOf(&v).SizeFields(&v, 5, 12) != len(buf) {
			t.Error("sizes differ")
		}
	})
	noAllocs(t, "WritePlan", func() {
		v := *base
		var w span.Writer
		w.Reset(buf[:0])
		span.PlanOf(&v).Write(&w, &v)
		buf = w.Bytes()
	})
	base.MM = nil
	buf, _ = span.Append(buf[:0], base)
	noAllocs(t, "ReadPlan", func() {
		v := *base
		var r span.Reader
		r.Reset(buf, span.AliasStrings)
		span.PlanOf(&v).Read(&r, &v, 0)
		if r.Err() != nil || r.Offset() != int64(len(buf)) {
			t.Error(r.Err())
		}
	})
	noAllocs(t, "ReadFields", func() {
		v := *base
		var r span.Reader
		r.Reset(buf, span.AliasStrings)
		span.PlanOf(&v).ReadFields(&r, &v, 0, 4)
		span.PlanOf(&v).Read(&r, &v, 4)
		if r.Err() != nil || r.Offset() != int64(len(buf)) {
			t.Error(r.Err())
		}
	})
}
