package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/test"
)

// write puts the files of a result in place.
func write(t *testing.T, r *Result) {
	t.Helper()
	for _, f := range r.Files {
		if f.New == nil {
			require.NoError(t, os.Remove(f.Path))
			continue
		}
		require.NoError(t, os.WriteFile(f.Path, f.New, 0o666))
	}
}

// changes gives what a result would do, by name.
func changes(r *Result) map[string]string {
	all := map[string]string{}
	for _, f := range r.Files {
		switch {
		case f.New == nil:
			all[filepath.Base(f.Path)] = "removed"
		case f.Changed():
			all[filepath.Base(f.Path)] = "written"
		}
	}
	return all
}

const order = "package m\n\n//span:generate\ntype Order struct{ ID int32 }\n\ntype Line struct{ N int32 }\n"

// TestOutputsOfEarlierRuns has outputs under other names, or of -type, beside those
// of a plain run (G8).
func TestOutputsOfEarlierRuns(t *testing.T) {
	test.Long(t) // many runs of the go command
	dir := spanModule(t, map[string]string{"order.go": order})
	plain := Config{Load: load.Config{Dir: dir}}
	named := Config{Load: load.Config{Dir: dir, Output: "x.go"}}
	line := Config{Load: load.Config{Dir: dir, Output: "line.go", Types: []string{"Line"}}}

	write(t, run(t, plain))
	r := run(t, named)
	require.Equal(t, map[string]string{"x.go": "written", "order_span.go": "removed"}, changes(r))
	require.Equal(t, []string{"warning: order_span.go: the methods of Order stand in x.go now, so this file is not needed any more"}, messages(dir, r))
	write(t, r)

	// A plain run keeps the output where it is, and that of -type up to date.
	require.Empty(t, changes(run(t, plain)))
	write(t, run(t, line))
	require.Empty(t, changes(run(t, plain)))
	text := strings.ReplaceAll(order, "N int32", "N int64")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "order.go"), []byte(text), 0o666))
	r = run(t, plain)
	require.Equal(t, map[string]string{"line.go": "written"}, changes(r))
	write(t, r)

	// A third place for both, of which one is taken.
	both := Config{Load: load.Config{Dir: dir, Output: "both.go", Types: []string{"Order", "Line"}}}
	r = run(t, both)
	require.Equal(t, map[string]string{"both.go": "written", "line.go": "removed", "x.go": "removed"}, changes(r))
	write(t, r)
	require.Empty(t, changes(run(t, plain)))
	require.Equal(t, []string{
		"both.go: it has methods of Line as line.go is to have them, and of Order beside; generate it again for these alone, with -type Order -o both.go, or remove it",
	}, messages(dir, run(t, line)))

	// The types are gone.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "order.go"), []byte("package m\n"), 0o666))
	require.Equal(t, map[string]string{"both.go": "removed"}, changes(run(t, plain)))
}

// TestOutputFollowsItsConstraint has a source that gets a constraint, so that this
// platform does not build it any more, but would its output (G3).
func TestOutputFollowsItsConstraint(t *testing.T) {
	test.Long(t) // many runs of the go command
	const tagged = "//go:build never && !ever\n\n"
	dir := spanModule(t, map[string]string{"order.go": order, "other.go": "package m\n"})
	plain := Config{Load: load.Config{Dir: dir}}
	write(t, run(t, plain))
	before, err := os.ReadFile(filepath.Join(dir, "order_span.go"))
	require.NoError(t, err)
	for _, step := range []struct{ constraint, want string }{
		{tagged, "//go:build never && !ever\n"}, {"//go:build !linux && !ever && never\n\n", "//go:build !linux && !ever && never\n"}, {"", ""},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "order.go"), []byte(step.constraint+order), 0o666))
		r := run(t, plain)
		require.Equal(t, map[string]string{"order_span.go": "written"}, changes(r), step.constraint)
		write(t, r)
		require.Empty(t, changes(run(t, plain)))
		text, err := os.ReadFile(filepath.Join(dir, "order_span.go"))
		require.NoError(t, err)
		if step.want == "" {
			require.Equal(t, string(before), string(text))
			continue
		}
		require.Equal(t, load.Header+"\n//\n"+step.want+strings.TrimPrefix(string(before), load.Header+"\n"), string(text))
		// The platform that builds it writes the same.
		tags := run(t, Config{Load: load.Config{Dir: dir, Tags: "never"}})
		if step.constraint == tagged {
			require.Empty(t, changes(tags))
		}
	}
}
