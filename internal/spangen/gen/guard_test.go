package gen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/test"
)

// build compiles a module and gives what is said.
func build(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// TestFirstErrorOfStaleOutput changes structs below old output: the first line that
// the compiler prints says what to do (G7).
func TestFirstErrorOfStaleOutput(t *testing.T) {
	test.Long(t)
	const before = "package m\n\n//span:generate\ntype Order struct{ A, B, C, D int32; Name string }\n\n//span:generate\ntype Pair[K comparable] struct{ Key K; Rest []Pair[K] }\n"
	for name, row := range map[string][2]string{
		"renamed":  {"A, B, C, D", "A1, B1, C1, D1"},
		"retyped":  {"int32", "int64"},
		"added":    {"Name string", "Name string; More bool"},
		"moved":    {"A, B", "B, A"},
		"tagged":   {"Name string", "Name string `span:\"utf8\"`"},
		"generic":  {"Key K;", "Ident K;"},
		"embedded": {"Name string }", "Name string; Inner }; type Inner struct{}"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := spanModule(t, map[string]string{"order.go": before})
			write(t, run(t, Config{Load: load.Config{Dir: dir}}))
			require.Empty(t, build(t, dir, "build", "./..."))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "order.go"), []byte(strings.Replace(before, row[0], row[1], 1)), 0o666))
			lines := strings.Split(build(t, dir, "build", "./..."), "\n")
			require.Contains(t, lines[1], "RunGoGenerate", strings.Join(lines, "\n"))
		})
	}
}

// TestTagsOfDependencies changes tags of another module that have nothing to do
// with the wire, and one that has (G23).
func TestTagsOfDependencies(t *testing.T) {
	test.Long(t)
	lib := "package lib\n\ntype Point struct{ X, Y int32; Name string `json:\"name\"` }\n\ntype Box[T any] struct{ In T `json:\"in\"` }\n"
	dir := spanModule(t, map[string]string{
		"dep/go.mod": "module dep.test/lib\n\ngo 1.26\n", "dep/lib.go": lib,
		"m.go": "package m\n\nimport \"dep.test/lib\"\n\n//span:generate\ntype A struct{ P lib.Point; L []lib.Point; B lib.Box[int8] }\n",
	})
	mod := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(mod)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(mod, append(text, "\nrequire dep.test/lib v0.0.0\n\nreplace dep.test/lib => ./dep\n"...), 0o666))
	plain := Config{Load: load.Config{Dir: dir}}
	write(t, run(t, plain))
	require.Empty(t, build(t, dir, "vet", "./..."))

	set := func(old, new string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dep/lib.go"), []byte(strings.Replace(lib, old, new, 1)), 0o666))
	}
	set("json:\"name\"", "json:\"title\" doc:\"of the point\"")
	require.Contains(t, build(t, dir, "test", "./..."), "ok")
	require.Empty(t, changes(run(t, plain)))
	set("json:\"name\"", "span:\"utf8\"")
	require.Contains(t, build(t, dir, "test", "./..."), "a struct used by A has changed: run go generate")
	set("X, Y int32", "X, Y int64")
	require.Contains(t, build(t, dir, "build", "./..."), "runGoGenerate")
	set("Name string", "Name string; More bool")
	require.Contains(t, build(t, dir, "build", "./..."), "runGoGenerate")
}
