package span_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/span"
)

// fuzzOptions takes options from one byte.
func fuzzOptions(b byte) span.Options {
	return span.Options{
		Deterministic: true,
		BigEndian:     b&1 != 0, EncodeInt: b&2 != 0, FullTime: b&4 != 0,
		Strict: b&8 != 0, Fresh: b&16 != 0, Compat: b&32 != 0,
		Strings: span.StringMode(b >> 6 % 3), // 3 is no mode
	}
}

// fuzzModel reads bytes into a T and holds all that may come of it against what
// the package promises: the same value and the same verdict from memory and from
// a stream, into a fresh and into a used destination; a value that can be
// written, and read back as the same. The first byte chooses options.
func fuzzModel[T any](f *testing.F, seeds ...T) {
	for i := range seeds {
		for options := range byte(64) {
			b, err := fuzzOptions(options).Marshal(&seeds[i])
			if err != nil {
				f.Fatal(err)
			}
			if options < 8 || options&7 == 0 {
				f.Add(append([]byte{options}, b...))
			}
		}
	}
	var used T
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return
		}
		o, b := fuzzOptions(in[0]), in[1:]
		var v T
		err := o.Unmarshal(b, &v)
		if err2 := o.Unmarshal(b, &used); (err == nil) != (err2 == nil) || err == nil && !equal(v, used) {
			t.Fatalf("fresh: %v %+v\nused: %v %+v", err, v, err2, used)
		}
		var s T
		if err2 := o.UnmarshalRead(iotest.HalfReader(bytes.NewReader(b)), &s); (err == nil) != (err2 == nil) || err == nil && !equal(v, s) {
			t.Fatalf("memory: %v %+v\nstream: %v %+v", err, v, err2, s)
		}
		if err != nil {
			fuzzError(t, err)
			return
		}
		fuzzRoundTrip(t, v, o)
	})
}

// fuzzError checks that an error has all its parts.
func fuzzError(t *testing.T, err error) {
	var e *span.Error
	if !errors.As(err, &e) || e.Op != "unmarshal" || e.Type == "" || e.Offset < 0 {
		t.Fatalf("%#v", err)
	}
}

// fuzzRoundTrip writes a value that has been read and reads it back.
func fuzzRoundTrip[T any](t *testing.T, v T, o span.Options) {
	b, err := o.Marshal(&v)
	if errors.Is(err, span.ErrNil) {
		return // the input ended before a pointer that can't be written as nil
	}
	if err != nil {
		t.Fatalf("what was read can't be written: %v\n%+v", err, v)
	}
	if n, err := o.Size(&v); n != len(b) || err != nil {
		t.Fatalf("Size %d %v, message of %d", n, err, len(b))
	}
	var w T
	if err := o.Unmarshal(b, &w); err != nil || !equal(v, w) {
		t.Fatalf("%v\n%+v, want\n%+v", err, w, v)
	}
	c, err := o.Marshal(&w)
	if err != nil || !bytes.Equal(b, c) {
		t.Fatalf("%v\n%x, want\n%x", err, c, b)
	}
	var out bytes.Buffer
	if err := o.MarshalWrite(&out, &v); err != nil || !bytes.Equal(out.Bytes(), b) {
		t.Fatalf("MarshalWrite: %v\n%x, want\n%x", err, out.Bytes(), b)
	}
}

func FuzzPlanFlat(f *testing.F) {
	fuzzModel(f, fuzzFlat{}, fuzzFlat{I: "text", J: []byte{1}, O: ptrTo(int32(1)), P: ptrTo(ptrTo("x"))})
}

func FuzzPlanLists(f *testing.F) {
	fuzzModel(f, fuzzLists{}, fuzzLists{
		A: []int32{1}, B: []string{"a", ""}, C: [][]bool{{true}, nil}, D: make([]fuzzFlat, 2), E: map[string]int32{"k": 1, "l": 2},
		F: map[int16][]string{1: {"x"}}, G: map[fuzzKey]map[bool]float64{{A: 1}: {true: 1}}, H: []*fuzzLists{nil, {}},
		I: map[float64]int8{1: 1}, J: make([]struct{}, 3),
	})
}

func FuzzPlanTags(f *testing.F) {
	self := selfWriter{1, "s"}
	point := textPoint{'a', 'b'}
	fuzzModel(f, fuzzTags{
		A: -1, C: []uint64{300}, F: []byte{}, G: []int8{1}, H: map[string]bool{"k": true}, I: "x", Q: self, R: &point,
		S: binaryPoint{point}, T: &fuzzTags{}, U: map[int8]fuzzKey{1: {}}, V: []int16{1}, W: &fuzzKey{},
	})
}

func FuzzPlanNet(f *testing.F) {
	fuzzModel(f, fuzzNet{}, fuzzNet{
		A: true, C: "x", E: ptrTo(int16(1)), G: []fuzzNetItem{{A: 1, B: ptrTo(uint8(2))}}, H: map[int32]string{1: "y"},
		J: &fuzzKey{}, K: &fuzzNet{J: &fuzzKey{}},
	})
}

// A graph can't be compared by values: its bytes are.
func FuzzPlanGraph(f *testing.F) {
	g := &fuzzGraph{A: 1, E: &fuzzKey{A: 1}}
	g.B, g.C, g.D = g, []*fuzzGraph{g, nil, {A: 2}}, map[string]*fuzzGraph{"k": g}
	b, err := span.Marshal(g)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, w fuzzGraph
		if err := span.Unmarshal(b, &v); err != nil {
			fuzzError(t, err)
			return
		}
		c, err := ordered.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := span.Unmarshal(c, &w); err != nil {
			t.Fatal(err)
		}
		d, err := ordered.Marshal(&w)
		if err != nil || !bytes.Equal(c, d) {
			t.Fatalf("%v\n%x, want\n%x", err, d, c)
		}
	})
}

// Every change of one byte of a message is an error or another message.
func TestPlanMutations(t *testing.T) {
	mutate(t, fuzzFlat{I: "text", J: []byte{1}, O: ptrTo(int32(1)), P: ptrTo(ptrTo("x"))})
	mutate(t, fuzzLists{A: []int32{1}, B: []string{"a"}, D: make([]fuzzFlat, 1), E: map[string]int32{"k": 1}, H: []*fuzzLists{{}}})
	mutate(t, fuzzNet{A: true, C: "x", E: ptrTo(int16(1)), G: []fuzzNetItem{{A: 1}}, J: &fuzzKey{}})
	mutate(t, fuzzTags{R: &textPoint{'a', 'b'}, S: binaryPoint{}, Q: selfWriter{1, "s"}, T: &fuzzTags{R: &textPoint{'c', 'd'}}, V: []int16{1}})
}

func mutate[T any](t *testing.T, v T) {
	t.Helper()
	b, err := ordered.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		for _, x := range test.Changes(b[i]) {
			c := bytes.Clone(b)
			c[i] = x
			var w T
			if err := span.Unmarshal(c, &w); err != nil {
				fuzzError(t, err)
				continue
			}
			fuzzRoundTrip(t, w, ordered)
		}
	}
}
