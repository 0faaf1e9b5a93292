package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	filePath = regexp.MustCompile("`((?:\\.ci|\\w+)(?:/[\\w.*-]+)+)`")
	goImport = regexp.MustCompile(`^\w+\.\w+/`)
)

// TestLinks: what pages link to in this repository is there, headings included.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") {
				continue // of another place
			}
			name := page
			if target != "" {
				name = path.Join(path.Dir(page), target)
			}
			_, err := os.Stat(filepath.Join(root, name))
			require.NoError(t, err, "%s links to %s", page, m[1])
			if anchor != "" {
				require.Contains(t, anchors(read(t, name)), anchor, "%s links to %s", page, m[1])
			}
		}
	}
}

// TestPaths: files and folders that pages name in the project are there. A page
// about a package may name what is below it.
func TestPaths(t *testing.T) {
	tops := map[string]bool{}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		tops[e.Name()] = e.IsDir()
	}
	for _, page := range pages(t) {
		if page == "CHANGELOG.md" {
			continue // it tells of what has been
		}
		for _, m := range filePath.FindAllStringSubmatch(read(t, page), -1) {
			if first, _, _ := strings.Cut(m[1], "/"); !tops[first] || goImport.MatchString(m[1]) {
				continue
			}
			found, err := filepath.Glob(filepath.Join(root, m[1]))
			require.NoError(t, err)
			below, err := filepath.Glob(filepath.Join(root, strings.TrimSuffix(path.Base(page), ".md"), m[1]))
			require.NoError(t, err)
			require.NotEmpty(t, append(found, below...), "%s names %s", page, m[1])
		}
	}
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the names by which GitHub links to the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		slug := noSlug.ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(strings.TrimSpace(slug), " ", "-"))
	}
	return all
}

var (
	exampleTable = regexp.MustCompile(`(?s)<!-- example: utf8 -->(.*?)<!-- end -->`)
	mentionsUTF8 = regexp.MustCompile(`\bf?UTF8\b|"utf8"|leaf\.utf8|o\.utf8|\bErrUTF8\b|\bValidUTF8\b`)
)

// TestWorkedExample: the table of CONTRIBUTING.md that shows where one option of
// a tag has its code names these files and no others.
func TestWorkedExample(t *testing.T) {
	table := exampleTable.FindString(read(t, "CONTRIBUTING.md"))
	var named, files []string
	for _, m := range filePath.FindAllStringSubmatch(table, -1) {
		named = append(named, m[1])
	}
	for _, dir := range []string{"span", "span/spanrt", "span/wire", "internal/layout", "internal/spangen/emit"} {
		for _, f := range production(t, dir) {
			if text := read(t, path.Join(dir, f)); f != "doc.go" && mentionsUTF8.MatchString(text) {
				files = append(files, path.Join(dir, f))
			}
		}
	}
	slices.Sort(files)
	slices.Sort(named)
	require.Equal(t, strings.Join(files, "\n"), strings.Join(named, "\n"), "files that mention utf8, and those of CONTRIBUTING.md's table")
}
