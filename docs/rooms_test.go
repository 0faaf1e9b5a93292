package docs_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rooms are the pages that have a table of the files of packages: what is in
// each and who may touch what.
var rooms = []struct {
	page string
	dirs []string // the first is that of tables before any heading that names a folder
}{
	{"docs/span.md", []string{"span", "span/wire", "span/spanrt"}},
	{"docs/spangen.md", []string{
		"cmd/spangen", "internal/spangen/gen", "internal/spangen/load", "internal/spangen/model",
		"internal/spangen/emit", "internal/spangen/output",
	}},
	{"docs/layout.md", []string{"internal/layout", "internal/layout/binaryplan", "internal/layout/fromreflect", "internal/layout/fromtypes"}},
	{"docs/binary.md", []string{"binary", "internal/mem"}},
	{"docs/rpc.md", []string{"rpc"}},
	{"docs/rpc-values.md", []string{"rpc/value", "rpc/value/internal/dotnet"}},
}

var (
	roomHeading = regexp.MustCompile("^#+ .*`([a-z]+(?:/[a-z]+)*)`")
	roomFile    = regexp.MustCompile("`([\\w*]+\\.go)`")
)

// TestRooms: every production file of a package with a table stands in it once,
// and every file of the table exists. Names may be patterns. A doc.go needs no
// row, nor does generated code.
func TestRooms(t *testing.T) {
	for _, r := range rooms {
		t.Run(r.page, func(t *testing.T) {
			named := filesOf(read(t, r.page), r.dirs[0])
			for _, dir := range r.dirs {
				files := production(t, dir)
				var rows []string
				for _, p := range named[dir] {
					found := match(p, files)
					require.NotEmpty(t, found, "files of %s called %s, as %s says", dir, p, r.page)
					rows = append(rows, found...)
				}
				files = slices.DeleteFunc(files, func(f string) bool { return f == "doc.go" && !slices.Contains(rows, f) })
				slices.Sort(rows)
				slices.Sort(files)
				require.Equal(t, strings.Join(files, "\n"), strings.Join(rows, "\n"), "the files of %s, and those in the tables of %s", dir, r.page)
			}
		})
	}
}

// production returns the names of the files in a folder that are neither tests
// nor generated.
func production(t *testing.T, dir string) []string {
	var files []string
	for _, f := range tracked(t, dir+"/*.go") {
		base := path.Base(f)
		if path.Dir(f) == dir && !strings.HasSuffix(base, "_test.go") && !strings.HasSuffix(base, "_span.go") {
			files = append(files, base)
		}
	}
	return files
}

// match returns the names that a pattern is for.
func match(pattern string, names []string) (found []string) {
	for _, name := range names {
		if ok, _ := path.Match(pattern, name); ok {
			found = append(found, name)
		}
	}
	return found
}

// filesOf returns the files that the tables of a page name, by folder.
func filesOf(text, dir string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		if m := roomHeading.FindStringSubmatch(line); m != nil {
			dir = m[1]
		}
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range roomFile.FindAllStringSubmatch(cells[1], -1) {
				all[dir] = append(all[dir], m[1])
			}
		}
	}
	return all
}
