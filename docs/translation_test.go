package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// translations are pages and what they are in Chinese.
var translations = map[string]string{
	"README.md":     "README.zh-CN.md",
	"docs/start.md": "docs/start.zh-CN.md",
}

// TestTranslations: a translated page has the headings, code, tables and figures
// of the page, section by section. What bench writes has one table in both.
func TestTranslations(t *testing.T) {
	for page, other := range translations {
		want, got := sections(read(t, page)), sections(read(t, other))
		require.Len(t, got, len(want), "headings of %s and %s", page, other)
		for i, w := range want {
			g := got[i]
			require.Equal(t, w.level, g.level, "%s: the level of %q, which is %q in %s", page, w.title, g.title, other)
			require.Equal(t, w.code, g.code, "%s: the code below %q and below %q in %s", page, w.title, g.title, other)
			require.Equal(t, w.rows, g.rows, "%s: the rows of tables below %q and below %q in %s", page, w.title, g.title, other)
			require.Equal(t, strings.Join(w.figures, "\n"), strings.Join(g.figures, "\n"), "%s: the figures below %q and below %q in %s", page, w.title, g.title, other)
		}
	}
}

// A section is what is compared of a heading and what follows it.
type section struct {
	level, title string
	code         []string
	rows         int
	figures      []string // sorted
}

var (
	figure  = regexp.MustCompile(`\d+(?:[.,]\d+)*k?`)
	address = regexp.MustCompile(`\]\([^)]*\)`)
)

// sections cuts a page at its headings.
func sections(text string) []section {
	all := []section{{}}
	fenced := false
	for line := range strings.Lines(text) {
		s := &all[len(all)-1]
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		switch {
		case fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "```"):
			s.code = append(s.code, line)
		case strings.HasPrefix(line, "#"):
			level, title, _ := strings.Cut(strings.TrimSpace(line), " ")
			all = append(all, section{level: level, title: title})
		default:
			if strings.HasPrefix(line, "|") {
				s.rows++
			}
			s.figures = append(s.figures, figure.FindAllString(address.ReplaceAllString(line, "]"), -1)...)
			slices.Sort(s.figures)
		}
	}
	return all
}
