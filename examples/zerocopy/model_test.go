//go:build !purego

// Under purego all modes copy: strings in other memory take package unsafe.

package zerocopy

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/spanwire/spanwire/span"
)

var entry = Entry{
	Level: "warning", Host: "db-7.example.com", Service: "orders", Text: strings.Repeat("slow query ", 20),
	Raw: []byte{1, 2, 3}, Time: 1_700_000_000,
}

func message(t testing.TB) []byte {
	t.Helper()
	b, err := entry.AppendSpan(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// reads decodes into a used value, as a loop over a connection does.
func reads(t testing.TB, mode span.StringMode, b []byte, into *Entry) {
	if err := span.Unmarshal(b, into, span.Options{Strings: mode}); err != nil {
		t.Fatal(err)
	}
}

// TestAllocations is the price of each mode.
func TestAllocations(t *testing.T) {
	b := message(t)
	for _, row := range []struct {
		mode span.StringMode
		want float64
	}{
		{span.CopyStrings, 4},
		{span.SharedStrings, 1},
		{span.AliasStrings, 0},
	} {
		var into Entry
		reads(t, row.mode, b, &into)
		if got := testing.AllocsPerRun(100, func() { reads(t, row.mode, b, &into) }); got != row.want {
			t.Errorf("%v: %v allocations, want %v", row.mode, got, row.want)
		}
		if into.Text != entry.Text || into.Host != entry.Host {
			t.Errorf("%v: read %+v", row.mode, into)
		}
	}
}

// TestHazard is what alias mode may do to a program that reuses its buffer:
// strings change, though Go's strings never do.
func TestHazard(t *testing.T) {
	for mode, want := range map[span.StringMode]string{
		span.CopyStrings:   "warning",
		span.SharedStrings: "warning",
		span.AliasStrings:  "zzzzzzz",
	} {
		buffer := message(t)
		var into Entry
		reads(t, mode, buffer, &into)
		for i := range buffer { // the next message arrives
			buffer[i] = 'z'
		}
		if into.Level != want {
			t.Errorf("%v: the level is now %q, want %q", mode, into.Level, want)
		}
		if into.Raw[0] != 1 {
			t.Errorf("%v: a byte slice has changed", mode)
		}
	}
}

// TestWhereStringsLie looks at the memory itself.
func TestWhereStringsLie(t *testing.T) {
	b := message(t)
	inside := func(s string) bool {
		p := uintptr(unsafe.Pointer(unsafe.StringData(s)))
		start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		return start <= p && p < start+uintptr(len(b))
	}
	var into Entry
	reads(t, span.AliasStrings, b, &into)
	if !inside(into.Text) {
		t.Error("alias: the string is not in the input")
	}
	reads(t, span.SharedStrings, b, &into)
	distance := uintptr(unsafe.Pointer(unsafe.StringData(into.Text))) - uintptr(unsafe.Pointer(unsafe.StringData(into.Level)))
	if inside(into.Text) || distance > uintptr(len(b)) {
		t.Error("shared: the strings are not in one copy")
	}
}

// TestKeep clones what outlives the buffer: an aliased string that is kept on
// its own would keep the whole buffer.
func TestKeep(t *testing.T) {
	buffer := message(t)
	var into Entry
	reads(t, span.AliasStrings, buffer, &into)
	kept := strings.Clone(into.Host)
	clear(buffer)
	if kept != entry.Host {
		t.Errorf("kept %q", kept)
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	in := message(b)
	for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
		b.Run(fmt.Sprint(mode), func(b *testing.B) {
			b.ReportAllocs()
			var into Entry
			for b.Loop() {
				reads(b, mode, in, &into)
			}
		})
	}
}
