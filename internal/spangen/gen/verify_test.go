package gen

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
	"github.com/spanwire/spanwire/internal/test"
)

// spanModule makes a module that requires this checkout.
func spanModule(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	dir := t.TempDir()
	files["go.mod"] = "module example.test/m\n\ngo 1.26.0\n\nrequire github.com/spanwire/spanwire v0.0.0\n\n" +
		"replace github.com/spanwire/spanwire => " + root + "\n"
	files["go.sum"] = string(sums)
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

// run generates for a module with the emitter that the tool has.
func run(t *testing.T, cfg Config) *Result {
	t.Helper()
	cfg.Load.Patterns = []string{"./..."}
	cfg.Load.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=")
	if cfg.Emit == nil {
		cfg.Emit = emit.File
	}
	cfg.Guard = emit.Guard
	r, err := Generate(context.Background(), cfg)
	require.NoError(t, err)
	return r
}

// messages formats the diagnostics.
func messages(dir string, r *Result) []string {
	var all []string
	for _, d := range r.Diagnostics {
		all = append(all, d.Format(dir))
	}
	return all
}

// TestOutputIsTypeChecked has an emitter whose output does not compile (G30).
func TestOutputIsTypeChecked(t *testing.T) {
	test.Long(t) // a run of the go command for each row
	dir := spanModule(t, map[string]string{
		"a.go":      "package m\n\n//span:generate\ntype A struct{ N []uint8 }\n\n//span:generate\ntype Fine struct{ N uint8 }\n",
		"a_test.go": "package m\n\n//span:generate\ntype InTest struct{ A A }\n",
	})
	spoil := func(old, new string) func(*model.Package, *model.File) ([]byte, error) {
		return func(p *model.Package, f *model.File) ([]byte, error) {
			text, err := emit.File(p, f)
			if f.Stem == "a" {
				spoilt := bytes.Replace(text, []byte(old), []byte(new), 1)
				require.NotEqual(t, string(text), string(spoilt))
				return spoilt, err
			}
			return text, err
		}
	}
	for name, row := range map[string]struct{ old, new, want string }{
		"unused variable": {"i =  spanrt.PutBytes", "unused := 1\ni =  spanrt.PutBytes",
			`a.go:4:6: A.N: the code for it does not compile, which is a bug in spangen; please report it with the declaration of the type: declared and not used: unused in "unused := 1"`},
		"unknown function": {"spanrt.PutBytes", "spanrt.PutNothing",
			`a.go:4:6: A.N: the code for it does not compile, which is a bug in spangen; please report it with the declaration of the type: undefined: spanrt.PutNothing in "i = spanrt.PutNothing (b, i, v.N)"`},
		"unused import": {"import ", "import \"os\"\nimport ",
			`a.go: m: the code for it does not compile, which is a bug in spangen; please report it with the declaration of the type: "os" imported and not used in "import \"os\""`},
		"no Go": {"func (v *A) SizeSpan", "func v *A) SizeSpan",
			`a.go: the code does not parse: expected '(', found '*' in "func v *A) SizeSpan () int {"; please report it with this file`},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, Config{Load: load.Config{Dir: dir}, Emit: spoil(row.old, row.new)})
			require.Equal(t, []string{row.want}, messages(dir, r))
			require.Empty(t, r.Files)
		})
	}
	require.Empty(t, messages(dir, run(t, Config{Load: load.Config{Dir: dir}})))
}

// TestFaultsOfTheUsersCode has faults that are not spangen's to tell: output is
// written although the package does not compile.
func TestFaultsOfTheUsersCode(t *testing.T) {
	dir := spanModule(t, map[string]string{
		"a.go": `package m

import (
	"example.test/m/low"
	"example.test/nowhere"
)

//span:generate
type A struct {
	N    uint8
	Next low.B
	Skip nowhere.T ` + "`span:\"-\"`" + `
}

func (a *A) broken() int { return "text" }

var _ = undefined
`,
		"low/b.go": "package low\n\nimport \"time\"\n\ntype At time.Time\n\n//span:generate\ntype B struct{ At At; Any interface{ M(*B) } `span:\"-\"` }\n",
	})
	r := run(t, Config{Load: load.Config{Dir: dir}})
	require.Empty(t, messages(dir, r))
	require.Len(t, r.Files, 2)
}

// TestForeignStructsWithoutName has structs of another package that no text of
// this package can mention, in every place (G2).
func TestForeignStructsWithoutName(t *testing.T) {
	const tag = " `span:\"fields\"`"
	var fields strings.Builder
	for i, shape := range []string{
		"$", "*$", "**$", "[]$", "[]*$", "[2]$", "[2]*$", "map[string]$", "map[string]*$", "map[string][]$", "[]map[int32]*$", "*[]$",
		"*map[string]$", "[][]$", "lib.Box[$]", "*lib.Box[$]", "[]lib.Box[*$]", "map[string]lib.Box[[]$]", "Own[$]", "[]Own[*$]",
		"struct{ In *$" + tag + " }", "*struct{ In []*$" + tag + " }",
	} {
		for j, name := range []string{"lib.Anon", "lib.Deep", "lib.List", "lib.Pointer", "lib.ByName"} {
			for k, tag := range []string{tag, " `span:\"fields,nilable\"`"} {
				if k == 0 || strings.HasPrefix(shape, "[]") || strings.HasPrefix(shape, "map") {
					fmt.Fprintf(&fields, "\tF%d_%d_%d %s%s\n", i, j, k, strings.ReplaceAll(shape, "$", name), tag)
				}
			}
		}
	}
	dir := spanModule(t, map[string]string{
		"lib/lib.go": `package lib

type (
	Anon    = struct{ A int32; b int32 }
	Deep    = struct{ A []struct{ B string; c, _ struct{} }; d bool }
	List    = []struct{ A int32; b int32 }
	Pointer = *struct{ A int32; b int32 }
	ByName  = map[string]struct{ A int32; b int32 }
)

type Box[T any] struct{ In T ` + tag + `}
`,
		"a.go": "package m\n\nimport \"example.test/m/lib\"\n\ntype Own[T any] struct{ In T" + tag + " }\n\n//span:generate\ntype A struct {\n" + fields.String() + "}\n",
	})
	r := run(t, Config{Load: load.Config{Dir: dir}})
	require.Empty(t, messages(dir, r))
	require.Len(t, r.Files, 1)
}
