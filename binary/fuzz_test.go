package binary_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/randval"
)

// FuzzRoundTrip makes a random type, a value of it and options. What is written
// reads back as the value; every prefix and the input with a change is an error
// or a value that is stable from then on.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed, []byte{byte(seed), byte(seed >> 3), 0xff})
	}
	f.Fuzz(func(t *testing.T, seed uint64, change []byte) {
		r := newRandomizer(seed)
		typ := r.structure(3)
		v := reflect.New(typ)
		r.fill(v.Elem(), "")
		b, err := r.o.Marshal(v.Interface())
		if errors.Is(err, binary.ErrNil) || errors.Is(err, binary.ErrRange) && r.o.SizeWidth == 1 {
			return // a nil object in the middle; a length beyond its byte
		}
		if errors.Is(err, binary.ErrUnsupported) && len(r.o.IgnoreMembers) > 0 {
			return // a member depends on one that is left out
		}
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		got := reflect.New(typ)
		if err := r.o.Unmarshal(b, got.Interface()); err != nil {
			t.Fatalf("%v %+v\n%x: %v", typ, v.Elem(), b, err)
		}
		again, err := r.o.Marshal(got.Interface())
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v %+v\n%x becomes %x, %v", typ, v.Elem(), b, again, err)
		}
		if d := differ(v, got, r.o); d != "" {
			t.Fatalf("%v %+v\n%x: %s", typ, v.Elem(), b, d)
		}
		for n := range min(len(b), 200) {
			stable(t, typ, b[:n], r.o)
		}
		for i, c := range change {
			if len(b) > 0 {
				b[(i*7+int(c))%len(b)] ^= c
				stable(t, typ, b, r.o)
			}
		}
	})
}

// differ compares what a checksum, a constant and an ignored member do not
// change.
func differ(want, got reflect.Value, o binary.Options) string {
	if len(o.IgnoreMembers) > 0 {
		return ""
	}
	copySet(want.Elem(), got.Elem())
	return randval.Diff(want.Interface(), got.Interface())
}

// copySet gives want the members that reading sets from their tags.
func copySet(want, got reflect.Value) {
	switch want.Kind() {
	case reflect.Pointer:
		if !want.IsNil() && !got.IsNil() {
			copySet(want.Elem(), got.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range min(want.Len(), got.Len()) {
			copySet(want.Index(i), got.Index(i))
		}
	case reflect.Struct:
		for i := range want.NumField() {
			if !want.Type().Field(i).IsExported() || !want.Field(i).CanSet() {
				continue
			}
			tag := want.Type().Field(i).Tag.Get("binary")
			if len(tag) > 4 && (tag[:4] == "sum=" || tag[:5] == "const") {
				want.Field(i).Set(got.Field(i))
				continue
			}
			copySet(want.Field(i), got.Field(i))
		}
	}
}

// stable reads b, and checks that what it reads, if it does, has bytes that
// read as the same.
func stable(t *testing.T, typ reflect.Type, b []byte, o binary.Options) {
	t.Helper()
	first := reflect.New(typ)
	if o.Unmarshal(b, first.Interface()) != nil {
		return
	}
	one, err := o.Marshal(first.Interface())
	if err != nil {
		return // a time or string that reading takes and writing does not
	}
	second := reflect.New(typ)
	if err := o.Unmarshal(one, second.Interface()); err != nil {
		t.Fatalf("%v: %x reads as %+v, its bytes %x don't: %v", typ, b, first.Elem(), one, err)
	}
	two, err := o.Marshal(second.Interface())
	if err != nil || !bytes.Equal(one, two) {
		t.Fatalf("%v: %x becomes %x, then %x, %v", typ, b, one, two, err)
	}
}
