package gen

import (
	"path"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// note reports types whose JSON methods were chosen since they hide something,
// each once: another release of their package may change that.
func (g *generator) note(p *load.Package, t *load.Type, plan *layout.Plan) {
	for _, s := range plan.Structs {
		for i := range s.Fields {
			g.noteField(p, t, s, &s.Fields[i])
		}
	}
	g.noteNode(t, plan.Root, t.Object.Name())
}

func (g *generator) noteField(p *load.Package, t *load.Type, s *layout.Struct, f *layout.Field) {
	pos := t.Pos
	if v := g.loaded.Feed.Field(s.Type, f.Index); v != nil && p.Named(v.Pos()) {
		pos = p.Position(v.Pos())
	}
	at := *t
	at.Pos = pos
	g.noteNode(&at, f.Node, path.Base(s.Name)+"."+f.Name)
}

// noteNode looks at a value and its elements, up to structs.
func (g *generator) noteNode(t *load.Type, n *layout.Node, where string) {
	seen := map[*layout.Node]bool{}
	for n != nil && !seen[n] && n.Op != layout.OpStruct {
		seen[n] = true
		if n.Key != nil {
			g.noteNode(t, n.Key, where)
		}
		if n.Op == layout.OpJSON && n.Chosen && !g.noted[n.Name] {
			g.noted[n.Name] = true
			g.report(load.Diagnostic{Pos: t.Pos, Note: true, Message: where + ": " + n.Name +
				" has unexported fields, so its MarshalJSON and UnmarshalJSON carry it;" +
				" state which is meant with `span:\"marshal=json\"` or `span:\"fields\"`"})
		}
		n = n.Elem
	}
}
