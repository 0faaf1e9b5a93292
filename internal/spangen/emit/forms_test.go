package emit_test

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// forms are the forms and encodings of the types that code was made for.
type forms map[any]bool

// file is emit.File that notes the forms.
func (s forms) file(p *model.Package, out *model.File) ([]byte, error) {
	seen := map[*layout.Node]bool{nil: true}
	var visit func(n *layout.Node)
	visit = func(n *layout.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		s[n.Op], s[n.Enc], s[n.Time] = true, true, true
		for i := 0; n.Struct != nil && i < len(n.Struct.Fields); i++ {
			visit(n.Struct.Fields[i].Node)
		}
		visit(n.Key)
		visit(n.Elem)
	}
	for _, t := range out.Types {
		visit(t.Plan.Root)
	}
	return emit.File(p, out)
}

// all fails the test for those that the types did not have.
func (s forms) all(t *testing.T) {
	t.Helper()
	for op := layout.OpInvalid + 1; op.Known(); op++ {
		require.True(t, s[op], "%v", op)
	}
	for enc := layout.EncNone + 1; enc.Known(); enc++ {
		require.True(t, s[enc], "%v", enc)
	}
	for form := layout.TimeNone + 1; form.Known(); form++ {
		require.True(t, s[form], "%v", form)
	}
}

// TestNoCode: a form or encoding that the emitter does not know makes no file.
func TestNoCode(t *testing.T) {
	for want, change := range map[string]func(*layout.Node){
		"the form invalid":                      func(n *layout.Node) { n.Op = layout.OpInvalid },
		"the form op(200)":                      func(n *layout.Node) { n.Op, n.Enc = 200, layout.EncNone },
		"the encoding none of the form int":     func(n *layout.Node) { n.Enc = layout.EncNone },
		"the encoding enc(200) of the form int": func(n *layout.Node) { n.Enc = 200 },
		"the encoding none of the form time":    func(n *layout.Node) { n.Op = layout.OpTime },
	} {
		pkg := types.NewPackage("example.test/p", "p")
		field := types.NewField(token.NoPos, pkg, "A", types.Typ[types.Int32], false)
		named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), types.NewStruct([]*types.Var{field}, nil), nil)
		feed := fromtypes.New()
		plan, problems := layout.Compile(feed, feed.Ref(named))
		require.Empty(t, problems)
		out := &model.File{Source: "p.go", Output: "p_span.go", Stem: "p", Types: []*model.Type{{Name: "T", Object: named.Obj(), Ref: named, Plan: plan}}}
		p := &model.Package{Path: pkg.Path(), Name: pkg.Name(), Types: pkg, Files: []*model.File{out}, Describe: feed, IsOthers: func(string) bool { return false }}
		_, err := emit.File(p, out)
		require.NoError(t, err)
		change(plan.Root.Struct.Fields[0].Node)
		_, err = emit.File(p, out)
		require.ErrorContains(t, err, "there is no code for "+want)
	}
}
