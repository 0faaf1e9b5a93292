package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/test"
)

// TestVendoredModules has a module with a vendor folder: a hint where it lacks
// package span, and spangen does not write into it, nor into the module cache (G9).
func TestVendoredModules(t *testing.T) {
	test.Long(t)
	dir := spanModule(t, map[string]string{
		"dep/go.mod": "module dep.test/lib\n\ngo 1.26\n", "dep/lib.go": "package lib\n\n//span:generate\ntype Point struct{ X, Y int32 }\n",
		"m.go": "package m\n\nimport \"dep.test/lib\"\n\n//span:generate\ntype A struct{ P lib.Point }\n",
	})
	mod := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(mod)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(mod, append(text, "\nrequire dep.test/lib v0.0.0\n\nreplace dep.test/lib => ./dep\n"...), 0o666))
	build(t, dir, "mod", "vendor")
	plain := Config{Load: load.Config{Dir: dir}}
	r := run(t, plain)
	require.Equal(t, []string{"warning: the vendor directory of example.test/m has no github.com/spanwire/spanwire/span, which the generated code imports: run go mod vendor"}, messages(dir, r))
	write(t, r)
	require.Contains(t, build(t, dir, "build", "./..."), "vendor")
	build(t, dir, "mod", "vendor")
	require.Empty(t, build(t, dir, "build", "./..."))
	require.Empty(t, messages(dir, run(t, plain)))

	in := func(patterns ...string) []string {
		r, err := Generate(t.Context(), Config{Load: load.Config{Dir: dir, Patterns: patterns, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}, Emit: echo})
		require.NoError(t, err)
		require.Empty(t, r.Files)
		return messages(dir, r)
	}
	require.Equal(t, []string{"dep.test/lib: spangen does not write into a vendor directory; run it in the module of the package itself, and use the new version"}, in("dep.test/lib"))
}

// TestModuleCache names a package of the module cache (G9).
func TestModuleCache(t *testing.T) {
	r, err := Generate(t.Context(), Config{Load: load.Config{
		Dir: ".", Patterns: []string{"github.com/dave/jennifer/jen"}, Types: []string{"Options"}, Env: os.Environ(),
	}, Emit: echo})
	require.NoError(t, err)
	require.Equal(t, []string{"github.com/dave/jennifer/jen: spangen does not write into the module cache; run it in the module of the package itself, and use the new version"}, messages("", r))
}

// TestLengthsOfCgo has arrays whose length is a constant of C (G4).
func TestLengthsOfCgo(t *testing.T) {
	dir := spanModule(t, map[string]string{"m.go": `package m

// #define SIZE 4
import "C"

const Size = 2 * C.SIZE

type Row [Size]int32

//span:generate
type A struct {
	Direct [C.SIZE]byte
	Named  [Size]byte
	Row    Row
	Rows   []struct{ In [Size + 1]uint16 }
}
`})
	fix := ", which only cgo knows; write the number, or skip the field with `span:\"-\"`"
	require.Equal(t, []string{
		"m.go:12:2: A.Direct: an array's length depends on C.SIZE" + fix,
		"m.go:13:2: A.Named: an array's length depends on C.SIZE" + fix,
		"m.go:14:2: A.Row: an array's length depends on C.SIZE" + fix,
		"m.go:15:19: A.Rows[].In: an array's length depends on C.SIZE" + fix,
	}, messages(dir, run(t, Config{Load: load.Config{Dir: dir}})))
}
