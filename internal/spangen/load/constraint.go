package load

import (
	"bytes"
	"go/build/constraint"
	"path/filepath"
	"slices"
	"strings"
)

// constraint returns what the file's build depends on as one expression: its
// line with go:build, the GOOS and GOARCH of its name, and cgo where it imports
// "C" (without cgo such files are left out).
func (s *source) constraint() string {
	if s.limits == nil {
		text := s.findConstraint()
		s.limits = &text
	}
	return *s.limits
}

func (s *source) findConstraint() string {
	var x constraint.Expr
	and := func(y constraint.Expr) {
		switch {
		case x == nil:
			x = y
		case y.String() != x.String():
			x = &constraint.AndExpr{X: x, Y: y}
		}
	}
	for _, tag := range nameTags(filepath.Base(s.path)) {
		and(&constraint.TagExpr{Tag: tag})
	}
	if s.ast != nil {
		for _, imp := range s.ast.Imports {
			if imp.Path.Value == `"C"` {
				and(&constraint.TagExpr{Tag: "cgo"})
				break
			}
		}
	}
	if y := buildLine(s.text); y != nil {
		and(y)
	}
	if x == nil {
		return ""
	}
	return x.String()
}

// Narrower returns the GOOS or GOARCH in the name of an output that its source,
// with the constraint limits, does not ask for, "" if there is none.
func Narrower(output, source, limits string) string {
	asked := append(nameTags(filepath.Base(source)), strings.Split(limits, " && ")...)
	for _, tag := range nameTags(filepath.Base(output)) {
		if !slices.Contains(asked, tag) {
			return tag
		}
	}
	return ""
}

// buildLine returns the go:build line of a file: it precedes the package
// clause, among comments and blank lines.
func buildLine(text []byte) constraint.Expr {
	for line := range bytes.Lines(text) {
		line := strings.TrimSpace(string(line))
		if constraint.IsGoBuild(line) {
			x, err := constraint.Parse(line)
			if err != nil {
				return nil
			}
			return x
		}
		if strings.HasPrefix(line, "package ") {
			return nil
		}
	}
	return nil
}

// nameTags returns the GOOS and GOARCH that a file's name ends in.
func nameTags(name string) []string {
	name, _, _ = strings.Cut(name, ".")
	// What comes before the first underscore is never a constraint: linux.go
	// is an ordinary file.
	i := strings.IndexByte(name, '_')
	if i < 0 {
		return nil
	}
	parts := strings.Split(name[i:], "_")
	if n := len(parts); parts[n-1] == "test" {
		parts = parts[:n-1]
	}
	n := len(parts)
	if n >= 2 && slices.Contains(knownOS, parts[n-2]) && slices.Contains(knownArch, parts[n-1]) {
		return parts[n-2:]
	}
	if n >= 1 && (slices.Contains(knownOS, parts[n-1]) || slices.Contains(knownArch, parts[n-1])) {
		return parts[n-1:]
	}
	return nil
}

// All that has ever been a GOOS or GOARCH, as the go command has it: names keep
// their meaning when a port is retired.
var (
	knownOS = []string{
		"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
	}
	knownArch = []string{
		"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
		"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
	}
)

// misplaced returns the outputs whose source has another constraint than they
// have, and is left out by it: the run that could generate them anew is that of
// another platform, but what this one builds must not hold them meanwhile. The
// text is as it was, under the constraint of the source.
func (l *loader) misplaced() map[string][]byte {
	all := map[string][]byte{}
	for dir, f := range l.dirs {
		for _, name := range f.names {
			from, ok := sourcePath(name)
			if !ok || !slices.Contains(f.names, from) || l.loaded(filepath.Join(dir, from)) {
				continue
			}
			output := l.read(filepath.Join(dir, name))
			if !IsOwn(output.text) {
				continue
			}
			s := l.read(filepath.Join(dir, from))
			l.parse(s)
			has := ""
			if x := buildLine(output.text); x != nil {
				has = x.String()
			}
			if want := s.constraint(); want != has {
				all[output.path] = constrain(output.text, want)
			}
		}
	}
	return all
}

// loaded reports whether path is a source that is part of the build.
func (l *loader) loaded(path string) bool {
	return slices.ContainsFunc(l.units, func(u *unit) bool {
		return slices.ContainsFunc(u.files, func(s *source) bool { return s.path == path })
	})
}

// constrain puts an output under another constraint.
func constrain(text []byte, limits string) []byte {
	head := Header + "\n\n"
	if limits != "" {
		head = Header + "\n//\n//go:build " + limits + "\n\n"
	}
	var body []byte
	for line := range bytes.Lines(text) {
		plain := string(bytes.TrimSpace(line))
		if plain != Header && !constraint.IsGoBuild(plain) && (plain != "//" || len(body) > 0) {
			body = append(body, line...)
		}
	}
	return append([]byte(head), bytes.TrimLeft(body, "\r\n")...)
}
