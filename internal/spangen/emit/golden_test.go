package emit_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/golden")

// TestGolden renders the files of each archive and compares the output with the
// archive's.
func TestGolden(t *testing.T) {
	for _, path := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := parse(t, path)
			dir := module(t, sources(a))
			want := map[string][]byte{}
			for _, f := range a.Files {
				want[f.Name] = f.Data
			}
			var files []txtar.File
			for _, f := range a.Files {
				if !isOutput(f.Name) {
					files = append(files, f)
				}
			}
			for _, f := range generate(t, dir).Files {
				name, err := filepath.Rel(dir, f.Path)
				if err != nil {
					t.Fatal(err)
				}
				name = filepath.ToSlash(name)
				files = append(files, txtar.File{Name: name, Data: f.New})
				if !*update && !bytes.Equal(f.New, want[name]) {
					t.Errorf("%s differs; run the test with -update and look at the change.\ngot:\n%s", name, f.New)
				}
				delete(want, name)
			}
			for name := range want {
				if isOutput(name) && !*update {
					t.Errorf("%s is not generated", name)
				}
			}
			if *update {
				a.Files = files
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func archives(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	return paths
}

func parse(t *testing.T, path string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// isOutput reports the name of a generated file.
func isOutput(name string) bool {
	return strings.HasSuffix(name, "_span.go") || strings.HasSuffix(name, "_span_test.go") ||
		strings.HasSuffix(name, "_span_guard_test.go")
}

// sources gives the files of an archive that are not generated.
func sources(a *txtar.Archive) map[string]string {
	files := map[string]string{}
	for _, f := range a.Files {
		if !isOutput(f.Name) {
			files[f.Name] = string(f.Data)
		}
	}
	return files
}

// module writes files into a module of their own that uses this checkout.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	return moduleOf(t, "example.test/m", files)
}

// moduleOf is module with a path.
func moduleOf(t *testing.T, path string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	files["go.mod"] = "module " + path + "\n\ngo 1.26.0\n\nrequire github.com/spanwire/spanwire v0.0.0\n\n" +
		"replace github.com/spanwire/spanwire => " + root + "\n"
	files["go.sum"] = string(sums)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// generate runs the pipeline over a module.
func generate(t *testing.T, dir string) *gen.Result {
	t.Helper()
	r, err := gen.Generate(context.Background(), gen.Config{
		Load: load.Config{Dir: dir, Patterns: []string{"./..."}, Env: environ()},
		Emit: emit.File, Guard: emit.Guard,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.Note {
			continue
		}
		t.Error(d.Format(dir))
	}
	return r
}

// environ is the environment of go commands in modules that tests make.
func environ() []string { return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off") }
