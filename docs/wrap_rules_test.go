package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFragments has what a block may be, and what it may not.
func TestFragments(t *testing.T) {
	for _, row := range []struct{ name, code, want string }{
		{"declarations", "type T struct{ At time.Time }\n", "package page\nimport \"time\"\n//line p.md:1\ntype T struct{ At time.Time }\n"},
		{"statements", "b, err := span.Marshal(v)\n", "package page\nimport \"" + project + "span\"\nfunc _() {\n//line p.md:1\nb, err := span.Marshal(v)\n_ = b\n_ = err\n}\n"},
		{"a return", "return err\n", "package page\nfunc _() error {\n//line p.md:1\nreturn err\n}\n"},
		{"a variable of a package's name", "span.Marshal(v)\n", "package page\nfunc _() {\n//line p.md:1\nspan.Marshal(v)\n}\n"},
		{"dots for what is left out", "func f() { ... }\n", ""},
		{"a bracket that is missing", "if x {\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, err := wrap(block{page: "p.md", line: 1, code: row.code}, "page", map[string]bool{"span": row.name[0] == 'a'})
			if row.want == "" {
				require.ErrorContains(t, err, "p.md:")
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.want, f.src)
		})
	}
}

// TestBlocks has the comments that say what a block belongs to.
func TestBlocks(t *testing.T) {
	list, err := blocks("p.md", "a\n```go\none\n```\n<!-- go: package old -->\n\n```go\ntwo\n```\n```\nno Go\n```\n<!-- go: prelude\nthree\n-->\n```go\npackage four\n```\n")
	require.NoError(t, err)
	require.Equal(t, []block{
		{page: "p.md", line: 3, code: "one\n"},
		{page: "p.md", line: 8, unit: "old", code: "two\n"},
		{page: "p.md", line: 14, code: "three\n"},
		{page: "p.md", line: 17, unit: "at17", code: "package four\n", alone: true},
	}, list)
	for _, text := range []string{"```go\n", "<!-- go prelude\n-->\n"} {
		_, err := blocks("p.md", text)
		require.Error(t, err, text)
	}
}
