package gen

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/cmd/spangen/internal/load"
	"github.com/spanwire/spanwire/internal/layout"
)

// hiddenPairs reports structs below a chosen type that have a WriteSpan and
// ReadSpan of their own and embed a generated type. Its marker makes reflection
// take the pair for a promoted one, which does not count, so the plan has their
// fields; here, where it can be seen, it is told.
func (g *generator) hiddenPairs(p *load.Package, t *load.Type, plan *layout.Plan) (bad []load.Diagnostic) {
	for _, s := range plan.Structs {
		named, ok := g.loaded.Feed.Type(s.Type).(*types.Named)
		if !ok || s.Generated || !declares(named, "WriteSpan") || !declares(named, "ReadSpan") || asksForFields(named) {
			continue
		}
		pos := t.Pos
		if p.Named(named.Obj().Pos()) {
			pos = p.Position(named.Obj().Pos())
		}
		bad = append(bad, load.Diagnostic{Pos: pos, Message: t.Object.Name() + ": " + s.Name +
			" has its own WriteSpan and ReadSpan but embeds a generated type, whose methods reflection can't tell from them;" +
			" say what is meant in the type: _ struct{} `span:\"marshal\"` or `span:\"fields\"`"})
	}
	return bad
}

// declares reports a method of the type's own, as opposed to a promoted one.
func declares(t *types.Named, name string) bool {
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok && len(index) == 1
}

// asksForFields reports the type option fields.
func asksForFields(t *types.Named) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		options := strings.Split(reflect.StructTag(s.Tag(i)).Get("span"), ",")
		if s.Field(i).Name() == "_" && slices.Contains(options, "fields") {
			return true
		}
	}
	return false
}
