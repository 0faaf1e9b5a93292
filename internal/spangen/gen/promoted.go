package gen

import (
	"go/types"
	"slices"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// hiddenPairs reports structs below a chosen type that have a WriteSpan and
// ReadSpan of their own and embed a generated type. Its marker makes reflection
// take the pair for a promoted one, which does not count, so the plan has their
// fields; here, where it can be seen, it is reported. So is half a pair, and
// one that takes its cursor in another way.
func (g *generator) hiddenPairs(p *load.Package, t *load.Type, plan *layout.Plan) (bad []load.Diagnostic) {
	for _, s := range plan.Structs {
		named, ok := g.loaded.Feed.Type(s.Type).(*types.Named)
		if !ok || s.Generated || asksFor(named, "fields") {
			continue
		}
		write, read := methodOf(named, "WriteSpan", "Writer"), methodOf(named, "ReadSpan", "Reader")
		why := ""
		switch {
		case write == fitting && read == fitting:
			why = " has its own WriteSpan and ReadSpan but embeds a generated type, whose methods reflection can't distinguish from them;" +
				" state which is meant in the type: _ struct{} `span:\"marshal\"` or `span:\"fields\"`"
		case write >= meant || read >= meant:
			why = " does not have both WriteSpan(*span.Writer) and ReadSpan(*span.Reader) of its own, so neither would be called;" +
				" complete the pair, or choose the fields: _ struct{} `span:\"fields\"`"
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

// asksFor reports whether t has one of the options, with a value or without.
func asksFor(t *types.Named, options ...string) bool {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Name() != "_" {
			continue
		}
		if slices.ContainsFunc(options, layout.SpanTags.Says(s.Tag(i)).Has) {
			return true
		}
	}
	return false
}

// overruled reports a chosen type whose bytes its own marshaler methods make:
// no field is written, and methods that call package span in turn would never
// end.
func (g *generator) overruled(t *load.Type, plan *layout.Plan) {
	methods := map[layout.Op]string{
		layout.OpBinary: "binary", layout.OpText: "text", layout.OpJSON: "JSON", layout.OpGob: "gob",
	}[plan.Root.Op]
	named, ok := t.Object.Type().(*types.Named)
	if methods == "" || !ok || asksFor(named, "marshal") {
		return
	}
	g.report(load.Diagnostic{Pos: t.Pos, Warning: true, Message: t.Object.Name() + ": the directive has no effect: its own " + methods +
		" marshaler methods make the bytes, and no field is written; state which is meant in the type: _ struct{} `span:\"fields\"` or `span:\"marshal\"`"})
}

// hidden reports a chosen struct whose fields are all unexported: none is
// written.
func (g *generator) hidden(t *load.Type, plan *layout.Plan) {
	s, ok := t.Object.Type().Underlying().(*types.Struct)
	if !ok || plan.Root.Op != layout.OpStruct {
		return
	}
	some := false
	for f := range s.Fields() {
		if f.Exported() || f.Embedded() {
			return
		}
		some = some || f.Name() != "_"
	}
	if some {
		g.report(load.Diagnostic{Pos: t.Pos, Warning: true, Message: t.Object.Name() +
			": all its fields are unexported, so nothing is written; capitalize the names of those to be written"})
	}
}
