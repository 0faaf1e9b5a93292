package load

import (
	"bytes"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// Structs with tags of package binary need no directive and no generated code:
// every package that is named and has some is type-checked, so that tags which
// make no sense are reported before a program runs.

// BinaryKey is how the tags that are looked for begin.
const BinaryKey = "binary:"

// findTagged notes the units with struct fields that have binary tags.
func (l *loader) findTagged() {
	if !l.requiresSpan() {
		return // tags under this key are somebody else's
	}
	for _, u := range l.units {
		if foreignPlace(u.pkg) != "" {
			continue
		}
		for _, s := range u.files {
			if !s.own && bytes.Contains(s.text, []byte(BinaryKey)) && hasTag(l.parse(s)) {
				u.tagged, l.targets[u.pkg.PkgPath] = true, true
				break
			}
		}
	}
}

// hasTag reports a file with a struct field that has a binary tag.
func hasTag(f *ast.File) (found bool) {
	if f == nil {
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			tag, err := strconv.Unquote(field.Tag.Value)
			found = found || err == nil && strings.Contains(tag, BinaryKey)
		}
		return !found
	})
	return found
}

// wanted reports whether u is a unit that must be type-checked.
func (u *unit) wanted() bool { return len(u.chosen) > 0 || u.tagged }

// tagged returns the units with binary tags as Packages, those that have been
// type-checked.
func (l *loader) tagged() []*Package {
	var all []*Package
	for _, u := range l.units {
		if c := l.checked[u.pkg.ID]; u.tagged && c != nil && c.types != nil {
			all = append(all, &Package{Path: u.pkg.PkgPath, Name: u.pkg.Name, Types: c.types, loader: l, unit: u})
		}
	}
	return all
}

// Declared returns the types and variables that the package's files declare, in
// source order.
func (p *Package) Declared() []types.Object {
	var all []types.Object
	add := func(id *ast.Ident) {
		if obj := p.Types.Scope().Lookup(id.Name); obj != nil && obj.Pos() == id.Pos() {
			all = append(all, obj)
		}
	}
	for _, s := range p.unit.files {
		f := p.loader.parse(s)
		if s.own || f == nil {
			continue
		}
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return all
}
