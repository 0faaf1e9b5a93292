package docs_test

import (
	"flag"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
)

var update = flag.Bool("update", false, "write the columns and parts of pages that are made from the sources")

var (
	caseRow     = regexp.MustCompile(`(?m)^\| ([A-Z][0-9]{1,2}) \| (.+?) \|(.*)\|$`)
	caseNumber  = regexp.MustCompile(`\b[A-DFGR][0-9]{1,2}\b`)
	caseInName  = regexp.MustCompile(`^Test(?:Case|Time)([A-D][0-9]{2})`)
	caseScript  = regexp.MustCompile(`^([a-z][0-9]{1,2})_.*\.txtar$`)
	testDeclare = regexp.MustCompile(`^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
)

const casesPage = "docs/cases.md"

// TestCases: docs/cases.md explains every number that a test or a script
// mentions, and no other.
func TestCases(t *testing.T) {
	mentioned := slices.Sorted(maps.Keys(mentions(t)))
	var seen []string
	for _, m := range caseRow.FindAllStringSubmatch(read(t, casesPage), -1) {
		seen = append(seen, m[1])
	}
	slices.Sort(seen)
	require.Equal(t, strings.Join(mentioned, "\n"), strings.Join(seen, "\n"), "the numbers that tests mention, and those of %s: add a row", casesPage)
}

// TestCasesPlaces: the page says where, too.
func TestCasesPlaces(t *testing.T) {
	if !*update {
		test.Long(t)
	}
	mentioned, text := mentions(t), read(t, casesPage)
	want := caseRow.ReplaceAllStringFunc(text, func(row string) string {
		m := caseRow.FindStringSubmatch(row)
		return "| " + m[1] + " | " + m[2] + " | " + strings.Join(mentioned[m[1]], ", ") + " |"
	})
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join(root, casesPage), []byte(want), 0o666))
		return
	}
	for i, line := range strings.Split(want, "\n") {
		require.Equal(t, line, strings.Split(text, "\n")[i], "run go test ./docs -run Cases -update")
	}
}

// mentions returns the tests and scripts that mention a number, by number, each
// behind its folder.
func mentions(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	add := func(number, place string) {
		if !slices.Contains(all[number], place) {
			all[number] = append(all[number], place)
		}
	}
	for _, name := range tracked(t, "*_test.go", "*.txtar") {
		dir := path.Dir(name)
		if m := caseScript.FindStringSubmatch(path.Base(name)); m != nil {
			add(strings.ToUpper(m[1]), "`"+path.Base(name)+"`")
		}
		if !strings.HasSuffix(name, ".go") || dir == "docs" || strings.Contains(dir, "testdata") {
			continue
		}
		for number, tests := range mentionsIn(read(t, name)) {
			for _, name := range tests {
				add(number, "`"+dir+"` "+name)
			}
		}
	}
	for _, places := range all {
		slices.Sort(places) // whatever the files are called
	}
	return all
}

// mentionsIn returns the tests of one file that mention a number: in their name,
// in the comment above or within.
func mentionsIn(text string) map[string][]string {
	all := map[string][]string{}
	var above []string
	current := ""
	for line := range strings.Lines(text) {
		comment := strings.TrimSpace(line)
		numbers := caseNumber.FindAllString(comment, -1)
		switch m := testDeclare.FindStringSubmatch(line); {
		case m != nil:
			current = m[1]
			if n := caseInName.FindStringSubmatch(current); n != nil {
				above = append(above, n[1])
			}
			for _, number := range above {
				all[number] = append(all[number], current)
			}
			above = nil
		case strings.HasPrefix(line, "//"):
			above = append(above, numbers...)
		case strings.HasPrefix(comment, "//"):
			for _, number := range numbers {
				all[number] = append(all[number], current)
			}
		}
	}
	return all
}
