//go:build !purego

// Under purego all modes copy: strings in other memory take package unsafe.

package examples_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/spanwire/spanwire/examples/zerocopy"
	"github.com/spanwire/spanwire/span"
)

var logEntry = zerocopy.Entry{
	Level: "warning", Host: "db-7.example.com", Service: "orders", Text: strings.Repeat("slow query ", 20),
	Raw: []byte{1, 2, 3}, Time: 1_700_000_000,
}

func logMessage(t testing.TB) []byte {
	t.Helper()
	b, err := logEntry.AppendSpan(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readsLog decodes into a used value, as a loop over a connection does.
func readsLog(t testing.TB, mode span.StringMode, b []byte, into *zerocopy.Entry) {
	if err := (span.Options{Strings: mode}).Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// TestZerocopyAllocations is the price of each mode.
func TestZerocopyAllocations(t *testing.T) {
	b := logMessage(t)
	for _, row := range []struct {
		mode span.StringMode
		want float64
	}{
		{span.CopyStrings, 4},
		{span.SharedStrings, 1},
		{span.AliasStrings, 0},
	} {
		var into zerocopy.Entry
		readsLog(t, row.mode, b, &into)
		if got := testing.AllocsPerRun(100, func() { readsLog(t, row.mode, b, &into) }); got != row.want {
			t.Errorf("%v: %v allocations, want %v", row.mode, got, row.want)
		}
		if into.Text != logEntry.Text || into.Host != logEntry.Host {
			t.Errorf("%v: read %+v", row.mode, into)
		}
	}
}

// TestZerocopyHazard is what alias mode may do to a program that reuses its buffer:
// strings change, though Go's strings never do.
func TestZerocopyHazard(t *testing.T) {
	for mode, want := range map[span.StringMode]string{
		span.CopyStrings:   "warning",
		span.SharedStrings: "warning",
		span.AliasStrings:  "zzzzzzz",
	} {
		buffer := logMessage(t)
		var into zerocopy.Entry
		readsLog(t, mode, buffer, &into)
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

// TestZerocopyWhereStringsLie looks at the memory itself.
func TestZerocopyWhereStringsLie(t *testing.T) {
	b := logMessage(t)
	inside := func(s string) bool {
		p := uintptr(unsafe.Pointer(unsafe.StringData(s)))
		start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		return start <= p && p < start+uintptr(len(b))
	}
	var into zerocopy.Entry
	readsLog(t, span.AliasStrings, b, &into)
	if !inside(into.Text) {
		t.Error("alias: the string is not in the input")
	}
	readsLog(t, span.SharedStrings, b, &into)
	distance := uintptr(unsafe.Pointer(unsafe.StringData(into.Text))) - uintptr(unsafe.Pointer(unsafe.StringData(into.Level)))
	if inside(into.Text) || distance > uintptr(len(b)) {
		t.Error("shared: the strings are not in one copy")
	}
}

// TestZerocopyKeep clones what outlives the buffer: an aliased string that is kept on
// its own would keep the whole buffer.
func TestZerocopyKeep(t *testing.T) {
	buffer := logMessage(t)
	var into zerocopy.Entry
	readsLog(t, span.AliasStrings, buffer, &into)
	kept := strings.Clone(into.Host)
	clear(buffer)
	if kept != logEntry.Host {
		t.Errorf("kept %q", kept)
	}
}

func BenchmarkZerocopyUnmarshal(b *testing.B) {
	in := logMessage(b)
	for _, mode := range []span.StringMode{span.CopyStrings, span.SharedStrings, span.AliasStrings} {
		b.Run(fmt.Sprint(mode), func(b *testing.B) {
			b.ReportAllocs()
			var into zerocopy.Entry
			for b.Loop() {
				readsLog(b, mode, in, &into)
			}
		})
	}
}
