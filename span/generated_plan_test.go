package span_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// madeUp has the methods of a generated type, which all leave it to the plan,
// and counts their calls.
type madeUp struct {
	A int8
	B string
	C []int16
	D *madeUp
	E *selfWriter

	calls *int
}

func (v *madeUp) count() {
	if v != nil && v.calls != nil {
		*v.calls++
	}
}

func (v *madeUp) SizeSpan() int { return span.PlanOf(v).Size(v) }
func (v *madeUp) AppendSpan(b []byte) ([]byte, error) {
	v.count()
	return span.PlanOf(v).Append(b, v, 0)
}
func (v *madeUp) WriteSpan(w *span.Writer) { span.PlanOf(v).Write(w, v) }
func (v *madeUp) ReadSpan(r *span.Reader) {
	v.count()
	span.PlanOf(v).Read(r, v, -1)
}
func (*madeUp) SpanGenerated(*madeUp) {}

func TestGeneratedPlan(t *testing.T) {
	calls := 0
	v := madeUp{1, "b", []int16{2}, &madeUp{E: &selfWriter{3, "c"}}, &selfWriter{4, "d"}, &calls}
	want := unhex(t, "01 0162 01 0200 01 00 00 00 00 01030163 01040164")
	b, err := span.Marshal(&v)
	if err != nil || !bytes.Equal(b, want) || calls != 1 {
		t.Errorf("%x %v, %d calls", b, err, calls)
	}
	b, err = ordered.Marshal(&v) // options that the methods do not know
	if err != nil || !bytes.Equal(b, want) || calls != 1 {
		t.Errorf("%x %v, %d calls", b, err, calls)
	}
	if b, err = span.Marshal(v); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%x %v", b, err)
	}
	if n := v.SizeSpan(); n != len(want) {
		t.Errorf("SizeSpan %d", n)
	}
	for from := range 6 {
		for to := from; to <= 5; to++ {
			checkParts(t, &v, want, from, to)
		}
	}
	var out bytes.Buffer
	if err := span.MarshalWrite(&out, &v); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%x %v", out.Bytes(), err)
	}
	out.Reset()
	enc := span.NewEncoder(&out)
	long := madeUp{C: make([]int16, 50_000)}
	for _, v := range []*madeUp{&v, &long, &v} {
		if err := enc.Encode(v); err != nil {
			t.Error(err)
		}
	}
	dec := span.NewDecoder(&out)
	for _, v := range []*madeUp{&v, &long, &v} {
		var u madeUp
		err := dec.Decode(&u)
		if u.calls = v.calls; err != nil || !equal(&u, v) {
			t.Error(err)
		}
	}
	calls = 0
	u := madeUp{calls: &calls}
	if err := span.Unmarshal(want, &u); err != nil || calls != 1 || u.D.E.s != "c" || u.E.n != 4 {
		t.Errorf("%+v %v, %d calls", u, err, calls)
	}
}

// checkParts writes and reads a value in three parts.
func checkParts(t *testing.T, v *madeUp, want []byte, from, to int) {
	t.Helper()
	b := []byte("x")
	for _, part := range [][2]int{{0, from}, {from, to}, {to, 5}} {
		var err error
		n := len(b)
		if b, err = span.PlanOf(v).AppendFields(b, v, part[0], part[1], 1); err != nil {
			t.Error(err)
		}
		if size := span.PlanOf(v).SizeFields(v, part[0], part[1]); size != len(b)-n {
			t.Errorf("size of fields %v: %d, appended %d", part, size, len(b)-n)
		}
	}
	if !bytes.Equal(b[1:], want) {
		t.Errorf("in parts %d, %d: %x", from, to, b[1:])
	}
	var u madeUp
	var r span.Reader
	r.Reset(want, span.CopyStrings)
	span.PlanOf(&u).ReadFields(&r, &u, 0, from)
	span.PlanOf(&u).ReadFields(&r, &u, from, to)
	span.PlanOf(&u).Read(&r, &u, to)
	if r.Err() != nil || r.Offset() != int64(len(want)) || !equal(u.D.E, v.D.E) || u.A != v.A || u.B != v.B {
		t.Errorf("in parts %d, %d: %v %+v", from, to, r.Err(), u)
	}
}

func TestGeneratedPlanErrors(t *testing.T) {
	var none *madeUp
	b, err := none.AppendSpan([]byte("x"))
	isError(t, here(), err, span.ErrNil)
	if string(b) != "x" {
		t.Errorf("%q", b)
	}
	var w span.Writer
	none.WriteSpan(&w)
	isError(t, here(), w.Err(), span.ErrNil)
	var r span.Reader
	none.ReadSpan(&r)
	isError(t, here(), r.Err(), span.ErrNil)

	v := struct {
		A int32
		C []span.Char
	}{1, []span.Char{1, 300}}
	b, err = span.PlanOf(&v).Append([]byte("xyz"), &v, 0)
	var e *span.Error
	if !errors.As(err, &e) || e.Path != "C[1]" || e.Offset != 6 || string(b) != "xyz" {
		t.Errorf("%v %q", err, b)
	}
	b, err = span.PlanOf(&v).AppendFields([]byte("xyz1234"), &v, 1, 2, 0)
	if !errors.As(err, &e) || e.Path != "C[1]" || e.Offset != 2 || string(b) != "xyz1234" {
		t.Errorf("%v %q", err, b)
	}
	_, err = span.PlanOf(chain(1)).Append(nil, chain(1), 1000)
	isError(t, here(), err, span.ErrDepth)
	_, err = span.PlanOf(chain(1)).Append(nil, chain(1), 999)
	isError(t, here(), err, nil)
	_, err = span.PlanOf(chain(2)).AppendFields(nil, chain(2), 0, 2, 1000)
	isError(t, here(), err, span.ErrDepth)
	r.Reset([]byte{1, 0, 1}, span.CopyStrings)
	span.PlanOf(new(struct{ A, B, C bool })).Read(&r, new(struct{ A, B, C bool }), 1)
	isError(t, here(), r.Err(), nil)
	r.Fast().AtIndex("F", 1)
	r.Fail(io.ErrClosedPipe)
	r.Fast().AtIndex("F", 1)
	if err := r.Err(); err.(*span.Error).Path != "F[1]" {
		t.Errorf("%v", err)
	}
	if err := span.PlanOf(&v).WithinIndex(io.ErrClosedPipe, "F", 2, 5).(*span.Error); err.Path != "F[2]" || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
}

// A part that ends in a nil pointer that writes nothing knows the fields behind.
func TestGeneratedPlanNil(t *testing.T) {
	type inner struct {
		_ struct{} `span:"newlife"`
		N *nlSub
	}
	type outer struct {
		_ struct{} `span:"newlife"`
		A inner
		B inner
		C *nlSub
	}
	sub := &nlSub{}
	_, err := span.PlanOf(&outer{}).AppendFields(nil, &outer{}, 0, 1, 0)
	isError(t, here(), err, nil)
	_, err = span.PlanOf(&outer{C: sub}).AppendFields(nil, &outer{C: sub}, 0, 1, 0)
	isError(t, here(), err, span.ErrNil)
	_, err = span.PlanOf(&outer{B: inner{N: sub}}).AppendFields(nil, &outer{B: inner{N: sub}}, 0, 3, 0)
	isError(t, here(), err, span.ErrNil)
	_, err = span.PlanOf(&outer{A: inner{N: sub}, C: sub}).AppendFields(nil, &outer{A: inner{N: sub}, C: sub}, 1, 2, 0)
	var e *span.Error
	if !errors.As(err, &e) || !errors.Is(err, span.ErrNil) || e.Path != "B.N" || e.Offset != 0 {
		t.Errorf("%v", err)
	}
}

// The root of a graph that leads back to it.
func TestGeneratedPlanShared(t *testing.T) {
	p := &person{Name: "a"}
	p.Friend = &person{Name: "b", Friend: p}
	b, err := span.PlanOf(p).Append(nil, p, 0)
	if want := unhex(t, "0161 02 0162 01 00 00 00 00"); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%x %v", b, err)
	}
	var r span.Reader
	r.Reset(b, span.CopyStrings)
	q := new(person)
	span.PlanOf(q).ReadRoot(&r, q)
	if r.Err() != nil || q.Friend.Friend != q {
		t.Errorf("%v", r.Err())
	}
	r.Reset(b, span.CopyStrings)
	span.PlanOf(new(person)).Read(&r, new(person), 0)
	isError(t, here(), r.Err(), span.ErrUnsupported)
}

// Values and cursors on the stack survive its growth, and their contents are
// found by the garbage collector.
func TestGeneratedPlanStack(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v := ring{1, chain(900)}
			b, err := span.PlanOf(&v).Append(nil, &v, 0)
			var u ring
			var r span.Reader
			r.Reset(bytes.Clone(b), span.CopyStrings)
			span.PlanOf(&u).Read(&r, &u, 0)
			if err != nil || len(b) != 1802 || r.Err() != nil || r.Offset() != 1802 || !equal(u, v) {
				t.Errorf("%d bytes, %v, %v", len(b), err, r.Err())
			}
			var w span.Writer
			w.Reset(nil)
			span.PlanOf(&v).Write(&w, &v)
			if !bytes.Equal(w.Bytes(), b) {
				t.Error("WritePlan differs")
			}
		})
	}
	wg.Wait()
}

func TestSizedOfGeneratedCode(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 16383, 16384, 3 << 20} {
		b := append([]byte("ab\x00"), make([]byte, n)...)
		b, ok := spanrt.PutSize(b, 2)
		if size, k := wire.ConsumeLength(b[2:], false); !ok || size != n || len(b) != 2+k+n || k != wire.SizeLength(n) {
			t.Errorf("%d: %d %d %v", n, size, k, ok)
		}
	}
	var r span.Reader
	r.Reset([]byte{3, 1, 2, 3, 9}, span.CopyStrings)
	s, ok := r.Fast().EnterSized(false)
	if !ok || r.ReadUint8() != 1 {
		t.Error("EnterSized")
	}
	r.Fast().LeaveSized(s)
	if r.ReadUint8() != 9 || r.Err() != nil {
		t.Errorf("LeaveSized: %v", r.Err())
	}
	r.Reset([]byte{3, 1, 2}, span.CopyStrings)
	if _, ok := r.Fast().EnterSized(false); ok || !errors.Is(r.Err(), io.ErrUnexpectedEOF) {
		t.Error("a length that the input does not hold")
	}
	r.Reset([]byte{0x81, 0, 7}, span.CopyStrings)
	if s, ok := r.Fast().EnterSized(true); !ok || r.ReadUint8() != 7 {
		t.Error("a padded length")
	} else {
		r.Fast().LeaveSized(s)
	}
}

// Many goroutines meet types for the first time.
func TestPlanCacheRace(t *testing.T) {
	type a struct{ X []struct{ A int8 } }
	type b struct{ Y *a }
	type c struct {
		_ struct{} `span:"newlife"`
		Z map[string]a
		N int32
	}
	values := []any{a{}, b{}, c{}, &a{}, &b{}, &c{}, []a{}, map[string]b{}, [2]c{}, struct{ F func() }{}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 8 {
				o := span.Options{BigEndian: i&1 != 0, EncodeInt: i&2 != 0, FullTime: i&4 != 0}
				for _, v := range values {
					o.Marshal(v)
					span.Marshal(v)
				}
			}
		})
	}
	wg.Wait()
}
