package realworld

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/realworld/check"
)

var (
	update = flag.Bool("update", false, "write testdata/refused.txt anew")
	full   = flag.Bool("full", false, "all structs instead of a share, 1,000 values for each instead of 20")
)

// TestRealWorld classifies the structs, generates code for those that can be
// carried, compiles it and runs it.
func TestRealWorld(t *testing.T) {
	dir := t.TempDir()
	var refused bytes.Buffer
	var pkgs []string
	for _, s := range sources {
		c, err := classify(s)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d structs are carried, %d refused", s.path, len(c.carried), len(c.refused)-len(c.omits))
		fmt.Fprintf(&refused, "# %s: %d structs are carried, %d of them in part, %d are refused\n",
			s.path, len(c.carried), len(c.omits), len(c.refused)-len(c.omits))
		for _, line := range c.refused {
			fmt.Fprintln(&refused, line)
		}
		by := c.packages()
		for _, pkg := range sortedKeys(by) {
			pkgs = append(pkgs, "./"+pkg)
			write(t, filepath.Join(dir, pkg, "holders.go"), c.holders(pkg, by[pkg]))
			write(t, filepath.Join(dir, pkg, "holders_test.go"), c.tests(pkg, by[pkg]))
		}
	}
	golden(t, refused.Bytes())
	module(t, dir)

	tool := filepath.Join(t.TempDir(), "spangen")
	run(t, root(t), "build", "go", "build", "-o", tool, "./cmd/spangen")
	run(t, dir, "generate", tool, append([]string{"-v"}, pkgs...)...)
	sizes(t, dir)
	run(t, dir, "compile", "go", "build", "./...")
	run(t, dir, "check", tool, append([]string{"-check"}, pkgs...)...)
	n := "20"
	if *full {
		n = "1000"
	}
	t.Setenv(check.Values, n)
	run(t, dir, "test", "go", append([]string{"test", "-timeout", "30m"}, pkgs...)...)
}

// golden compares the list of refused structs with the one on record.
func golden(t *testing.T, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "refused.txt")
	if *update {
		write(t, path, string(got))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the refused structs are not those of %s; if the new list is right, run with -update:\n%s", path, got)
	}
}

// module writes a go.mod like ours for the packages in dir.
func module(t *testing.T, dir string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/spanwire/spanwire/internal/realworld"
	text := strings.Replace(string(mod), "module "+path, "module "+path+"/run", 1)
	text = regexp.MustCompile(`=> \.\./\.\.`).ReplaceAllString(text, "=> "+root(t))
	text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", path, path, here)
	write(t, filepath.Join(dir, "go.mod"), text)
	write(t, filepath.Join(dir, "go.sum"), string(sum))
}

// root returns the folder of the main module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a command and logs how long it took.
func run(t *testing.T, dir, what, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, tail(out, 8000))
	}
	t.Logf("%s: %.1f s", what, time.Since(start).Seconds())
}

// tail returns the last n bytes of b.
func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// sizes logs how much code was generated.
func sizes(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*_span.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	var lines int
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(b, []byte("\n"))
	}
	t.Logf("%d files, %d lines generated", len(files), lines)
}

// write writes a file and the folders it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
