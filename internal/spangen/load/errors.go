package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// TypeErrors gives what the type checker found wrong in the declaration of a
// type that was read from source, at the fields concerned. Errors elsewhere are
// none of our business.
func (p *Package) TypeErrors(obj *types.TypeName) []Diagnostic {
	l := p.loader
	var all []Diagnostic
	for _, c := range l.checked {
		if obj.Pkg() == nil || c.types != obj.Pkg() || len(c.errors) == 0 {
			continue
		}
		spec := l.typeSpec(obj)
		if spec == nil {
			return nil
		}
		for _, e := range c.errors {
			if e.Pos < spec.Pos() || e.Pos > spec.End() || strings.HasPrefix(e.Msg, "\t") || isClash(e.Msg) {
				continue
			}
			all = append(all, Diagnostic{Pos: l.position(e.Pos), Message: pathAt(spec, e.Pos) + ": " + e.Msg})
		}
	}
	return all
}

// isClash reports an error that checkNames tells with a better text.
func isClash(msg string) bool {
	return strings.HasPrefix(msg, "field and method with the same name")
}

// typeSpec finds the declaration of a type.
func (l *loader) typeSpec(obj *types.TypeName) *ast.TypeSpec {
	s := l.files[l.position(obj.Pos()).Filename]
	if s == nil {
		return nil
	}
	if s.specs == nil {
		s.specs = map[token.Pos]*ast.TypeSpec{}
		for _, spec := range typeSpecs(s.ast) {
			s.specs[spec.Name.Pos()] = spec
		}
	}
	return s.specs[obj.Pos()]
}

// pathAt gives the path of the field whose declaration a position is in.
func pathAt(spec *ast.TypeSpec, pos token.Pos) string {
	path := spec.Name.Name
	ast.Inspect(spec.Type, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos > n.End() {
			return false
		}
		if f, ok := n.(*ast.Field); ok {
			names := fieldNames(f)
			for i, id := range names {
				if i == len(names)-1 || pos <= id.End() {
					path += "." + id.Name
					break
				}
			}
		}
		return true
	})
	return path
}

// Named reports whether a position is in a package that was named for this
// run, and not in one that merely had to be read.
func (p *Package) Named(pos token.Pos) bool {
	s := p.loader.files[p.loader.position(pos).Filename]
	return s != nil && s.named
}

// Position is where something stands, line directives aside.
func (p *Package) Position(pos token.Pos) token.Position { return p.loader.position(pos) }

// CType gives the C type in the declaration of the field at pos, such as
// "C.size_t", and "" if there is none: to the type checker C types are just
// unresolved.
func (p *Package) CType(pos token.Pos) string {
	for _, sel := range p.loader.selectors(pos) {
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == "C" {
			return "C." + sel.Sel.Name
		}
	}
	return ""
}

// ImportError gives what went wrong with the import that the declaration of the
// field at pos uses, "" if nothing did.
func (p *Package) ImportError(pos token.Pos) string {
	l := p.loader
	s := l.files[l.position(pos).Filename]
	for _, sel := range l.selectors(pos) {
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			continue
		}
		for _, spec := range s.ast.Imports {
			name := path.Base(importPath(spec))
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if name != id.Name {
				continue
			}
			for _, c := range l.checked {
				for _, e := range c.errors {
					if spec.Pos() <= e.Pos && e.Pos <= spec.End() {
						return e.Msg
					}
				}
			}
		}
	}
	return ""
}

// selectors gives the qualified names in the type of the field at pos.
func (l *loader) selectors(pos token.Pos) []*ast.SelectorExpr {
	s := l.files[l.position(pos).Filename]
	if s == nil || s.ast == nil {
		return nil
	}
	var all []*ast.SelectorExpr
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos > n.End() {
			return false
		}
		if f, ok := n.(*ast.Field); ok {
			all = nil // of the innermost field
			ast.Inspect(f.Type, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					all = append(all, sel)
				}
				return true
			})
		}
		return true
	})
	return all
}
