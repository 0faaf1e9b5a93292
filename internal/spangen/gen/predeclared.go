package gen

import (
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// checkPredeclared reports package-level declarations that give a predeclared
// name another meaning, such as len, where the generated text uses it. It is
// told once for the package.
func (g *generator) checkPredeclared(p *model.Package, text []byte) bool {
	hidden := map[string]token.Pos{}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if types.Universe.Lookup(name) != nil {
			hidden[name] = scope.Lookup(name).Pos()
		}
	}
	if len(hidden) == 0 {
		return true
	}
	ok := true
	for name := range identifiers(text) {
		pos, bad := hidden[name]
		if !bad {
			continue
		}
		ok = false
		g.report(load.Diagnostic{
			Pos: g.loaded.Fset.PositionFor(pos, false),
			Message: name + " is declared here, so generated code of package " + p.Name +
				" can't use Go's own " + name + "; give it another name",
		})
	}
	return ok
}

// identifiers returns the names in a Go file that are not after a dot.
func identifiers(text []byte) map[string]bool {
	names := map[string]bool{}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for before := token.ILLEGAL; ; {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return names
		}
		if tok == token.IDENT && before != token.PERIOD {
			names[lit] = true
		}
		before = tok
	}
}
