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

// changes returns what a result would do, by name.
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

// TestOutputsOfEarlierRuns has outputs under other names, or of -type, besides
// those of a plain run (G8).
func TestOutputsOfEarlierRuns(t *testing.T) {
	test.Long(t)
	dir := spanModule(t, map[string]string{"order.go": order})
	plain := Config{Load: load.Config{Dir: dir}}
	named := Config{Load: load.Config{Dir: dir, Output: "x.go"}}
	line := Config{Load: load.Config{Dir: dir, Output: "line.go", Types: []string{"Line"}}}

	write(t, run(t, plain))
	r := run(t, named)
	require.Equal(t, map[string]string{"x.go": "written", "order_span.go": "removed"}, changes(r))
	require.Equal(t, []string{"warning: order_span.go: the methods of Order are now in x.go, so this file is no longer needed"}, messages(dir, r))
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
		"both.go: it has the methods of Line, which belong in line.go, and also those of Order; generate it again for the latter alone, with -type Order -o both.go, or remove it",
	}, messages(dir, run(t, line)))

	// The types are gone.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "order.go"), []byte("package m\n"), 0o666))
	require.Equal(t, map[string]string{"both.go": "removed"}, changes(run(t, plain)))
}

// TestOutputFollowsItsConstraint has a source that gets a constraint, so that
// this platform does not build it anymore, but would its output (G3).
func TestOutputFollowsItsConstraint(t *testing.T) {
	test.Long(t)
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

// TestSpoiltOutput has outputs that a crash or an editor left behind (G23).
func TestSpoiltOutput(t *testing.T) {
	test.Long(t)
	dir := spanModule(t, map[string]string{"order.go": order})
	plain, named := Config{Load: load.Config{Dir: dir}}, Config{Load: load.Config{Dir: dir, Output: "x.go"}}
	usual := filepath.Join(dir, "order_span.go")
	r := run(t, plain)
	want := string(r.Files[0].New)
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n", "zeros": strings.Repeat("\x00", 512), "half": load.Header + "\n\npackage m\n\nfunc (v *Order) Size" + strings.Repeat("\x00", 40),
		"BOM": "\ufeff" + want, "CRLF": strings.ReplaceAll(want, "\n", "\r\n"), "header alone": load.Header,
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(usual, []byte(text), 0o666))
			r := run(t, plain)
			require.Empty(t, messages(dir, r))
			require.Equal(t, map[string]string{"order_span.go": "written"}, changes(r))
			require.Equal(t, want, string(r.Files[0].New))
			require.NoError(t, os.Remove(usual))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "x.go"), []byte(text), 0o666))
			r = run(t, named)
			require.Empty(t, messages(dir, r))
			require.Equal(t, map[string]string{"x.go": "written"}, changes(r))
			require.NoError(t, os.Remove(filepath.Join(dir, "x.go")))
		})
	}
	require.NoError(t, os.WriteFile(usual, []byte("package m\n"), 0o666))
	require.Equal(t, []string{"order_span.go: the file exists and was not written by spangen; rename it, or the source file"}, messages(dir, run(t, plain)))
}

// TestNamesOfOutputs has names under which the go command would not find the
// methods, or only sometimes (G23).
func TestNamesOfOutputs(t *testing.T) {
	test.Long(t)
	dir := spanModule(t, map[string]string{
		"order.go": order, "k_linux/k_linux.go": "package k\n\n//span:generate\ntype K struct{ N int8 }\n",
		"tagged/k.go": "//go:build linux\n\npackage k\n\n//span:generate\ntype K struct{ N int8 }\n",
	})
	for _, row := range []struct{ in, name, want string }{
		{"", "_x.go", "-o: the go command ignores files whose names begin with _ or a dot, so the methods would be missing"},
		{"", ".x.go", "-o: the go command ignores files whose names begin with _ or a dot, so the methods would be missing"},
		{"", "x_windows.go", "-o: only builds for windows include a file named x_windows.go, so others would lack the methods; choose another name, or add the constraint windows to the source"},
		{"", "x_linux_arm64.go", "-o: only builds for linux include a file named x_linux_arm64.go, so others would lack the methods; choose another name, or add the constraint linux to the source"},
		{"", "windows.go", ""},
		{"k_linux", "x_linux.go", ""},
		{"k_linux", "x.go", ""},
		{"k_linux", "x_linux_amd64.go", "-o: only builds for amd64 include a file named x_linux_amd64.go, so others would lack the methods; choose another name, or add the constraint amd64 to the source"},
		{"tagged", "x_linux.go", ""},
	} {
		r, err := Generate(t.Context(), Config{
			Load: load.Config{Dir: filepath.Join(dir, row.in), Patterns: []string{"."}, Output: row.name, Env: append(os.Environ(), "GOFLAGS=", "GOOS=linux", "GOARCH=amd64")},
			Emit: echo,
		})
		require.NoError(t, err)
		require.Equal(t, row.want, strings.Join(messages(dir, r), "\n"), row.name)
	}
}
