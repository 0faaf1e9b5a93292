package emit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spanwire/spanwire/internal/test"
)

// TestCheck compiles the golden output and holds it against the plan: the same
// bytes, sizes, values and errors for random values and damaged messages.
func TestCheck(t *testing.T) {
	test.Long(t) // compiles and runs a module
	files := map[string]string{}
	for _, path := range archives(t) {
		a := parse(t, path)
		for _, f := range a.Files {
			files[f.Name] = string(f.Data)
		}
		addTest(a, files)
	}
	for _, name := range []string{"check.go", "random.go"} {
		text, err := os.ReadFile(filepath.Join("testdata/check", name))
		if err != nil {
			t.Fatal(err)
		}
		files["check/"+name] = string(text)
	}
	dir := module(t, files)
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, shorten(out))
		}
	}
}

// addTest adds a test of every generated type to the archive's packages.
func addTest(a *txtar.Archive, files map[string]string) {
	for _, f := range a.Files {
		if !strings.HasSuffix(f.Name, "_span.go") {
			continue
		}
		dir := filepath.Dir(f.Name)
		var calls []string
		for line := range strings.Lines(string(f.Data)) {
			_, rest, ok := strings.Cut(line, "SpanGenerated(*")
			if !ok {
				continue
			}
			for _, name := range instances(strings.TrimSuffix(strings.TrimSpace(rest), ") {}")) {
				calls = append(calls, fmt.Sprintf("\tt.Run(%q, check.Type[%s])\n", name, name))
			}
		}
		slices.Sort(calls)
		files[dir+"/check_test.go"] = fmt.Sprintf("package %s\n\nimport (\n\t\"testing\"\n\n\t\"example.test/m/check\"\n)\n\nfunc TestGenerated(t *testing.T) {\n%s}\n",
			filepath.Base(dir), strings.Join(calls, ""))
	}
}

// instances returns the types to test for a receiver: itself, or instances.
func instances(name string) []string {
	base, params, generic := strings.Cut(name, "[")
	switch {
	case !generic:
		return []string{name}
	case strings.Contains(params, ","):
		return []string{base + "[int32, string]", base + "[uint16, Label]"}
	}
	return []string{base + "[int8]", base + "[string]", base + "[[]Label]"}
}

// shorten keeps the beginning of long output.
func shorten(out []byte) string {
	if len(out) > 6000 {
		return string(out[:6000]) + "\n…"
	}
	return string(out)
}
