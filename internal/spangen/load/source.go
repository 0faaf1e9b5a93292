package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A source is a Go file of a package that is read from source.
type source struct {
	path string
	text []byte
	own  bool // written by spangen

	named bool // of a package that was named, not just needed

	ast    *ast.File // nil until parsed
	broken error     // syntax errors, or why it can't be read
	told   bool      // the syntax errors have been reported

	limits *string // the build constraint, once known
	specs  map[token.Pos]*ast.TypeSpec
}

// read returns the file, from memory when it has been read before.
func (l *loader) read(path string) *source {
	if s := l.files[path]; s != nil {
		return s
	}
	s := &source{path: path}
	s.text, s.broken = os.ReadFile(path)
	s.own = IsOwn(s.text) || s.broken == nil && IsSpoilt(s.text) && l.isOutput(path)
	l.files[path] = s
	return s
}

// isOutput reports the name of an output, the usual one of a source that is there
// or the one that is asked for.
func (l *loader) isOutput(path string) bool {
	if l.cfg.Output != "" && filepath.Base(path) == filepath.Base(l.cfg.Output) {
		return true
	}
	from, ok := sourcePath(path)
	if !ok {
		return false
	}
	_, err := os.Stat(from)
	return err == nil
}

// parse parses the file once.
func (l *loader) parse(s *source) *ast.File {
	if s.ast == nil && s.text != nil {
		s.ast, s.broken = parser.ParseFile(l.fset, s.path, s.text, parser.ParseComments|parser.SkipObjectResolution)
	}
	return s.ast
}

// tellBroken reports the file's syntax errors once: what can't be parsed might
// hide a directive, so nothing is generated.
func (l *loader) tellBroken(s *source) {
	if s.broken == nil || s.told {
		return
	}
	s.told = true
	list, ok := s.broken.(scanner.ErrorList)
	if !ok {
		l.diagnostics = append(l.diagnostics, Diagnostic{Message: s.broken.Error()})
		return
	}
	for i, e := range list {
		if i > 0 && e.Pos.Line == list[i-1].Pos.Line {
			continue // what follows from the first one
		}
		l.diagnostics = append(l.diagnostics, Diagnostic{Pos: e.Pos, Message: e.Msg})
	}
}

// IsOwn reports whether text is a file that spangen has written: the header
// precedes the package clause. It needs no parsing, so that output with merge
// conflicts is recognised too.
func IsOwn(text []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		line = bytes.TrimRight(line, "\r\n")
		if string(line) == Header {
			return true
		}
		if bytes.HasPrefix(line, []byte("package ")) {
			return false
		}
	}
	return false
}

// IsSpoilt reports whether text is what a crash leaves of a file: nothing, or
// zeros where the text was to be. Overwriting it loses nothing.
func IsSpoilt(text []byte) bool {
	return len(text) == 0 || text[0] == 0 || len(bytes.TrimSpace(text)) == 0
}

// mayMark reports whether a directive, or something that resembles one, may
// be in the text: a short comment that begins with the name of this tool.
func mayMark(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '/')
		if i < 0 || i+1 >= len(text) {
			return false
		}
		text = text[i+1:]
		if text[0] != '/' && text[0] != '*' {
			continue
		}
		word := bytes.TrimLeft(text[1:], " ")
		if len(word) >= 4 && bytes.EqualFold(word[:4], []byte("span")) {
			return true
		}
	}
}

// OutputPath returns the name of the file that is generated for a source file.
func OutputPath(source string) string {
	if base, ok := strings.CutSuffix(source, "_test.go"); ok {
		return base + "_span_test.go"
	}
	return strings.TrimSuffix(source, ".go") + "_span.go"
}

// GuardPath returns the name of the test that is generated next to an output.
func GuardPath(output string) string { return strings.TrimSuffix(output, ".go") + "_guard_test.go" }

// sourcePath is the inverse of OutputPath, and of GuardPath behind it; false for
// other names.
func sourcePath(output string) (string, bool) {
	if base, ok := strings.CutSuffix(output, "_guard_test.go"); ok {
		return sourcePath(base + ".go")
	}
	if base, ok := strings.CutSuffix(output, "_span_test.go"); ok {
		return base + "_test.go", true
	}
	base, ok := strings.CutSuffix(output, "_span.go")
	return base + ".go", ok
}

// A folder is the directory of a named package.
type folder struct {
	names []string // of its Go files, whether they are built or not
}

// folder lists a directory once.
func (l *loader) folder(dir string) *folder {
	dir = filepath.Clean(dir)
	if f := l.dirs[dir]; f != nil {
		return f
	}
	f := &folder{}
	l.dirs[dir] = f
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !e.IsDir() {
			f.names = append(f.names, e.Name())
		}
	}
	return f
}

// orphans returns our outputs that nothing generates anymore: their source is
// gone, or it was loaded and chooses nothing. A source that is merely left out
// by its build constraint keeps its output.
func (l *loader) orphans() []string {
	all := slices.Clone(l.left)
	for dir, f := range l.dirs {
		if l.keepsOutputs(dir, f) {
			continue
		}
		for _, name := range f.names {
			from, ok := sourcePath(name)
			path := filepath.Join(dir, name)
			if !ok || !l.read(path).own {
				continue
			}
			if !slices.Contains(f.names, from) || l.choosesNothing(filepath.Join(dir, from)) {
				all = append(all, path)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// choosesNothing reports whether path is a source that was loaded and has no
// chosen types.
func (l *loader) choosesNothing(path string) bool {
	loaded := false
	for _, u := range l.units {
		for _, s := range u.files {
			loaded = loaded || s.path == path
		}
		for _, c := range u.chosen {
			if c.file.path == path {
				return false
			}
		}
	}
	return loaded
}

// keepsOutputs reports whether the outputs of a folder are left alone: types
// named by -type have no directive to show that they are still wanted.
func (l *loader) keepsOutputs(dir string, f *folder) bool {
	if len(l.cfg.Types) > 0 {
		return true
	}
	for _, name := range f.names {
		for line := range bytes.Lines(l.read(filepath.Join(dir, name)).text) {
			if bytes.HasPrefix(line, []byte("//go:generate ")) && bytes.Contains(line, []byte("spangen")) &&
				bytes.Contains(line, []byte("-type")) {
				return true
			}
		}
	}
	return false
}

// plainStem returns a file's name without endings, other bytes than letters,
// digits and underscores replaced.
func plainStem(name string) string {
	return mapStem(name, func(byte) string { return "_" })
}

// escapedStem is plainStem with the replaced bytes spelt out.
func escapedStem(name string) string {
	return mapStem(name, func(c byte) string { return fmt.Sprintf("_x%02x", c) })
}

func mapStem(name string, other func(byte) string) string {
	var b strings.Builder
	name = strings.TrimSuffix(name, ".go")
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			b.WriteByte(c)
		default:
			b.WriteString(other(c))
		}
	}
	return b.String()
}
