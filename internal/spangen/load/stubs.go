package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// stubs declares the methods that are going to be generated, so that code that
// uses them, and constraints that ask for them, type-check without any output.
//
//	func (*T) SizeSpan() int
//	func (*T) AppendSpan([]byte) ([]byte, error)
//	func (*T) WriteSpan(*span.Writer)
//	func (*T) ReadSpan(*span.Reader)
//	func (*T) SpanGenerated(*T)
func (l *loader) stubs(p *packages.Package, name string) *ast.File {
	var b strings.Builder
	for _, u := range slices.Concat(l.units, l.around) {
		// The test variant of a package is checked with its ordinary files.
		if u.pkg.PkgPath != p.PkgPath || u.pkg.ID != p.ID && u.pkg.ForTest != "" {
			continue
		}
		for _, c := range u.chosen {
			t := c.name() + params(c.spec)
			own := l.methods(u)[c.name()]
			for _, m := range stubMethods {
				if own[m.name] == nil {
					fmt.Fprintf(&b, "func (*%s) %s%s\n", t, m.name, strings.ReplaceAll(m.signature, "$T", t))
				}
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	// The import's name is one that no declaration of the package has.
	text := "package " + name + "\n\nimport spanwire_span " + strconv.Quote(spanPath) + "\n" + b.String()
	f, err := parser.ParseFile(l.fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil // a type with a name that is none; its own file is broken
	}
	return f
}

var stubMethods = []struct{ name, signature string }{
	{"SizeSpan", "() int"},
	{"AppendSpan", "([]byte) ([]byte, error)"},
	{"WriteSpan", "(*spanwire_span.Writer)"},
	{"ReadSpan", "(*spanwire_span.Reader)"},
	{"SpanGenerated", "(*$T)"},
}

// params returns the receiver's type parameters, "[P0, P1]" for two.
func params(spec *ast.TypeSpec) string {
	if spec.TypeParams == nil {
		return ""
	}
	var names []string
	for _, f := range spec.TypeParams.List {
		for range f.Names {
			names = append(names, "P"+strconv.Itoa(len(names)))
		}
	}
	return "[" + strings.Join(slices.Clip(names), ", ") + "]"
}
