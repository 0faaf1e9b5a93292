package span_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/spanwire/spanwire/span"
)

// hungry has every kind of value that is made as long as its length says.
type hungry struct {
	S string
	B []byte
	L []int64
	T []string
	P []*[64]byte
	M map[string][64]byte
	N []struct{ A, B, C string }
}

// Lengths that the input does not hold make no memory.
func TestHostileLengths(t *testing.T) {
	lengths := []string{"ffffffff07", "80808040", "ffff03", "ffffffff0f", "8080808008", "ffffffffffffffffff01", "808080808001"}
	for field, before := range []string{"", "00", "0000", "000000", "00000000", "0000000000", "000000000000"} {
		for _, length := range lengths {
			in := append(unhex(t, before+length), 1, 2, 3)
			for name, read := range map[string]func(*hungry) error{
				"memory": func(v *hungry) error { return span.Unmarshal(in, v) },
				"stream": func(v *hungry) error { return span.UnmarshalRead(bytes.NewReader(in), v) },
			} {
				var err error
				span.Unmarshal(in, new(hungry)) // plans and pools
				span.UnmarshalRead(bytes.NewReader(in), new(hungry))
				n := allocated(func() { err = read(new(hungry)) })
				if err == nil {
					t.Errorf("field %d, length %s, %s: accepted", field, length, name)
				}
				if n > 3*64<<10 {
					t.Errorf("field %d, length %s, %s: %d bytes allocated", field, length, name, n)
				}
			}
		}
	}
}

// zeros is an endless input.
type zeros struct{ n int }

func (z *zeros) Read(b []byte) (int, error) {
	z.n += len(b)
	clear(b)
	return len(b), nil
}

// A stream that never ends is read up to the limit of a message.
func TestHostileStream(t *testing.T) {
	var z zeros
	src := io.MultiReader(bytes.NewReader(unhex(t, "ffffffff07")), &z)
	isError(t, here(), span.Options{MaxBytes: 1 << 20}.UnmarshalRead(src, new([]byte)), span.ErrLimit)
	if z.n > 2<<20 {
		t.Errorf("%d bytes read where MaxBytes is 1 MiB", z.n)
	}
	z.n = 0
	src = io.MultiReader(bytes.NewReader(unhex(t, "ffffff7f")), &z)
	isError(t, here(), span.Options{MaxBytes: 300_000}.UnmarshalRead(src, new([]string)), span.ErrLimit)
	if z.n > 1<<20 {
		t.Errorf("%d bytes read where MaxBytes is 300,000", z.n)
	}
}

// Long values come through streams of small pieces, and memory follows.
func TestPlanLongValues(t *testing.T) {
	v := hungry{
		S: string(bytes.Repeat([]byte("s"), 300_000)),
		B: bytes.Repeat([]byte("b"), 200_000),
		L: make([]int64, 50_000),
		T: make([]string, 70_000),
		P: make([]*[64]byte, 3000),
	}
	for i := range v.L {
		v.L[i] = int64(i)
	}
	v.P[2999] = new([64]byte)
	var out countingWriter
	if err := span.MarshalWrite(&out, &v); err != nil {
		t.Fatal(err)
	}
	if out.most > 130_000 {
		t.Errorf("a write of %d bytes", out.most)
	}
	b, err := span.Marshal(&v)
	if err != nil || !bytes.Equal(b, out.b) {
		t.Fatalf("MarshalWrite differs: %v", err)
	}
	var u hungry
	if err := span.UnmarshalRead(&pieces{b: b, size: 1000}, &u); err != nil || !equal(v, u) {
		t.Errorf("from pieces: %v", err)
	}
	var w hungry
	if err := span.Unmarshal(b, &w); err != nil || !equal(v, w) {
		t.Errorf("from memory: %v", err)
	}
	type sized struct {
		V hungry   `span:"sized"`
		W []hungry `span:"sized"`
		X int8
	}
	x := sized{v, []hungry{v, {}}, 7}
	out = countingWriter{}
	if err := span.MarshalWrite(&out, &x); err != nil || out.most > 130_000 {
		t.Errorf("sized: %v, a write of %d bytes", err, out.most)
	}
	if b, err = span.Marshal(&x); err != nil || !bytes.Equal(b, out.b) {
		t.Errorf("sized: MarshalWrite differs: %v", err)
	}
	var y sized
	if err := span.UnmarshalRead(&pieces{b: b, size: 777}, &y); err != nil || !equal(x, y) {
		t.Errorf("sized, from pieces: %v", err)
	}
}

type countingWriter struct {
	b    []byte
	most int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.b = append(w.b, b...)
	w.most = max(w.most, len(b))
	return len(b), nil
}

type pieces struct {
	b    []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.b)
	p.b = p.b[n:]
	return n, nil
}
