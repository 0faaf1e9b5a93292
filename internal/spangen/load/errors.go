package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// TypeErrors returns what the type checker found wrong in the declaration of a
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

// isClash reports whether checkNames reports the error msg with a better
// text.
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

// pathAt returns the path of the field whose declaration a position is in.
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

// Position returns where something is, ignoring line directives.
func (p *Package) Position(pos token.Pos) token.Position { return p.loader.position(pos) }

// CType returns the C type in the declaration of the field at pos, such as
// "C.size_t", and "" if there is none: to the type checker C types are just
// unresolved.
func (p *Package) CType(pos token.Pos) string {
	if f := p.loader.fieldAt(pos); f != nil {
		return cType(f.Type)
	}
	return ""
}

// cType looks for a C type in a type, not in the lengths of its arrays.
func cType(x ast.Expr) (found string) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType:
			if c := cType(n.Elt); c != "" {
				found = c
			}
			return false
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == "C" && found == "" {
				found = "C." + n.Sel.Name
			}
		}
		return true
	})
	return found
}

// CName returns the cgo name that the type of the field at pos depends on
// by way of constants, such as "C.SIZE", and "" if there is none.
func (p *Package) CName(pos token.Pos) string {
	if f := p.loader.fieldAt(pos); f != nil {
		return p.loader.cName(p.unit, f.Type, map[string]bool{})
	}
	return ""
}

// cName looks for a name of cgo's in an expression, and in the constants and
// types of the package that it mentions.
func (l *loader) cName(u *unit, x ast.Node, seen map[string]bool) (found string) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == "C" {
				found = "C." + n.Sel.Name
			}
			return false
		case *ast.Ident:
			if found == "" && !seen[n.Name] {
				seen[n.Name] = true
				for _, spec := range l.declared(u, n.Name) {
					if found == "" {
						found = l.cName(u, spec, seen)
					}
				}
			}
		}
		return found == ""
	})
	return found
}

// declared returns the declarations of a name of the package that are not
// functions.
func (l *loader) declared(u *unit, name string) []ast.Node {
	var all []ast.Node
	for _, s := range l.sources(u.pkg) {
		if s.ast == nil {
			continue
		}
		for _, decl := range s.ast.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						all = append(all, spec.Type)
					}
				case *ast.ValueSpec:
					for i, id := range spec.Names {
						if id.Name == name && i < len(spec.Values) {
							all = append(all, spec.Values[i])
						}
					}
				}
			}
		}
	}
	return all
}

// fieldAt finds the innermost field around a position.
func (l *loader) fieldAt(pos token.Pos) (found *ast.Field) {
	s := l.files[l.position(pos).Filename]
	if s == nil || s.ast == nil {
		return nil
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos > n.End() {
			return false
		}
		if f, ok := n.(*ast.Field); ok {
			found = f
		}
		return true
	})
	return found
}

// ImportError returns what went wrong with the import that the declaration of
// the field at pos uses, "" if nothing did.
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

// selectors returns the qualified names in the type of the field at pos.
func (l *loader) selectors(pos token.Pos) []*ast.SelectorExpr {
	f := l.fieldAt(pos)
	if f == nil {
		return nil
	}
	var all []*ast.SelectorExpr
	ast.Inspect(f.Type, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			all = append(all, sel)
		}
		return true
	})
	return all
}
