package value

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Files call one way: none uses what is declared in a file that uses it in turn, over however many others.
func TestFilesCallOneWay(t *testing.T) {
	uses := usesOfFiles(t)
	done := map[string]bool{}
	var visit func(file string, way []string)
	visit = func(file string, way []string) {
		if i := slices.Index(way, file); i >= 0 {
			require.Fail(t, "a circle of files", "%s", strings.Join(append(way[i:], file), " uses "))
		}
		if done[file] {
			return
		}
		for _, other := range slices.Sorted(maps.Keys(uses[file])) {
			visit(other, append(way[:len(way):len(way)], file))
		}
		done[file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		visit(file, nil)
	}
	require.Greater(t, len(done), 20)
}

// usesOfFiles returns, for each file of the package, the files that declare the types, functions, methods and variables it uses.
func usesOfFiles(t *testing.T) map[string]map[string]bool {
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: nothing{}, Error: func(error) {}}
	pkg, _ := conf.Check("value", set, files, info)
	uses := map[string]map[string]bool{}
	for id, o := range info.Uses {
		if o.Pkg() != pkg || !o.Pos().IsValid() {
			continue
		}
		from, to := set.Position(id.Pos()).Filename, set.Position(o.Pos()).Filename
		if field, ok := o.(*types.Var); from == to || ok && field.IsField() {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string]bool{}
		}
		uses[from][to] = true
	}
	return uses
}

// nothing imports nothing: it does not matter here what other packages have.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.ErrUnsupported }
