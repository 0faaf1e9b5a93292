package emit_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHandshake: where generated code and package spanrt are of different versions
// the compiler's message says which is too old, and what to run.
func TestHandshake(t *testing.T) {
	for name, test := range map[string]struct {
		oldest, newest int64
		want           string
	}{
		"both of version 1":    {1, 1, ""},
		"spanrt knows more":    {1, 3, ""},
		"generated code older": {2, 3, "GeneratedCodeIsOldRunGoGenerate"},
		"package span older":   {0, 0, "PackageSpanIsOldRunGoGetSpanwire"},
	} {
		spanrt := types.NewPackage("github.com/spanwire/spanwire/span/spanrt", "spanrt")
		for name, v := range map[string]int64{"GeneratedCodeIsOldRunGoGenerate": test.oldest, "PackageSpanIsOldRunGoGetSpanwire": test.newest} {
			spanrt.Scope().Insert(types.NewConst(token.NoPos, spanrt, name, types.Typ[types.UntypedInt], constant.MakeInt64(v)))
		}
		spanrt.MarkComplete()

		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "../../../examples/quickstart/tour/model_span.go", nil, 0)
		require.NoError(t, err)
		var handshake []ast.Decl
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if ok && g.Tok == token.CONST {
				handshake = append(handshake, g)
			}
		}
		require.Len(t, handshake, 1)
		file.Decls, file.Imports = handshake, nil
		file.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{
			&ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", spanrt.Path())}},
		}}}, file.Decls...)
		conf := types.Config{Importer: importing{spanrt}}
		_, err = conf.Check("tour", fset, []*ast.File{file}, nil)
		if test.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, test.want, name)
		}
	}
}

type importing struct{ pkg *types.Package }

func (i importing) Import(string) (*types.Package, error) { return i.pkg, nil }
