package gen

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
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
		g.overruled(t, plan)
		g.hidden(t, plan)
		bad = append(bad, g.hiddenPairs(p, t, plan)...)
		g.tellCaseless(p, plan)
		g.note(p, t, plan)
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

// addProblem turns a layout problem into a diagnostic.
func (g *generator) addProblem(bad []load.Diagnostic, p *load.Package, t *load.Type, problem layout.Problem) []load.Diagnostic {
	pos := g.place(p, t.Object, problem)
	if problem.Code == layout.CodeUnresolved {
		more, told := g.explain(p, &problem, pos)
		bad = append(bad, more...)
		at := p.Position(pos)
		if told || slices.ContainsFunc(bad, func(d load.Diagnostic) bool {
			return d.Pos.Filename == at.Filename && d.Pos.Line == at.Line
		}) {
			return bad
		}
	}
	// A fault of a type that several chosen ones use is reported once, by the
	// shortest way to it.
	g.addFault(fault{pos: p.Position(pos), reason: problem.Reason}, problem)
	return bad
}

// addFault keeps a problem, with the shortest way that leads to it.
func (g *generator) addFault(key fault, problem layout.Problem) {
	if old, ok := g.faults[key]; !ok || len(problem.Path) < len(old.Path) {
		g.faults[key] = problem
	}
}

// tellFaults reports the problems that have been found, each once.
func (g *generator) tellFaults() {
	for f, problem := range g.faults {
		g.report(load.Diagnostic{Pos: f.pos, Message: problem.Error(), Warning: f.warning})
	}
}

// A fault is a layout problem without the way that leads to it.
type fault struct {
	pos     token.Position
	reason  string
	warning bool
}

// explain finds the cause of a type that could not be resolved: in the type
// checker's words where it has any, which then are the whole report.
func (g *generator) explain(p *load.Package, problem *layout.Problem, pos token.Pos) (more []load.Diagnostic, told bool) {
	if c := p.CType(pos); c != "" {
		problem.Reason = "the C type " + c + " has no wire form"
		problem.Fix = "use a Go type, or skip the field with `span:\"-\"`"
		return nil, false
	}
	if name := p.CName(pos); name != "" {
		problem.Reason = "an array's length depends on " + name + ", which only cgo knows"
		problem.Fix = "write the number, or skip the field with `span:\"-\"`"
		return nil, false
	}
	if e := p.ImportError(pos); e != "" {
		problem.Reason, problem.Fix = e, ""
		return nil, false
	}
	if named, ok := g.loaded.Feed.Type(problem.Owner).(*types.Named); ok {
		more = p.TypeErrors(named.Obj())
	}
	if v := g.loaded.Feed.Field(problem.Owner, problem.Field); v != nil {
		inside := namedErrors(p, v.Type())
		more, told = append(more, inside...), len(inside) > 0
	}
	return more, told
}

// namedErrors returns the errors of the named types that a type is made of.
func namedErrors(p *load.Package, t types.Type) []load.Diagnostic {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return p.TypeErrors(t.Obj())
	case *types.Map:
		return append(namedErrors(p, t.Key()), namedErrors(p, t.Elem())...)
	case interface{ Elem() types.Type }:
		return namedErrors(p, t.Elem())
	}
	return nil
}

// place finds the field to point at: the one at fault if it is in a package
// that was named, else the field of the chosen type that leads to it, since other
// packages may be other people's.
func (g *generator) place(p *load.Package, t types.Object, problem layout.Problem) token.Pos {
	if v := g.loaded.Feed.Field(problem.Owner, problem.Field); v != nil && p.Named(v.Pos()) {
		return v.Pos()
	}
	if named, ok := g.loaded.Feed.Type(problem.Owner).(*types.Named); ok && problem.Field < 0 && p.Named(named.Obj().Pos()) {
		return named.Obj().Pos()
	}
	if v := firstField(t.Type(), problem.Path); v != nil {
		return v.Pos()
	}
	return t.Pos()
}

// firstField returns the field that a path such as "Pair[K].Rest[].Name" goes
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
