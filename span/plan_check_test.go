package span_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"
	"testing/iotest"
	"time"

	"github.com/spanwire/spanwire/span"
)

// ordered writes maps in order, so that bytes can be compared.
var ordered = span.Options{Deterministic: true}

// equal compares values up to nil and empty, the location of times and NaNs of
// the same bits.
func equal(a, b any) bool { return equalValues(reflect.ValueOf(a), reflect.ValueOf(b)) }

var timeType = reflect.TypeFor[time.Time]()

func equalValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return a.IsValid() == b.IsValid()
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return math.Float64bits(real(x)) == math.Float64bits(real(y)) && math.Float64bits(imag(x)) == math.Float64bits(imag(y))
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() || a.Pointer() == b.Pointer() {
			return a.IsNil() == b.IsNil()
		}
		return equalValues(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return equalMaps(a, b)
	case reflect.Struct:
		if a.CanInterface() && a.Type().ConvertibleTo(timeType) {
			return a.Convert(timeType).Interface().(time.Time).Equal(b.Convert(timeType).Interface().(time.Time))
		}
		for i := range a.NumField() {
			if !equalValues(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return !a.Comparable() || a.Equal(b)
}

func equalMaps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for it := a.MapRange(); it.Next(); {
		y := b.MapIndex(it.Key())
		if !y.IsValid() {
			return it.Key() != it.Key() // NaNs can't be looked up
		}
		if !equalValues(it.Value(), y) {
			return false
		}
	}
	return true
}

// under returns the options that a helper was called with, if any.
func under(opts []span.Options) (o span.Options) {
	if len(opts) > 0 {
		o = opts[0]
	}
	return o
}

// exercise sends v through everything that writes and reads messages and returns
// its bytes.
func exercise[T any](t *testing.T, at row, v T, opts ...span.Options) []byte {
	t.Helper()
	o := under(opts)
	o.Deterministic = true
	b, err := o.Marshal(&v)
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return nil
	}
	checkWriters(t, at, &v, b, o)
	checkReaders(t, at, &v, b, o)
	checkPrefixes[T](t, at, b, o)
	return b
}

// checkWriters holds all ways of writing v against its bytes b.
func checkWriters[T any](t *testing.T, at row, v *T, b []byte, o span.Options) {
	t.Helper()
	if n, err := o.Size(v); n != len(b) || err != nil {
		t.Errorf("%s: Size %d %v, message of %d", at, n, err, len(b))
	}
	if c, err := o.Append([]byte("before"), *v); err != nil || string(c) != "before"+string(b) {
		t.Errorf("%s: Append of the value %v\n%x, want\n%x", at, err, c, b)
	}
	var out bytes.Buffer
	if err := o.MarshalWrite(&out, v); err != nil || !bytes.Equal(out.Bytes(), b) {
		t.Errorf("%s: MarshalWrite %v\n%x, want\n%x", at, err, out.Bytes(), b)
	}
	for n := len(b); n >= 0; n-- {
		if n < len(b)-300 {
			n = 0
		}
		w := *span.NewFixedWriter(make([]byte, 0, n))
		w.Configure(o)
		span.PlanOf(v).Write(&w, v)
		switch err := w.Err(); {
		case n == len(b) && (err != nil || !bytes.Equal(w.Bytes(), b)):
			t.Errorf("%s: fixed buffer of the exact size: %v\n%x, want\n%x", at, err, w.Bytes(), b)
		case n < len(b) && !errors.Is(err, span.ErrShortBuffer):
			t.Errorf("%s: fixed buffer of %d of %d: %v", at, n, len(b), err)
		}
	}
}

// checkReaders holds all ways of reading b against v.
func checkReaders[T any](t *testing.T, at row, v *T, b []byte, o span.Options) {
	t.Helper()
	var used T
	for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
		o.Strings = mode
		var fresh T
		for name, dst := range map[string]*T{"fresh": &fresh, "used": &used} {
			if err := o.Unmarshal(b, dst); err != nil || !equal(*v, *dst) {
				t.Errorf("%s: mode %d, %s: %v\n%+v, want\n%+v", at, mode, name, err, *dst, *v)
			}
		}
	}
	o.Strings = span.CopyStrings
	for name, src := range map[string]io.Reader{
		"stream":        bytes.NewReader(b),
		"byte by byte":  iotest.OneByteReader(bytes.NewReader(b)),
		"data and EOF":  iotest.DataErrReader(bytes.NewReader(b)),
		"half requests": iotest.HalfReader(bytes.NewReader(b)),
	} {
		var fresh T
		if err := o.UnmarshalRead(src, &fresh); err != nil || !equal(*v, fresh) {
			t.Errorf("%s: %s: %v\n%+v, want\n%+v", at, name, err, fresh, *v)
		}
	}
	o.Fresh = true
	if err := o.Unmarshal(b, &used); err != nil || !equal(*v, used) {
		t.Errorf("%s: Fresh: %v\n%+v, want\n%+v", at, err, used, *v)
	}
	if err := o.Unmarshal(append(b[:len(b):len(b)], 0), &used); err == nil {
		checkStable(t, at, &used, o) // a longer message may be one as well
	}
}

// checkPrefixes reads every part of b from its start: an error or a value that
// is stable.
func checkPrefixes[T any](t *testing.T, at row, b []byte, o span.Options) {
	t.Helper()
	for n := range b {
		if n > 500 && n < len(b)-100 {
			continue
		}
		var v, w T
		err := o.Unmarshal(b[:n:n], &v)
		if err == nil {
			checkStable(t, at, &v, o)
		}
		err2 := o.UnmarshalRead(iotest.OneByteReader(bytes.NewReader(b[:n])), &w)
		if (err == nil) != (err2 == nil) || err == nil && !equal(v, w) {
			t.Errorf("%s: %d of %d bytes: %v, from a stream %v", at, n, len(b), err, err2)
		}
		sameError(t, at, err, err2)
	}
}

// sameError holds an error from memory against the one from a stream, which may
// come later: a stream's length is not known.
func sameError(t *testing.T, at row, err, err2 error) {
	t.Helper()
	for _, reason := range []error{io.ErrUnexpectedEOF, span.ErrMalformed, span.ErrRange, span.ErrNil} {
		if errors.Is(err, reason) != errors.Is(err2, reason) {
			t.Errorf("%s: %v, from a stream %v", at, err, err2)
		}
	}
}

// checkStable writes a value that has been read and reads it back.
func checkStable[T any](t *testing.T, at row, v *T, o span.Options) {
	t.Helper()
	b, err := o.Marshal(v)
	if errors.Is(err, span.ErrNil) {
		return // input that ends early leaves nil pointers where none can be written
	}
	if err != nil {
		t.Errorf("%s: what was read can't be written: %v", at, err)
		return
	}
	var w T
	if err := o.Unmarshal(b, &w); err != nil || !equal(*v, w) {
		t.Errorf("%s: what was read, written and read: %v\n%+v, want\n%+v", at, err, w, *v)
	}
}
