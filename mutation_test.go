package spanwire_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"testing"

	"github.com/spanwire/spanwire/internal/floormodel"
	"github.com/spanwire/spanwire/internal/floormodel/plain"
	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
)

// classes are the error classes that generated code and reflection must agree on.
var classes = []error{
	io.ErrUnexpectedEOF, span.ErrTrailing, span.ErrMalformed, span.ErrRange, span.ErrLimit, span.ErrDepth,
	span.ErrNil, span.ErrUTF8, span.ErrDuplicateKey, span.ErrUnsupported,
}

// class returns the first class of an error, nil for none.
func class(err error) error {
	for _, c := range classes {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// TestMutations decodes every prefix and every change of one byte of each
// model's message, with generated code and by reflection. Both must give the
// same value or the same class of error at the same place; a value must survive
// another round, to the same bytes where the type has only one form for it.
func TestMutations(t *testing.T) {
	rich, plainRich := floormodel.NewRich(), plain.NewRich()
	rich.Ints, rich.Strs, rich.M, rich.Blob, rich.List = rich.Ints[:2], rich.Strs[:2], map[string]int32{"key": 7}, rich.Blob[:5], rich.List[:2]
	plainRich.Ints, plainRich.Strs, plainRich.M, plainRich.Blob, plainRich.List = plainRich.Ints[:2], plainRich.Strs[:2], map[string]int32{"key": 7}, plainRich.Blob[:5], plainRich.List[:2]
	t.Run("Simple", func(t *testing.T) { mutations(t, floormodel.NewSimple(), plain.NewSimple(), true) })
	t.Run("Small", func(t *testing.T) { mutations(t, floormodel.NewSmalls()[0], plain.NewSmalls()[0], true) })
	t.Run("Nested", func(t *testing.T) { mutations(t, floormodel.NewNested(), plain.NewNested(), true) })
	t.Run("Batch", func(t *testing.T) { mutations(t, floormodel.NewBatch(3), plain.NewBatch(3), true) })
	t.Run("Rich", func(t *testing.T) { mutations(t, rich, plainRich, false) })
}

func mutations[T any, P generated[T], Q any](t *testing.T, v P, w *Q, canonical bool) {
	b, err := v.AppendSpan(nil)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	total := 0
	for n := range len(b) {
		total += mutation[T, P, Q](t, b[:n:n], canonical)
	}
	for i := range b {
		c := bytes.Clone(b)
		for _, x := range test.Changes(b[i]) {
			c[i] = x
			total += mutation[T, P, Q](t, c, canonical)
		}
		if t.Failed() {
			return
		}
	}
	// Each input is decoded six times and encoded up to three times, into
	// memory of at most a few times its size; errors and test values add a
	// kilobyte or two.
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(total)*64+uint64(len(b))*257*16<<10; got > most {
		t.Errorf("%d bytes allocated for %d bytes of input, more than %d", got, total, most)
	}
}

// mutation checks one input and returns its length.
func mutation[T any, P generated[T], Q any](t *testing.T, b []byte, canonical bool) int {
	for _, m := range modes {
		v, w := P(new(T)), new(Q)
		err := read(v, b, m.mode)
		errPlain := span.Options{Strings: m.mode}.Unmarshal(b, w)
		if class(err) != class(errPlain) {
			t.Errorf("%x, %s: generated code gives %v, reflection %v", b, m.name, err, errPlain)
			return len(b)
		}
		if err != nil {
			if path, pathPlain := place(err), place(errPlain); path != pathPlain {
				t.Errorf("%x, %s: generated code fails at %v, reflection at %v", b, m.name, path, pathPlain)
			}
			continue
		}
		if d := randval.Diff(convert[Q](v), w); d != "" {
			t.Errorf("%x, %s: generated code and reflection read different values%s", b, m.name, d)
		}
		again(t, b, v, canonical)
	}
	return len(b)
}

// read reads b as a whole message with the generated method.
func read[T any, P generated[T]](v P, b []byte, mode span.StringMode) error {
	var r span.Reader
	r.Reset(b, mode)
	if v.ReadSpan(&r); r.Err() != nil {
		return r.Err()
	}
	if r.Offset() != int64(len(b)) {
		return span.ErrTrailing
	}
	return nil
}

// position is where an error says that the fault is.
type position struct {
	path   string
	offset int64
}

func place(err error) position {
	var e *span.Error
	if !errors.As(err, &e) || errors.Is(err, span.ErrTrailing) {
		return position{}
	}
	return position{e.Path, e.Offset}
}

// again checks that a value read from b is written and read back, to b itself
// where there is only one form.
func again[T any, P generated[T]](t *testing.T, b []byte, v P, canonical bool) {
	c, err := v.AppendSpan(nil)
	if err != nil {
		t.Errorf("%x: what was read can't be written: %v", b, err)
		return
	}
	if canonical && !bytes.Equal(b, c) {
		t.Errorf("%x is read and then written as %x", b, c)
	}
	w := P(new(T))
	if err := read(w, c, span.CopyStrings); err != nil {
		t.Errorf("%x: what was written can't be read: %v", c, err)
	} else if d := randval.Diff(v, w); d != "" {
		t.Errorf("%x: another value comes back%s", b, d)
	}
}

// convert copies the exported fields of v, at any depth, into a Q of the same
// shape.
func convert[Q any, P any](v P) *Q {
	q := new(Q)
	copyShape(reflect.ValueOf(q).Elem(), reflect.ValueOf(v).Elem())
	return q
}

func copyShape(dst, src reflect.Value) {
	switch {
	case src.Type() == dst.Type():
		dst.Set(src)
	case src.Kind() == reflect.Struct:
		for i := range src.NumField() {
			copyShape(dst.Field(i), src.Field(i))
		}
	case src.Kind() == reflect.Slice && !src.IsNil():
		dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			copyShape(dst.Index(i), src.Index(i))
		}
	case src.Kind() == reflect.Pointer && !src.IsNil():
		dst.Set(reflect.New(dst.Type().Elem()))
		copyShape(dst.Elem(), src.Elem())
	}
}
