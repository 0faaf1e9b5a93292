package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// TypeErrors gives what the type checker found wrong in the declaration of a
// type that was read from source, at the fields concerned. Errors elsewhere are
// none of our business.
func (p *Package) TypeErrors(obj *types.TypeName) []Diagnostic {
	l := p.loader
	if obj.Pkg() == nil {
		return nil
	}
	spec := l.typeSpec(obj)
	if spec == nil {
		return nil
	}
	var all []Diagnostic
	for _, c := range l.checked {
		if c.types != obj.Pkg() {
			continue
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
	for _, spec := range typeSpecs(s.ast) {
		if spec.Name.Pos() == obj.Pos() {
			return spec
		}
	}
	return nil
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

// FromSource reports whether a position is in a file that was read from source
// in this run, as opposed to one that export data speaks of.
func (p *Package) FromSource(pos token.Pos) bool {
	s := p.loader.files[p.loader.position(pos).Filename]
	return s != nil && s.ast != nil
}

// Position is where something stands, line directives aside.
func (p *Package) Position(pos token.Pos) token.Position { return p.loader.position(pos) }

// CType gives the C type in the declaration of the field at pos, such as
// "C.size_t", and "" if there is none: to the type checker C types are just
// unresolved.
func (p *Package) CType(pos token.Pos) string {
	s := p.loader.files[p.loader.position(pos).Filename]
	if s == nil || s.ast == nil {
		return ""
	}
	found := ""
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos > n.End() {
			return false
		}
		f, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == "C" {
					found = "C." + sel.Sel.Name
				}
			}
			return found == ""
		})
		return true
	})
	return found
}
