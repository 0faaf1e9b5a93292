// Package check holds generated code against the plan, which never calls it.
package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/span"
)

// Generated is the methods of *T.
type Generated[T any] interface {
	*T
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
	WriteSpan(*span.Writer)
	ReadSpan(*span.Reader)
	SpanGenerated(*T)
}

// seeds is how many random values of each type are tried.
const seeds = 16

// Type checks the methods of a type with random values and damaged messages.
func Type[T any, P Generated[T]](t *testing.T) {
	t.Helper()
	name := reflect.TypeFor[T]().Name()
	c := &checker[T, P]{T: t, name: name}
	c.nils()
	good := 0
	for seed := range int64(seeds) {
		if c.value(seed) {
			good++
		}
	}
	if good == 0 {
		t.Errorf("%s: no random value could be written", name)
	}
}

type checker[T any, P Generated[T]] struct {
	*testing.T
	name string
}

func (c *checker[T, P]) nils() {
	var none P
	if _, err := none.AppendSpan(nil); !errors.Is(err, span.ErrNil) {
		c.Errorf("%s: nil written: %v", c.name, err)
	}
	if n := none.SizeSpan(); n != 0 {
		c.Errorf("%s: nil has size %d", c.name, n)
	}
	var w span.Writer
	if none.WriteSpan(&w); !errors.Is(w.Err(), span.ErrNil) {
		c.Errorf("%s: nil written to a Writer: %v", c.name, w.Err())
	}
	r := span.NewReader(make([]byte, 1000))
	if none.ReadSpan(r); !errors.Is(r.Err(), span.ErrNil) {
		c.Errorf("%s: nil read: %v", c.name, r.Err())
	}
}

// value checks one random value and reports whether it has a wire form.
func (c *checker[T, P]) value(seed int64) bool {
	v := random[T](seed)
	prefix := []byte("before")
	want, wantErr := span.PlanOf(v).Append(prefix[:len(prefix):len(prefix)], v, 0)
	got, gotErr := P(v).AppendSpan(prefix[:len(prefix):len(prefix)])
	if text(wantErr) != text(gotErr) {
		c.Errorf("%s: seed %d: generated code: %v\nplan: %v\nvalue: %+v", c.name, seed, gotErr, wantErr, *v)
		return false
	}
	if wantErr != nil {
		if string(got) != "before" {
			c.Errorf("%s: seed %d: an error left %q", c.name, seed, got)
		}
		return false
	}
	multi := hasMap(reflect.TypeFor[T](), nil) && seed%3 == 0
	if !multi && !bytes.Equal(want, got) || len(want) != len(got) {
		c.Errorf("%s: seed %d: bytes differ\ngenerated %x\nplan      %x\nvalue: %+v", c.name, seed, got, want, *v)
		return false
	}
	msg := got[len(prefix):]
	c.sizes(seed, v, msg)
	c.writers(seed, v, msg, multi)
	if seed < 4 {
		c.allocs(seed, v, msg)
	}
	c.reading(seed, msg)
	if len(msg) < 80 || seed%8 == 0 && len(msg) < 400 {
		c.damage(seed, msg)
	}
	return true
}

// sizes checks SizeSpan and buffers of just that size.
func (c *checker[T, P]) sizes(seed int64, v *T, msg []byte) {
	if n := P(v).SizeSpan(); n != len(msg) {
		c.Errorf("%s: seed %d: SizeSpan %d, wrote %d\nvalue: %+v", c.name, seed, n, len(msg), *v)
		return
	}
	buf := make([]byte, 0, len(msg))
	out, err := P(v).AppendSpan(buf)
	if err != nil || len(out) != len(msg) {
		c.Errorf("%s: seed %d: exact buffer: %d bytes, %v", c.name, seed, len(out), err)
	} else if len(out) > 0 && &out[0] != &buf[:1][0] {
		c.Errorf("%s: seed %d: an exact buffer was reallocated\nvalue: %+v", c.name, seed, *v)
	}
}

// allocs checks that writing into a large enough buffer, and reading into a value
// that has the memory already, allocate nothing. Methods that others wrote, maps
// and what only the plan does are left out, and the map type that contains
// itself: its values go from call to call, so the compiler puts them on the heap.
func (c *checker[T, P]) allocs(seed int64, v *T, msg []byte) {
	if c.name == "Dict" || c.name == "Both" || c.name == "Methods" || strings.Contains("/methods /shared /generics /hidden", reflect.TypeFor[T]().PkgPath()[len("example.test/m"):]) {
		return
	}
	buf := make([]byte, 0, len(msg))
	var w span.Writer
	if n := testing.AllocsPerRun(5, func() {
		_, _ = P(v).AppendSpan(buf)
		w = *span.NewFixedWriter(buf)
		P(v).WriteSpan(&w)
	}); n != 0 {
		c.Errorf("%s: seed %d: writing allocates %v times", c.name, seed, n)
	}
	if hasMap(reflect.TypeFor[T](), nil) {
		return
	}
	var r span.Reader
	out := new(T)
	if n := testing.AllocsPerRun(5, func() {
		r.Reset(msg, span.AliasStrings)
		P(out).ReadSpan(&r)
	}); n != 0 {
		c.Errorf("%s: seed %d: reading allocates %v times", c.name, seed, n)
	}
}

// writers checks WriteSpan into buffers that are just large enough, too small,
// or flushed.
func (c *checker[T, P]) writers(seed int64, v *T, msg []byte, multi bool) {
	var w span.Writer
	w = *span.NewFixedWriter(make([]byte, 0, len(msg)))
	if P(v).WriteSpan(&w); w.Err() != nil || len(w.Bytes()) != len(msg) {
		c.Errorf("%s: seed %d: fixed: %d of %d bytes, %v", c.name, seed, len(w.Bytes()), len(msg), w.Err())
	}
	if len(msg) > 0 {
		w = *span.NewFixedWriter(make([]byte, 0, len(msg)-1))
		if P(v).WriteSpan(&w); !errors.Is(w.Err(), span.ErrShortBuffer) {
			c.Errorf("%s: seed %d: short buffer: %v", c.name, seed, w.Err())
		}
	}
	var b bytes.Buffer
	s := span.NewStreamWriter(&b)
	P(v).WriteSpan(s)
	if err := s.Flush(); err != nil || !multi && !bytes.Equal(b.Bytes(), msg) || b.Len() != len(msg) {
		c.Errorf("%s: seed %d: flushed %x, %v, want %x", c.name, seed, b.Bytes(), err, msg)
	}
}

// reading checks reading of a good message in all ways.
func (c *checker[T, P]) reading(seed int64, msg []byte) {
	for mode := span.CopyStrings; mode <= span.AliasStrings; mode++ {
		c.same(fmt.Sprintf("seed %d mode %d", seed, mode), msg, mode, 0)
		c.same(fmt.Sprintf("seed %d mode %d used", seed, mode), msg, mode, seed+1)
		c.same(fmt.Sprintf("seed %d mode %d trailing", seed, mode), append(bytes.Clone(msg), 7, 200, 3), mode, seed+2)
	}
	c.stream(fmt.Sprintf("seed %d stream", seed), msg)
}

// damage checks reading of every prefix and of every byte changed.
func (c *checker[T, P]) damage(seed int64, msg []byte) {
	rnd := rand.New(rand.NewSource(seed))
	for i := range msg {
		c.same(fmt.Sprintf("seed %d cut to %d", seed, i), msg[:i], span.CopyStrings, seed+3)
		bad := bytes.Clone(msg)
		bad[i] = byte(rnd.Intn(256))
		c.same(fmt.Sprintf("seed %d byte %d = %d", seed, i, bad[i]), bad, span.StringMode(rnd.Intn(3)), 0)
		bad[i] = 0x80 | byte(rnd.Intn(2))
		c.same(fmt.Sprintf("seed %d byte %d = %d", seed, i, bad[i]), bad, span.CopyStrings, 0)
		if i%7 == 0 {
			c.stream(fmt.Sprintf("seed %d stream byte %d", seed, i), bad)
		}
	}
}

// same reads a message by both and compares all there is. used is the seed of
// the value to read into, 0 for a new one.
func (c *checker[T, P]) same(what string, msg []byte, mode span.StringMode, used int64) {
	a, b := new(T), new(T)
	if used != 0 {
		a, b = random[T](used), random[T](used)
	}
	var ra, rb span.Reader
	ra.Reset(bytes.Clone(msg), mode)
	rb.Reset(bytes.Clone(msg), mode)
	P(a).ReadSpan(&ra)
	readPlan(&rb, b)
	c.compare(what, msg, &ra, &rb, a, b)
}

// readPlan reads as the type's ReadSpan does.
func readPlan[T any](r *span.Reader, v *T) {
	if reflect.TypeFor[T]().PkgPath() == "example.test/m/shared" {
		span.PlanOf(v).ReadRoot(r, v)
		return
	}
	span.PlanOf(v).Read(r, v, -1)
}

func (c *checker[T, P]) stream(what string, msg []byte) {
	a, b := new(T), new(T)
	ra := span.NewStreamReader(iotest.OneByteReader(bytes.NewReader(msg)))
	rb := span.NewStreamReader(iotest.OneByteReader(bytes.NewReader(msg)))
	P(a).ReadSpan(ra)
	readPlan(rb, b)
	c.compare(what, msg, ra, rb, a, b)
	halves := func() io.Reader {
		return io.MultiReader(bytes.NewReader(msg[:len(msg)/2]), bytes.NewReader(msg[len(msg)/2:]))
	}
	ra, rb = span.NewStreamReader(halves()), span.NewStreamReader(halves())
	a, b = new(T), new(T)
	P(a).ReadSpan(ra)
	readPlan(rb, b)
	c.compare(what+" halves", msg, ra, rb, a, b)
}

func (c *checker[T, P]) compare(what string, msg []byte, ra, rb *span.Reader, a, b *T) {
	if text(ra.Err()) != text(rb.Err()) {
		c.Errorf("%s: %s: generated code: %v\nplan: %v\nmessage: %x", c.name, what, ra.Err(), rb.Err(), msg)
		return
	}
	if ra.Err() != nil {
		return
	}
	if ra.Offset() != rb.Offset() {
		c.Errorf("%s: %s: generated code stopped at %d, plan at %d\nmessage: %x", c.name, what, ra.Offset(), rb.Offset(), msg)
	}
	if !equal(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), 0) {
		c.Errorf("%s: %s: values differ\ngenerated code: %+v\nplan:           %+v\nmessage: %x", c.name, what, *a, *b, msg)
	}
}

// text gives an error without the type that it names: generated code knows the
// type of nested values only.
func text(err error) string {
	if err == nil {
		return ""
	}
	var e *span.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s at %s (byte %d): %v", e.Op, e.Path, e.Offset, e.Err)
	}
	return strings.TrimSpace(err.Error())
}
