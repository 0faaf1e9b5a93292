//go:build !race

package binary_test

import (
	"testing"

	"github.com/spanwire/spanwire/binary"
)

func allocs[T any](t *testing.T, v *T, strings float64, opts ...binary.Options) {
	t.Helper()
	appendTo, marshal, unmarshal := entries(opts)
	b, err := marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, len(b))
	got := new(T)
	for name, c := range map[string]struct {
		most float64
		f    func() error
	}{
		"Marshal":   {1, func() error { _, err := marshal(v); return err }},
		"Append":    {0, func() error { _, err := appendTo(buf, v); return err }},
		"Unmarshal": {strings, func() error { return unmarshal(b, got) }},
		"fresh":     {strings + 1, func() error { got = new(T); return unmarshal(b, got) }},
	} {
		if name == "fresh" && hasPointers(v) {
			continue
		}
		err := error(nil)
		n := testing.AllocsPerRun(100, func() { err = c.f() })
		if n > c.most || err != nil {
			t.Errorf("%T: %s allocates %v times, want at most %v; %v", v, name, n, c.most, err)
		}
	}
}

// hasPointers reports values that a fresh destination must make memory for.
func hasPointers(v any) bool {
	switch v.(type) {
	case *batch, *frame:
		return true
	}
	return false
}

func TestAllocations(t *testing.T) {
	if purego {
		t.Skip("package reflect allocates")
	}
	for _, o := range []binary.Options{{}, {EncodeInt: true, LittleEndian: true, SizeWidth: 2}, {UseRef: true, FullTime: true}} {
		allocs(t, newSimple(), 1, o)
		allocs(t, newNested(), 2, o)
		allocs(t, newBatch(100), 100, o)
		allocs(t, &frame{Body: []byte("body")}, 0, o)
		allocs(t, &identified{}, 1, o)
	}
	allocs(t, newSimple(), 1)
}
