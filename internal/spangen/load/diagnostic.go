package load

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Diagnostic is one thing that the user should know.
type Diagnostic struct {
	Pos     token.Position // without a file name where there is no place
	Message string
	Warning bool // it does not stop the run
	Note    bool // nothing is wrong
}

// Format returns the diagnostic as one line, its file relative to dir where
// that is shorter.
func (d Diagnostic) Format(dir string) string {
	text := oneLine(d.Message)
	switch {
	case d.Note:
		text = "note: " + text
	case d.Warning:
		text = "warning: " + text
	}
	if d.Pos.Filename == "" {
		return text
	}
	pos := d.Pos
	pos.Filename = Relative(dir, pos.Filename)
	return pos.String() + ": " + text
}

// oneLine joins the lines of an error of the go command.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		switch {
		case b.Len() == 0:
		case strings.HasSuffix(b.String(), ":"):
			b.WriteString(" ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Relative returns path relative to dir where that is shorter.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// Sort orders diagnostics by position and drops repeated ones.
func Sort(all []Diagnostic) []Diagnostic {
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(all)
}

// Failed reports whether any of the diagnostics is an error.
func Failed(all []Diagnostic) bool {
	return slices.ContainsFunc(all, func(d Diagnostic) bool { return !d.Warning && !d.Note })
}

func (l *loader) errorf(pos token.Pos, format string, args ...any) {
	l.diagnostics = append(l.diagnostics, Diagnostic{Pos: l.position(pos), Message: fmt.Sprintf(format, args...)})
}

func (l *loader) warnf(pos token.Pos, format string, args ...any) {
	l.diagnostics = append(l.diagnostics, Diagnostic{
		Pos: l.position(pos), Message: fmt.Sprintf(format, args...), Warning: true,
	})
}

// position is where something is in the file itself: line directives of
// generated sources do not count.
func (l *loader) position(pos token.Pos) token.Position {
	if !pos.IsValid() {
		return token.Position{}
	}
	return l.fset.PositionFor(pos, false)
}

func (l *loader) logf(format string, args ...any) {
	if l.cfg.Logf != nil {
		l.cfg.Logf(format, args...)
	}
}

func compareText(a, b string) int { return cmp.Compare(a, b) }
