package wire_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// row is where a row of a table stands, so that a failure names it.
type row string

// here gives the place of its caller.
func here() row {
	_, file, line, _ := runtime.Caller(1)
	return row(fmt.Sprintf("%s:%d", filepath.Base(file), line))
}

// unhex gives the bytes of hexadecimal text, in which blanks count for nothing.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// isError fails the test unless err is want; a want of nil means no error.
func isError(t testing.TB, at row, err, want error) {
	t.Helper()
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		t.Errorf("%s: error %v, want %v", at, err, want)
	}
}

// noAllocs fails the test if f allocates.
func noAllocs(t *testing.T, name string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s: %v allocations, want none", name, n)
	}
}
