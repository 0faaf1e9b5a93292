package gen

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// hiddenPairs reports structs below a chosen type that have a WriteSpan and
// ReadSpan of their own and embed a generated type. Its marker makes reflection
// take the pair for a promoted one, which does not count, so the plan has their
// fields; here, where it can be seen, it is told. So is half a pair, and one that
// takes its cursor in another way.
func (g *generator) hiddenPairs(p *load.Package, t *load.Type, plan *layout.Plan) (bad []load.Diagnostic) {
	for _, s := range plan.Structs {
		named, ok := g.loaded.Feed.Type(s.Type).(*types.Named)
		if !ok || s.Generated || asksForFields(named) {
			continue
		}
		write, read := methodOf(named, "WriteSpan", "Writer"), methodOf(named, "ReadSpan", "Reader")
		why := ""
		switch {
		case write == fitting && read == fitting:
			why = " has its own WriteSpan and ReadSpan but embeds a generated type, whose methods reflection can't tell from them;" +
				" say what is meant in the type: _ struct{} `span:\"marshal\"` or `span:\"fields\"`"
		case write >= meant || read >= meant:
			why = " has not both methods WriteSpan(*span.Writer) and ReadSpan(*span.Reader) of its own, so that none would be called;" +
				" complete the pair, or say that the fields are meant: _ struct{} `span:\"fields\"`"
		default:
			continue
		}
		pos := t.Pos
		if p.Named(named.Obj().Pos()) {
			pos = p.Position(named.Obj().Pos())
		}
		bad = append(bad, load.Diagnostic{Pos: pos, Message: t.Object.Name() + ": " + s.Name + why})
	}
	return bad
}

// What a type's own method by one of the names WriteSpan and ReadSpan is.
const (
	foreign = iota // there is none, or it has to do with something else
	meant          // it takes a cursor, but its signature is another
	fitting
)

// methodOf looks at a method of the type's own, as opposed to a promoted one.
func methodOf(t *types.Named, name, cursor string) int {
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	if !ok || len(index) != 1 {
		return foreign
	}
	kind := foreign
	params := f.Signature().Params()
	for v := range params.Variables() {
		ptr, isPtr := types.Unalias(v.Type()).(*types.Pointer)
		typ := v.Type()
		if isPtr {
			typ = ptr.Elem()
		}
		named, ok := types.Unalias(typ).(*types.Named)
		if !ok || named.Obj().Name() != cursor || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != spanPath {
			continue
		}
		kind = meant
		if isPtr && params.Len() == 1 && f.Signature().Results().Len() == 0 {
			kind = fitting
		}
	}
	return kind
}

// spanPath is the import path of package span.
const spanPath = "github.com/spanwire/spanwire/span"

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
