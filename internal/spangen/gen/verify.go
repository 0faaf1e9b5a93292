package gen

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
	"time"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/model"
)

// rendered is an output in the making: the text as the emitter gave it, and what
// the parser made of that.
type rendered struct {
	load.Output
	raw  []byte
	file *model.File
}

// gofmt parses the text of an output once, and returns it as gofmt writes it.
func (g *generator) gofmt(path string, raw []byte) (*ast.File, []byte, error) {
	syntax, err := parser.ParseFile(g.loaded.Fset, path, raw, parser.ParseComments|parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		lines := bytes.Split(raw, []byte("\n"))
		return nil, nil, fmt.Errorf("the code does not parse: %s in %q; please report it with this file", list[0].Msg, lines[list[0].Pos.Line-1])
	}
	if err != nil {
		return nil, nil, err
	}
	ast.SortImports(g.loaded.Fset, syntax)
	var buf bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := config.Fprint(&buf, g.loaded.Fset, syntax); err != nil {
		return nil, nil, err
	}
	return syntax, buf.Bytes(), nil
}

// verify type-checks what has been rendered: output that does not compile is a
// fault of spangen's, which must not become the user's.
func (g *generator) verify() {
	if !g.loaded.HasSpan() {
		if len(g.outputs) > 0 {
			g.logf("no module requires %s, so the output is not type-checked", spanPath)
		}
		return
	}
	start := time.Now()
	n := 0
	for _, p := range g.loaded.Packages {
		own := g.outputs[p]
		if len(own) == 0 {
			continue
		}
		var all []load.Output
		for _, q := range g.loaded.Packages {
			// The ordinary files of a package belong to that of its test files.
			if q == p || q.Path == p.Path && p.ForTest() {
				for _, r := range g.outputs[q] {
					all = append(all, r.Output)
				}
			}
		}
		n += len(own)
		faults, err := p.Verify(all, g.loaded.Orphans)
		if err != nil {
			g.report(load.Diagnostic{Message: err.Error()})
			return
		}
		g.faulty(own, faults)
	}
	g.logf("type-checked %d rendered files in %v", n, since(start))
}

// faulty reports the first fault of each type whose code does not compile.
func (g *generator) faulty(own []*rendered, faults []types.Error) {
	told := map[string]bool{}
	for _, e := range faults {
		for _, r := range own {
			if e.Pos < r.Syntax.FileStart || e.Pos > r.Syntax.FileEnd {
				continue
			}
			name, field := culprit(r.Syntax, e.Pos)
			if told[name] {
				continue
			}
			told[name] = true
			at := load.Relative(g.cfg.Load.Dir, r.file.Source)
			d := load.Diagnostic{}
			for _, t := range r.file.Types {
				if t.Name == name {
					d.Pos, at = t.Pos, ""
				}
			}
			if at != "" {
				at += ": "
			}
			if field != "" {
				name += "." + field
			}
			d.Message = fmt.Sprintf("%s%s: the code for it does not compile, which is a bug in spangen; please report it with the declaration of the type: %s in %s",
				at, name, e.Msg, quote(g.loaded.Fset, r.raw, e.Pos))
			g.report(d)
		}
	}
}

// culprit finds the type and the field that the code at a position is for: the
// receiver or the argument v of the function, and the comment before the step.
func culprit(f *ast.File, pos token.Pos) (name, field string) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || pos < fn.Pos() || pos > fn.End() {
			continue
		}
		name = fn.Name.Name
		if fn.Recv != nil {
			name = typeName(fn.Recv.List[0].Type)
		}
		for _, group := range f.Comments {
			if fn.Pos() < group.Pos() && group.Pos() < pos && group.Pos() > fn.Body.Lbrace {
				field = strings.TrimSpace(group.Text())
			}
		}
		return name, field
	}
	return f.Name.Name, ""
}

// typeName returns the name of a receiver's type.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// quote returns the line of a text at a position.
func quote(fset *token.FileSet, text []byte, pos token.Pos) string {
	lines := bytes.Split(text, []byte("\n"))
	n := fset.PositionFor(pos, false).Line
	if n < 1 || n > len(lines) {
		return "an unknown line"
	}
	return fmt.Sprintf("%q", bytes.Join(bytes.Fields(lines[n-1]), []byte(" ")))
}
