package emit

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// Guard renders a test for structs that the guards of [File] can't spell out,
// such as those of other packages with unexported fields: it compares the hash
// of the layout with what it was. It returns nil where there are none.
//
//	func TestSpanLayout_orders(t *testing.T) {
//		if span.PlanOf((*Order)(nil)).Hash() != 0x1f0c… {
//			t.Error("a struct used by Order has changed: run go generate")
//		}
//	}
func Guard(p *model.Package, out *model.File) ([]byte, error) {
	f := newFile(p, out)
	var checks []jen.Code
	for _, t := range out.Types {
		if s := rootStruct(t); s != nil && len(t.Params) == 0 && f.hides(t.Plan) {
			checks = append(checks, jen.If(code("span.PlanOf((*%s)(nil)).Hash() != %#x", t.Name, s.Hash())).Block(
				code("t.Error(%q)", "a struct used by "+t.Name+" has changed: run go generate"),
			))
		}
	}
	if checks == nil {
		return nil, nil
	}
	f.importName("testing", "testing")
	name := "TestSpanLayout_" + out.Stem
	f.jen.Comment(name + " fails when a struct of another package has changed since code was")
	f.jen.Comment("generated for it.")
	f.jen.Func().Id(name).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(checks...)
	return f.render()
}

// rootStruct returns the struct of a type, nil where it is none.
func rootStruct(t *model.Type) *layout.Struct {
	n := t.Plan.Root
	if n.Op == layout.OpSized {
		n = n.Elem
	}
	return n.Struct
}

// hides reports whether p is a plan with structs that the guards can't spell
// out, or not all of.
func (f *file) hides(p *layout.Plan) bool {
	for _, s := range p.Structs {
		n, named := s.Type.(*types.Named)
		if named && !s.Generated && (!f.comparable(n) || f.mayGetTags(n)) {
			return true
		}
		for i := range s.Fields {
			if isChosen(s.Fields[i].Node) {
				return true
			}
		}
	}
	return false
}

// mayGetTags reports whether n is a struct of another module, whose tags the
// guards do not compare; the standard library's have none that count.
func (f *file) mayGetTags(n *types.Named) bool {
	first, _, _ := strings.Cut(n.Obj().Pkg().Path(), "/")
	return f.isOfOthers(n) && strings.Contains(first, ".")
}

// isChosen reports whether n is a value by JSON methods that no tag asked for:
// the next release of their type may have fields instead.
func isChosen(n *layout.Node) bool {
	for seen := map[*layout.Node]bool{}; n != nil && !seen[n]; n = n.Elem {
		seen[n] = true
		if n.Chosen || n.Key != nil && isChosen(n.Key) {
			return true
		}
	}
	return false
}
