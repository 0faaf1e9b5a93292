package load

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// Outputs that no directive asks for: those of -type, and those with a name of
// their own, that -o gave them. A run that is not told otherwise keeps them up to
// date: what they are for stands in them.

// adopt chooses the types of a unit's standing outputs that nothing else chooses,
// and notes where the output of a source has a name of its own.
func (l *loader) adopt(u *unit) {
	if l.cfg.Output != "" || len(l.cfg.Types) > 0 {
		return
	}
	for _, s := range u.files {
		if !s.own || !l.isPlaced(s.path) {
			continue
		}
		gone := false
		for _, name := range Marked(s.text) {
			gone = !l.adoptType(u, s.path, name) || gone
		}
		if gone && !slices.ContainsFunc(u.chosen, func(c *choice) bool { return c.output == s.path }) {
			l.left = append(l.left, s.path)
		}
	}
}

// adoptType chooses one type for a standing output, and reports whether there is
// such a type.
func (l *loader) adoptType(u *unit, output, name string) bool {
	for _, c := range u.chosen {
		if c.name() != name {
			continue
		}
		if usual := OutputPath(c.file.path); usual != output && !slices.Contains(l.folder(filepath.Dir(usual)).names, filepath.Base(usual)) {
			c.output = output
		}
		return true
	}
	for _, s := range u.files {
		if s.own {
			continue
		}
		for _, spec := range typeSpecs(l.parse(s)) {
			if spec.Name.Name != name {
				continue
			}
			before := len(u.chosen)
			l.add(u, s, spec)
			if len(u.chosen) > before && output != OutputPath(s.path) {
				u.chosen[before].output = output
			}
			return true
		}
	}
	return false
}

// isPlaced reports whether path is an output that is where the user put it:
// under a name that is not that of a source's output, or in a folder where a
// line of go:generate names types.
func (l *loader) isPlaced(path string) bool {
	f := l.folder(filepath.Dir(path))
	from, ok := sourcePath(filepath.Base(path))
	return !ok && !strings.HasSuffix(path, "_guard_test.go") || ok && slices.Contains(f.names, from) && l.keepsOutputs(filepath.Dir(path), f)
}

// Marked returns the names of the types whose methods an output has.
func Marked(text []byte) []string {
	var names []string
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte("func (*"))
		receiver, rest, closed := bytes.Cut(rest, []byte(")"))
		if !ok || !closed || !bytes.HasPrefix(rest, []byte(" SpanGenerated(")) {
			continue
		}
		name, _, _ := bytes.Cut(receiver, []byte("["))
		names = append(names, string(name))
	}
	return names
}

// Standing returns the outputs of earlier runs in a package, of the build at
// hand: the names of the types that they have methods for, by path.
func (p *Package) Standing() map[string][]string {
	all := map[string][]string{}
	for _, s := range p.unit.files {
		if s.own {
			all[s.path] = Marked(s.text)
		}
	}
	return all
}

// Stem makes an identifier of the name of an output with a name of its own.
func Stem(output string) string { return plainStem(filepath.Base(output)) }
