package span_test

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/span"
)

// allocated gives the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Lengths without their bytes make no memory.
func TestReadAllocationBound(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x07} // 2,147,483,647
	large := []byte{0x80, 0x80, 0x80, 0x40, 'a', 'b', 'c'}
	fixed := []byte{0xff, 0xff, 0xff, 0x7f, 'a', 'b', 'c'}
	tests := []struct {
		at   row
		in   []byte
		read func(*span.Reader)
	}{
		{here(), huge, func(r *span.Reader) { r.ReadString() }},
		{here(), huge, func(r *span.Reader) { r.ReadBytes(nil) }},
		{here(), huge, func(r *span.Reader) { _ = slices.Collect(r.Elements()) }},
		{here(), large, func(r *span.Reader) { r.ReadString() }},
		{here(), large, func(r *span.Reader) { r.ReadBytes(nil) }},
		{here(), fixed, func(r *span.Reader) { r.ReadArray(nil, 4) }},
		{here(), fixed, func(r *span.Reader) { r.ReadArray(nil, 4) }},
		{here(), fixed, func(r *span.Reader) { r.ReadStringN(math.MaxInt32) }},
	}
	for _, tt := range tests {
		n := allocated(func() {
			r := span.NewReader(tt.in)
			tt.read(r)
			isError(t, tt.at, r.Err(), io.ErrUnexpectedEOF)
		})
		if n > 64<<10 {
			t.Errorf("%s: %d bytes allocated for %d", tt.at, n, len(tt.in))
		}
	}
}

// From a stream a length is believed as far as MaxBytes goes, but memory keeps
// within 64 KiB, for the look-ahead and for the value each, of what has come.
func TestReadAllocationBoundStream(t *testing.T) {
	for _, come := range []int{0, 1000, 100_000, 1_000_000} {
		in := append([]byte{0x80, 0x80, 0x80, 0x40}, make([]byte, come)...) // of 128 MiB
		for _, read := range []func(*span.Reader){
			func(r *span.Reader) { r.ReadString() },
			func(r *span.Reader) { r.ReadBytes(nil) },
		} {
			n := allocated(func() {
				r := span.NewStreamReader(bytes.NewReader(in))
				read(r)
				isError(t, here(), r.Err(), io.ErrUnexpectedEOF)
			})
			if most := uint64(come + come/4 + 3*64<<10); n > most { // a quarter to spare
				t.Errorf("%d bytes allocated where %d came", n, come)
			}
		}
	}
}

// A loop over elements that are not there ends at once.
func TestReadElements(t *testing.T) {
	in := append([]byte{0x80, 0x80, 0x80, 0x40}, make([]byte, 1000)...)
	r := span.NewStreamReader(bytes.NewReader(in))
	n := 0
	for i := range r.Elements() {
		if r.ReadUint32(); i != n {
			t.Errorf("element %d comes as %d", n, i)
		}
		n++
	}
	isError(t, here(), r.Err(), io.ErrUnexpectedEOF)
	if n != 251 {
		t.Errorf("%d elements were begun, want 251", n)
	}
	for range span.NewReader(in[:10]).Elements() {
		t.Error("an element where the count is too large")
	}
}

// A length beyond MaxBytes fails before its bytes are waited for.
func TestReadMaxBytes(t *testing.T) {
	in := append([]byte{0x80, 0x80, 0x80, 0x40}, make([]byte, 1000)...)
	r := span.Options{MaxBytes: 1 << 20}.NewStreamReader(bytes.NewReader(in))
	r.ReadString()
	isError(t, here(), r.Err(), span.ErrLimit)

	r = span.Options{MaxBytes: 1 << 20}.NewStreamReader(bytes.NewReader(in))
	r.Elements()
	isError(t, here(), r.Err(), span.ErrLimit)
}

// Long values come through streams and flushing Writers whole, at any size of
// their pieces.
func TestLongValues(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789abcdef"), 20_000) // 320,000
	values := []value{
		valI32(7), valString(string(long)), valBytes(long), valString("behind"),
		val("StringN", func(w *span.Writer, s string) { w.WriteStringN(s, 400_000) },
			func(r *span.Reader) string { return r.ReadStringN(400_000) }, string(long)),
		val("Rest", func(w *span.Writer, s string) { w.WriteStringN(s, -1) },
			func(r *span.Reader) string { return r.ReadStringN(-1) }, string(long)),
	}
	want := written(t, optLE, values...)
	var dst bytes.Buffer
	w := span.NewStreamWriter(&dst)
	for _, v := range values {
		v.write(w)
	}
	if err := w.Flush(); err != nil || !bytes.Equal(dst.Bytes(), want) {
		t.Fatalf("flushed %d bytes of %d, error %v", dst.Len(), len(want), err)
	}
	if c := cap(w.Bytes()); c > 256<<10 {
		t.Errorf("the flushing Writer's buffer has %d bytes", c)
	}
	for _, src := range []io.Reader{bytes.NewReader(want), iotest.HalfReader(bytes.NewReader(want)), iotest.DataErrReader(bytes.NewReader(want))} {
		r := span.NewStreamReader(src)
		reads(t, here(), r, values...)
	}
	reads(t, here(), span.NewReader(want), values...)
}

// ReadBytes keeps to the storage it is given, whole values from streams too.
func TestReadBytesReuse(t *testing.T) {
	long := bytes.Repeat([]byte{7}, 200_000)
	b := written(t, optLE, valBytes(long), valBytes([]byte{1, 2}), valBytes(nil))
	stream := span.NewStreamReader(bytes.NewReader(b))
	for _, r := range []*span.Reader{span.NewReader(b), stream} {
		dst := make([]byte, 0, 200_000)
		for _, n := range []int{200_000, 2, 0} {
			got := r.ReadBytes(dst)
			if len(got) != n || cap(got) != 200_000 || r.Err() != nil {
				t.Errorf("%d bytes in %d, error %v, want %d in the same", len(got), cap(got), r.Err(), n)
			}
		}
	}
	r := reader(b, span.Options{Fresh: true})
	dst := []byte{9}
	if got := r.ReadBytes(dst[:0]); len(got) != 200_000 || dst[0] != 9 {
		t.Errorf("Fresh does not leave the old memory alone")
	}
	if got := span.NewReader([]byte{0}).ReadBytes(nil); got != nil {
		t.Errorf("no bytes are %v, want nil", got)
	}
}

// In the default mode nothing refers to the input afterwards.
func TestReadCopies(t *testing.T) {
	in := []byte("\x05Stone\x02\xaa\xbb")
	r := span.NewReader(in)
	name, data := r.ReadString(), r.ReadBytes(nil)
	for i := range in {
		in[i] = 0xff
	}
	if name != "Stone" || !bytes.Equal(data, []byte{0xaa, 0xbb}) {
		t.Errorf("%q %x", name, data)
	}
}
