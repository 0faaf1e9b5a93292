package load

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A choice is a type that code is generated for.
type choice struct {
	spec   *ast.TypeSpec
	file   *source
	output string // where the code is to be, "" for the usual place
}

func (c *choice) name() string { return c.spec.Name.Name }

// choose finds the chosen types of all units, by syntax alone: most packages
// of a large pattern have none and need no more work.
func (l *loader) choose() {
	l.targets = map[string]bool{}
	found := map[string]bool{}
	for _, u := range l.units {
		if len(l.cfg.Types) > 0 {
			l.chooseNamed(u, found)
		} else {
			l.chooseMarked(u)
		}
		l.adopt(u)
		if len(u.chosen) == 0 {
			continue
		}
		if where := foreignPlace(u.pkg); where != "" {
			l.diagnostics = append(l.diagnostics, Diagnostic{
				Message: u.pkg.PkgPath + ": spangen does not write into " + where + "; run it in the module of the package itself, and use the new version",
			})
			u.chosen = nil
			continue
		}
		l.targets[u.pkg.PkgPath] = true
		for _, c := range u.chosen {
			l.checkNames(u, c)
		}
	}
	for _, name := range l.cfg.Types {
		if !found[name] {
			l.diagnostics = append(l.diagnostics, Diagnostic{
				Message: "-type: no type " + name + " in " + strings.Join(l.cfg.Patterns, " "),
			})
		}
	}
}

// chooseAround finds the directives of packages of the user's own modules that
// are not named but imported by those with chosen types: their types count as
// generated although that run may be yet to come, so that the order of runs
// does not matter. Problems there are reported when they are named.
func (l *loader) chooseAround() {
	told := l.diagnostics
	named := map[string]bool{}
	for _, u := range l.units {
		named[u.pkg.PkgPath] = true
	}
	seen := map[string]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		for _, imp := range p.Imports {
			if imp.Module == nil || !imp.Module.Main || seen[imp.PkgPath] {
				continue
			}
			seen[imp.PkgPath] = true
			visit(imp)
			if named[imp.PkgPath] {
				continue
			}
			u := &unit{pkg: imp}
			for _, path := range imp.GoFiles {
				u.files = append(u.files, l.read(path))
			}
			l.chooseMarked(u)
			l.around = append(l.around, u)
		}
	}
	for _, u := range l.units {
		if len(u.chosen) > 0 {
			visit(u.pkg)
		}
	}
	l.diagnostics = told
}

// chooseNamed chooses the types that the flag -type names.
func (l *loader) chooseNamed(u *unit, found map[string]bool) {
	for _, s := range u.files {
		if s.own {
			continue
		}
		for _, spec := range typeSpecs(l.parse(s)) {
			if !slices.Contains(l.cfg.Types, spec.Name.Name) {
				continue
			}
			found[spec.Name.Name] = true
			l.add(u, s, spec)
		}
	}
}

// chooseMarked chooses the types that directives mark.
func (l *loader) chooseMarked(u *unit) {
	var all token.Pos
	for _, s := range u.files {
		if s.own || !mayMark(s.text) {
			continue
		}
		f := l.parse(s)
		if f == nil {
			l.tellBroken(s)
			continue
		}
		marks := l.marks(f)
		for _, m := range marks {
			if m.all {
				all = m.pos
			}
			for _, spec := range m.specs {
				l.add(u, s, spec)
			}
		}
		if len(marks) > 0 {
			l.tellBroken(s)
		}
	}
	if all.IsValid() {
		l.chooseAll(u)
	}
}

// chooseAll chooses every type that can be chosen, for a directive above the
// package clause.
func (l *loader) chooseAll(u *unit) {
	methods := l.methods(u)
	for _, s := range u.files {
		if s.own {
			continue
		}
		for _, spec := range typeSpecs(l.parse(s)) {
			if spec.Assign.IsValid() || spec.Name.Name == "_" || unfit(spec) != "" {
				continue
			}
			own := methods[spec.Name.Name]
			if own["WriteSpan"] != nil && own["ReadSpan"] != nil {
				continue // it writes itself
			}
			l.add(u, s, spec)
		}
	}
}

// add chooses a type once, and reports those that can't be chosen.
func (l *loader) add(u *unit, s *source, spec *ast.TypeSpec) {
	name := spec.Name.Name
	switch {
	case spec.Assign.IsValid():
		l.warnf(spec.Name.Pos(), "%s is an alias and has no methods of its own; choose the type it denotes", name)
	case name == "_":
		l.errorf(spec.Name.Pos(), "the blank type can't have methods; give it a name")
	case unfit(spec) != "":
		l.errorf(spec.Name.Pos(), "%s: %s", name, unfit(spec))
	case !slices.ContainsFunc(u.chosen, func(c *choice) bool { return c.spec == spec }):
		u.chosen = append(u.chosen, &choice{spec: spec, file: s})
	}
}

// unfit says why a type can't have generated methods, as far as its syntax
// shows; the type checker finds the rest.
func unfit(spec *ast.TypeSpec) string {
	t := spec.Type
	for p, ok := t.(*ast.ParenExpr); ok; p, ok = t.(*ast.ParenExpr) {
		t = p.X
	}
	switch t.(type) {
	case *ast.InterfaceType:
		return "an interface type has no wire form, since its values may be of any type; choose the concrete types"
	case *ast.StarExpr:
		return "a pointer type can't have methods; choose the type that it points to"
	case *ast.FuncType:
		return "a function type has no wire form; choose another type"
	case *ast.ChanType:
		return "a channel type has no wire form; choose another type"
	}
	return ""
}

// typeSpecs returns the type declarations of a file at package level.
func typeSpecs(f *ast.File) []*ast.TypeSpec {
	if f == nil {
		return nil
	}
	var all []*ast.TypeSpec
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, s := range d.Specs {
				all = append(all, s.(*ast.TypeSpec))
			}
		}
	}
	return all
}

// methodNames are the names of the generated methods.
var methodNames = []string{"SizeSpan", "AppendSpan", "WriteSpan", "ReadSpan", "SpanGenerated"}

// checkNames reports fields and hand-written methods that bear the name of a
// generated method: Go would complain inside the generated file.
func (l *loader) checkNames(u *unit, c *choice) {
	if st, ok := c.spec.Type.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			for _, id := range fieldNames(f) {
				if slices.Contains(methodNames, id.Name) {
					l.errorf(id.Pos(), "%s.%s: field and method with the same name %s; rename the field", c.name(), id.Name, id.Name)
				}
			}
		}
	}
	own := l.methods(u)[c.name()]
	for _, name := range methodNames {
		if m := own[name]; m != nil {
			l.errorf(m.Name.Pos(), "%s.%s: the method is written by hand and would be generated again; remove it, or the directive of %s",
				c.name(), name, c.name())
		}
	}
}

// fieldNames returns the names of a field, for an embedded one that of its
// type.
func fieldNames(f *ast.Field) []*ast.Ident {
	if len(f.Names) > 0 {
		return f.Names
	}
	if id := baseIdent(f.Type); id != nil {
		return []*ast.Ident{id}
	}
	return nil
}

// baseIdent returns the name of a type expression: T for *p.T[int].
func baseIdent(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.StarExpr:
		return baseIdent(x.X)
	case *ast.ParenExpr:
		return baseIdent(x.X)
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return baseIdent(x.X)
	case *ast.IndexListExpr:
		return baseIdent(x.X)
	}
	return nil
}

// methodSet has the hand-written methods of a package by type and name.
type methodSet map[string]map[string]*ast.FuncDecl

// methods returns the hand-written methods of a unit's package, found once.
func (l *loader) methods(u *unit) methodSet {
	if u.methods != nil {
		return u.methods
	}
	u.methods = methodSet{}
	aliases := map[string]string{}
	var decls []*ast.FuncDecl
	for _, path := range u.pkg.GoFiles {
		s := l.read(path)
		f := l.parse(s)
		if s.own || f == nil {
			continue
		}
		for _, spec := range typeSpecs(f) {
			if id, ok := spec.Type.(*ast.Ident); ok && spec.Assign.IsValid() {
				aliases[spec.Name.Name] = id.Name
			}
		}
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List) == 1 {
				decls = append(decls, d)
			}
		}
	}
	for _, d := range decls {
		id := baseIdent(d.Recv.List[0].Type)
		if id == nil {
			continue
		}
		name := id.Name
		for range len(aliases) {
			if to, ok := aliases[name]; ok {
				name = to
			}
		}
		if u.methods[name] == nil {
			u.methods[name] = map[string]*ast.FuncDecl{}
		}
		u.methods[name][d.Name.Name] = d
	}
	return u.methods
}
