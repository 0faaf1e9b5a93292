package gen

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/cmd/spangen/internal/load"
	"github.com/spanwire/spanwire/cmd/spangen/internal/model"
	"github.com/spanwire/spanwire/internal/layout"
)

// planType compiles the layout of one type and reports its problems.
func (g *generator) planType(p *load.Package, t *load.Type) *model.Type {
	out := &model.Type{
		Name: t.Object.Name(), Object: t.Object, Pos: t.Pos, Ref: g.loaded.Feed.Ref(t.Object.Type()),
	}
	if named, ok := t.Object.Type().(*types.Named); ok {
		for param := range named.TypeParams().TypeParams() {
			out.Params = append(out.Params, param.Obj().Name())
		}
		switch named.Underlying().(type) {
		case *types.Interface, *types.Pointer:
			g.report(load.Diagnostic{Pos: t.Pos, Message: out.Name + ": a type whose underlying type is a pointer or an interface can't have methods; choose another type"})
			return out
		}
	}
	bad := p.TypeErrors(t.Object)
	plan, problems := g.compiler.Compile(out.Ref)
	out.Plan = plan
	if plan != nil {
		for _, s := range plan.Structs {
			if named, ok := g.loaded.Feed.Type(s.Type).(*types.Named); ok && named.Obj() != t.Object {
				bad = append(bad, p.TypeErrors(named.Obj())...)
			}
		}
	}
	for _, problem := range problems {
		bad = g.addProblem(bad, p, t, problem)
	}
	for _, d := range bad {
		g.report(d)
	}
	return out
}

// addProblem turns a layout problem into a diagnostic. An unresolved type is
// told in the type checker's words.
func (g *generator) addProblem(bad []load.Diagnostic, p *load.Package, t *load.Type, problem layout.Problem) []load.Diagnostic {
	pos := g.place(p, t, problem)
	if problem.Code == layout.CodeUnresolved {
		if c := p.CType(pos); c != "" {
			problem.Reason = "the C type " + c + " has no wire form"
			problem.Fix = "use a Go type, or skip the field with `span:\"-\"`"
		} else {
			if named, ok := g.loaded.Feed.Type(problem.Owner).(*types.Named); ok && named.Obj() != t.Object {
				bad = append(bad, p.TypeErrors(named.Obj())...)
			}
			line := p.Position(pos)
			if slices.ContainsFunc(bad, func(d load.Diagnostic) bool {
				return d.Pos.Filename == line.Filename && d.Pos.Line == line.Line
			}) {
				return bad
			}
		}
	}
	return append(bad, load.Diagnostic{Pos: p.Position(pos), Message: problem.Error()})
}

// place finds the field to point at: the one at fault if it is in a package
// that was read from source, else the field of the chosen type that leads to it,
// since the user can't change other people's code.
func (g *generator) place(p *load.Package, t *load.Type, problem layout.Problem) token.Pos {
	if v := g.loaded.Feed.Field(problem.Owner, problem.Field); v != nil && p.FromSource(v.Pos()) {
		return v.Pos()
	}
	if named, ok := g.loaded.Feed.Type(problem.Owner).(*types.Named); ok && problem.Field < 0 && p.FromSource(named.Obj().Pos()) {
		return named.Obj().Pos()
	}
	if v := firstField(t.Object.Type(), problem.Path); v != nil {
		return v.Pos()
	}
	return t.Object.Pos()
}

// firstField gives the field that a path such as "Pair[K].Rest[].Name" goes
// through first.
func firstField(t types.Type, path string) *types.Var {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	depth, start := 0, -1
	for i, c := range path {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		}
		if c == '.' && depth == 0 {
			start = i + 1
			break
		}
	}
	if start < 0 {
		return nil
	}
	name := path[start:]
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	for v := range s.Fields() {
		if v.Name() == name {
			return v
		}
	}
	return nil
}
