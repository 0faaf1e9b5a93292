package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkGenerate measures whole runs, loading included, on packages of
// structs with eight fields. The build cache is warm after the first.
//
//	go test ./cmd/spangen -run '^$' -bench Generate
func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{1, 200, 2000} {
		b.Run(fmt.Sprintf("structs=%d", n), func(b *testing.B) {
			dir := structs(b, n)
			for b.Loop() {
				// Every run writes: the output is gone.
				_ = os.Remove(filepath.Join(dir, "m_span.go"))
				if status := run(context.Background(), []string{"-C", dir}, io.Discard, os.Stderr); status != exitOK {
					b.Fatal(status)
				}
			}
		})
	}
}

// structs makes a module with a package of n structs.
func structs(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := prepare(dir); err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("package m\n\nimport (\n\t\"time\"\n\n\t\"github.com/spanwire/spanwire/span\"\n)\n")
	for i := range n {
		fmt.Fprintf(&b, `
%s
type T%d struct {
	ID    int32
	Name  string
	Data  []byte
	At    time.Time
	Sums  map[string]int64
	Level *int16
	Tags  []string
	Key   span.GUID
}
`, "//span:generate", i)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.go"), []byte(b.String()), 0o666); err != nil {
		tb.Fatal(err)
	}
	return dir
}
