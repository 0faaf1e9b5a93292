package layout_test

import (
	"go/types"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/corpus"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/layout/fromtypes"
)

// TestCorpusForms: the corpus has a type of every form and encoding.
func TestCorpusForms(t *testing.T) {
	ops, encs, times := map[layout.Op]bool{}, map[layout.Enc]bool{}, map[layout.TimeEnc]bool{}
	seen := map[*layout.Node]bool{}
	var visit func(n *layout.Node)
	visit = func(n *layout.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		require.Empty(t, n.Unknown(), n.Name)
		ops[n.Op], encs[n.Enc], times[n.Time] = true, true, true
		for i := 0; n.Struct != nil && i < len(n.Struct.Fields); i++ {
			visit(n.Struct.Fields[i].Node)
		}
		visit(n.Key)
		visit(n.Elem)
	}
	list := reflect.TypeFor[corpus.Valid]()
	for i := range list.NumField() {
		plan, _ := fromreflect.Compile(list.Field(i).Type)
		visit(plan.Root)
	}
	for _, name := range exported(t).Scope().Names() { // generic declarations have the forms of generators
		obj := exported(t).Scope().Lookup(name)
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok && named.TypeParams().Len() > 0 {
			if plan, _ := layout.Compile(fromtypes.New(), named); plan != nil {
				visit(plan.Root)
			}
		}
	}
	for op := layout.OpInvalid + 1; op.Known(); op++ {
		require.True(t, ops[op], "%v", op)
	}
	for enc := layout.EncNone + 1; enc.Known(); enc++ {
		require.True(t, encs[enc], "%v", enc)
	}
	for form := layout.TimeNone + 1; form.Known(); form++ {
		require.True(t, times[form], "%v", form)
	}
}
