package load

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"

	"github.com/spanwire/spanwire/internal/nearest"
)

// Directive is the comment that chooses a type.
const Directive = "//span:generate"

// isDirective allows for blanks after it, and for the carriage return of a
// file with CRLF lines.
func isDirective(text string) bool { return strings.TrimRight(text, " \t\r") == Directive }

// namespaced matches comments of one word after the name of this tool.
var namespaced = regexp.MustCompile(`^(?i:(?:(//span:)|(?://|/\*) *span(?:gen|wire)? *[:;.=-]) *([a-z]*))\s*(?:\*/)?\s*$`)

// misspelt reports whether text is a comment meant for this tool that is not
// one of its directives: what begins with //span:, and other spellings of the
// directive. Its author expects something.
func misspelt(text string) bool {
	m := namespaced.FindStringSubmatch(text)
	if m == nil {
		return strings.HasPrefix(text, "//span:")
	}
	word := strings.ToLower(m[2])
	if m[1] == "//span:" || len(word) > 2 && strings.HasPrefix("generate", word) { //nolint:gocritic // a word cut short
		return true
	}
	// Prose may have such a line as well, with another word: general, generic.
	return nearest.Of(word, []string{"generate"}) != "" && strings.Contains(word[len(word)/2:], "t")
}

// A mark is one directive: what it stands above decides what it means.
type mark struct {
	pos   token.Pos
	specs []*ast.TypeSpec // the types it chooses
	all   bool            // above the package clause: all types of the package
}

// marks finds the directives of a file. What looks like one and is none is an
// error, and so is one that stands above nothing.
func (l *loader) marks(f *ast.File) []mark {
	places := directivePlaces(f)
	var all []mark
	for _, group := range f.Comments {
		for _, c := range group.List {
			switch {
			case isDirective(c.Text):
				m, ok := places[group]
				switch {
				case c.Pos() < f.Package:
					all = append(all, mark{pos: c.Pos(), all: true})
				case ok && m.why == "":
					all = append(all, mark{pos: c.Pos(), specs: m.specs})
				case ok:
					l.errorf(c.Pos(), "%s: %s", Directive, m.why)
				default:
					l.errorf(c.Pos(), "%s is not above a type declaration; put it on the line above the type", Directive)
				}
			case strings.HasPrefix(c.Text, Directive+" ") || strings.HasPrefix(c.Text, Directive+"\t"):
				l.errorf(c.Pos(), "%s takes no arguments; options go in the tag of a blank field, such as _ struct{} `span:\"newlife\"`", Directive)
			case misspelt(c.Text):
				l.errorf(c.Pos(), "%q is not a directive; did you mean %s?", strings.TrimSpace(c.Text), Directive)
			}
		}
	}
	return all
}

// A place is a comment group that a directive may be in.
type place struct {
	specs []*ast.TypeSpec
	why   string // why it can't choose them
}

// directivePlaces maps the doc comments of a file's declarations to what a
// directive in them means.
func directivePlaces(f *ast.File) map[*ast.CommentGroup]place {
	places := map[*ast.CommentGroup]place{}
	add := func(g *ast.CommentGroup, p place) {
		if g != nil {
			places[g] = p
		}
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			addDecl(d, "", add)
		case *ast.FuncDecl:
			add(d.Doc, place{why: "it is above a function; it belongs above a type"})
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.DeclStmt:
				if d, ok := n.Decl.(*ast.GenDecl); ok {
					addDecl(d, "the type is declared in a function, so it can't have methods; declare it at package level", add)
				}
			case *ast.Field:
				for _, g := range []*ast.CommentGroup{n.Doc, n.Comment} {
					add(g, place{why: "it is above a field; it belongs above a type"})
				}
			}
			return true
		})
	}
	return places
}

// addDecl adds the comments of one declaration.
func addDecl(d *ast.GenDecl, why string, add func(*ast.CommentGroup, place)) {
	if d.Tok != token.TYPE {
		add(d.Doc, place{why: "it is above a " + d.Tok.String() + " declaration; it belongs above a type"})
		return
	}
	group := place{why: why}
	for _, s := range d.Specs {
		spec := s.(*ast.TypeSpec)
		group.specs = append(group.specs, spec)
		add(spec.Doc, place{specs: []*ast.TypeSpec{spec}, why: why})
		add(spec.Comment, place{why: "it is after the type; put it on the line above"})
	}
	add(d.Doc, group)
}
