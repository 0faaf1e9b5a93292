package emit_test

import (
	"bytes"
	"context"
	"flag"
	"maps"
	"os"
	pathpkg "path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/golden")

// TestGolden renders the files of all archives, in one run, and compares the
// output with each archive's.
func TestGolden(t *testing.T) {
	all := map[string]string{}
	for _, path := range archives(t) {
		maps.Copy(all, sources(parse(t, path)))
	}
	dir := module(t, all)
	var made []txtar.File
	seen := forms{}
	defer seen.all(t)
	for _, f := range generateBy(t, dir, seen.file).Files {
		name, err := filepath.Rel(dir, f.Path)
		require.NoError(t, err)
		made = append(made, txtar.File{Name: filepath.ToSlash(name), Data: f.New})
	}
	for _, path := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { compare(t, path, made) })
	}
}

// compare holds the output in the folders of an archive against the archive's.
func compare(t *testing.T, path string, made []txtar.File) {
	a := parse(t, path)
	want, folders := map[string][]byte{}, map[string]bool{}
	var files []txtar.File
	for _, f := range a.Files {
		want[f.Name] = f.Data
		folders[pathpkg.Dir(f.Name)] = true
		if !isOutput(f.Name) {
			files = append(files, f)
		}
	}
	for _, f := range made {
		if !folders[pathpkg.Dir(f.Name)] {
			continue
		}
		files = append(files, f)
		if !*update && !bytes.Equal(f.Data, want[f.Name]) {
			t.Errorf("%s differs; run the test with -update and look at the change.\ngot:\n%s", f.Name, f.Data)
		}
		delete(want, f.Name)
	}
	for name := range want {
		if isOutput(name) && !*update {
			t.Errorf("%s is not generated", name)
		}
	}
	if *update {
		a.Files = files
		require.NoError(t, os.WriteFile(path, txtar.Format(a), 0o644))
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

// sources returns the files of an archive that are not generated.
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
	return generateBy(t, dir, emit.File)
}

// generateBy is generate with a function that renders the files.
func generateBy(t *testing.T, dir string, file func(*model.Package, *model.File) ([]byte, error)) *gen.Result {
	t.Helper()
	r, err := gen.Generate(context.Background(), gen.Config{
		Load: load.Config{Dir: dir, Patterns: []string{"./..."}, Env: environ()},
		Emit: file, Guard: emit.Guard,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.Note || d.Warning {
			continue
		}
		t.Error(d.Format(dir))
	}
	return r
}

// environ is the environment of go commands in modules that tests make.
func environ() []string { return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off") }
