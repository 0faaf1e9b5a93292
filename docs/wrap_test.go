package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// imports has the packages that fragments may name without importing them.
var imports = map[string]string{
	"base64": "encoding/base64", "bufio": "bufio", "bytes": "bytes", "context": "context", "driver": "database/sql/driver", "encoding": "encoding",
	"errors": "errors", "fmt": "fmt", "iter": "iter", "gob": "encoding/gob", "gzip": "compress/gzip", "hex": "encoding/hex", "io": "io",
	"json": "encoding/json", "log": "log", "net": "net", "os": "os", "sha256": "crypto/sha256", "slog": "log/slog",
	"sql": "database/sql", "strings": "strings", "synctest": "testing/synctest", "testing": "testing", "time": "time",
	"tls": "crypto/tls", "require": "github.com/stretchr/testify/require",
	"binary": project + "binary", "span": project + "span", "rpc": project + "rpc", "frame": project + "rpc/frame",
	"rpctest": project + "rpc/rpctest", "value": project + "rpc/value",
}

const project = "github.com/spanwire/spanwire/"

// A file is a block as the compiler sees it.
type file struct {
	block
	name string // of the package
	src  string
	test bool
}

var testFunc = regexp.MustCompile(`(?m)^func (Test|Example|Benchmark|Fuzz)`)

// wrap makes a file of a block: one that is a file is left alone, declarations
// get a package clause and the imports they need, statements a function around
// them. What a package declares for its other blocks is in declared.
func wrap(b block, name string, declared map[string]bool) (file, error) {
	f := file{block: b, name: name, test: testFunc.MatchString(b.code)}
	if b.alone {
		f.name = packageClause.FindStringSubmatch(b.code)[1]
		f.src = fmt.Sprintf("//line %s:%d\n%s", b.page, b.line, b.code)
		_, err := parse(f.src)
		return f, err
	}
	body := fmt.Sprintf("//line %s:%d\n%s", b.page, b.line, b.code)
	parsed, err := parse("package p\n" + body)
	if err != nil {
		var inFunc error
		if body, parsed, inFunc = function(b); inFunc != nil {
			return f, inFunc
		}
	}
	f.src = "package " + name + "\n" + missing(parsed, declared) + body
	return f, nil
}

// parse parses a file with the positions that its line comments give.
func parse(src string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
}

// function makes a function of statements. Variables that the fragment does not
// use count as used; a return says that there is an error to return.
func function(b block) (string, *ast.File, error) {
	head := fmt.Sprintf("//line %s:%d\n", b.page, b.line)
	parsed, err := parse("package p\nfunc _() {\n" + head + b.code + "\n}")
	if err != nil {
		return "", nil, err
	}
	list := parsed.Decls[0].(*ast.FuncDecl).Body.List
	var use string
	for _, name := range variables(list) {
		use += "_ = " + name + "\n"
	}
	code, result, last := b.code, "", ""
	if returns(parsed) {
		result, last = " error", "return nil\n"
		if _, ends := list[len(list)-1].(*ast.ReturnStmt); ends {
			cut := strings.LastIndex(code, "return")
			code, last = code[:cut], code[cut:]
		}
	}
	return "func _()" + result + " {\n" + head + code + use + last + "}\n", parsed, nil
}

// variables returns what the statements themselves declare.
func variables(list []ast.Stmt) []string {
	var names []string
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
				names = append(names, id.Name)
			}
		}
	}
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				add(s.Lhs...)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// returns reports whether statements return something, function literals apart.
func returns(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) > 0
		}
		return true
	})
	return found
}

// missing returns the import declarations that a fragment needs, on one line.
func missing(f *ast.File, declared map[string]bool) string {
	has := map[string]bool{}
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		has[path[strings.LastIndex(path, "/")+1:]] = true
	}
	unresolved := map[string]bool{}
	for _, id := range f.Unresolved {
		unresolved[id.Name] = true
	}
	var lines []string
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			if ok && unresolved[id.Name] && !has[id.Name] && !declared[id.Name] && imports[id.Name] != "" {
				has[id.Name] = true
				lines = append(lines, fmt.Sprintf("import %q\n", imports[id.Name]))
			}
		}
		return true
	})
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// declares adds the names that a fragment of declarations has for its package.
func declares(b block, names map[string]bool) {
	parsed, err := parse("package p\n" + b.code)
	if err != nil {
		return // statements
	}
	for name := range parsed.Scope.Objects {
		names[name] = true
	}
}
