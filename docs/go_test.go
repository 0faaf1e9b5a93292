package docs_test

import (
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
)

// TestGoBlocksParse: every Go block of every page is a file, declarations or
// statements, as gofmt writes them.
func TestGoBlocksParse(t *testing.T) {
	for _, u := range units(t) {
		for _, f := range u.files {
			formatted, err := format.Source([]byte(f.code))
			require.NoError(t, err, "the Go block at %s", f.at())
			require.Equal(t, string(formatted), f.code, "the Go block at %s and what gofmt makes of it", f.at())
		}
	}
}

// TestGoBlocksCompile: they compile, go vet finds nothing in them, and their
// tests and examples pass. All are packages of one module, a user's.
func TestGoBlocksCompile(t *testing.T) {
	test.Long(t)
	dir := userModule(t)
	for _, u := range units(t) {
		require.NoError(t, os.Mkdir(filepath.Join(dir, u.dir), 0o777))
		for i, f := range u.files {
			name := fmt.Sprintf("block%d.go", i)
			if f.test {
				name = fmt.Sprintf("block%d_test.go", i)
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, u.dir, name), []byte(f.src), 0o666))
		}
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
	}
}

// userModule makes a module that requires this one, and returns its folder.
func userModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	_, requires, found := strings.Cut(read(t, "go.mod"), "\n\n")
	require.True(t, found)
	module := "module example.com/pages\n\n" + requires + "\nrequire " + strings.TrimSuffix(project, "/") +
		" v0.0.0\n\nreplace " + strings.TrimSuffix(project, "/") + " => " + top + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(read(t, "go.sum")), 0o666))
	return dir
}

// A unit is one package of blocks.
type unit struct {
	dir   string
	files []file
}

// units returns the packages that the blocks of all pages make.
func units(t *testing.T) []unit {
	t.Helper()
	var all []unit
	for _, page := range pages(t) {
		list, err := blocks(page, read(t, page))
		require.NoError(t, err)
		grouped := map[string][]block{}
		for _, b := range list {
			grouped[b.unit] = append(grouped[b.unit], b)
		}
		stem := strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(strings.TrimSuffix(page, ".md"))
		for _, name := range slices.Sorted(maps.Keys(grouped)) {
			u := unit{dir: strings.TrimSuffix(stem+"_"+name, "_")}
			u.files = wrapAll(t, grouped[name])
			all = append(all, u)
		}
	}
	return all
}

// wrapAll makes files of the blocks of one package.
func wrapAll(t *testing.T, list []block) []file {
	t.Helper()
	name, declared := "shop", map[string]bool{} // what examples are about
	for _, b := range list {
		if b.alone {
			name = cmp.Or(strings.TrimSuffix(packageClause.FindStringSubmatch(b.code)[1], "_test"), name)
		}
		declares(b, declared)
	}
	var files []file
	for _, b := range list {
		f, err := wrap(b, name, declared)
		require.NoError(t, err, "the Go block at %s", b.at())
		files = append(files, f)
	}
	return files
}
