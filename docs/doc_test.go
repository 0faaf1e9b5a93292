// Package docs_test holds the pages of this project, which have no code of their
// own, against the project: their Go blocks compile, the numbers that tests
// mention are explained, every file stands in its table, and translations are
// in step.
package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the module's folder as tests of this package see it.
const root = ".."

// pages returns the Markdown files in root and in docs, and that of the
// examples, relative to root.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"examples/README.md"}
	for _, dir := range []string{"", "docs"} {
		found, err := filepath.Glob(filepath.Join(root, dir, "*.md"))
		require.NoError(t, err)
		for _, f := range found {
			all = append(all, filepath.ToSlash(filepath.Join(dir, filepath.Base(f))))
		}
	}
	return all
}

// read returns the text of a file, named relative to root.
func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(b)
}

// tracked returns the files that git knows or would add, relative to root. Where
// there is no git, as in a module that was downloaded, t is skipped.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"ls-files", "--cached", "--others", "--exclude-standard", "--"}, patterns...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("needs a clone and git: ", err)
	}
	var files []string
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files
}

// holdPart compares the part of a page between the comments <!-- name:begin -->
// and <!-- name:end --> with what it should be, or writes it under -update.
func holdPart(t *testing.T, page, name, want string) {
	t.Helper()
	text, begin, end := read(t, page), "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
	i, j := strings.Index(text, begin), strings.Index(text, end)
	require.True(t, i >= 0 && j >= i, "%s has no part %s", page, name)
	i += len(begin)
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join(root, page), []byte(text[:i]+want+text[j:]), 0o666))
		return
	}
	require.Equal(t, want, text[i:j], "run go test ./docs -update")
}
