package span_test

import (
	"go/build"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/span"
)

// TestSurface: a user can hold the package in the head. What only generated code
// calls is in package spanrt, or behind Fast and Plan.
func TestSurface(t *testing.T) {
	out, err := exec.Command("go", "doc", "-short", ".").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.LessOrEqual(t, len(lines), 60, "lines of go doc -short:\n%s", out)

	for _, typ := range []reflect.Type{reflect.TypeFor[*span.Reader](), reflect.TypeFor[*span.Writer]()} {
		require.LessOrEqual(t, typ.NumMethod(), 30, "methods of %s", typ)
	}
}

// TestOptionsHaveEntryPoints: what a function does under the default, the method
// of its name does under options. None takes options of its own.
func TestOptionsHaveEntryPoints(t *testing.T) {
	functions := map[string]any{
		"Marshal": span.Marshal, "Append": span.Append, "MarshalWrite": span.MarshalWrite, "Size": span.Size,
		"AppendMarked": span.AppendMarked, "ConsumeMarked": span.ConsumeMarked,
		"Unmarshal": span.Unmarshal, "UnmarshalFirst": span.UnmarshalFirst, "UnmarshalRead": span.UnmarshalRead,
		"NewEncoder": span.NewEncoder, "NewDecoder": span.NewDecoder,
		"NewReader": span.NewReader, "NewStreamReader": span.NewStreamReader,
		"NewWriter": span.NewWriter, "NewFixedWriter": span.NewFixedWriter, "NewStreamWriter": span.NewStreamWriter,
	}
	o := reflect.ValueOf(span.Options{})
	for name, f := range functions {
		m := o.MethodByName(name)
		require.True(t, m.IsValid(), name)
		require.Equal(t, reflect.TypeOf(f), m.Type(), name)
		require.False(t, m.Type().IsVariadic(), name)
	}
	require.Equal(t, len(functions), o.NumMethod())
}

// TestForGeneratedCodeOnly: whatever is not for users says so first.
func TestForGeneratedCodeOnly(t *testing.T) {
	for _, name := range []string{"FastReader", "FastWriter", "Keys", "Plan", "PlanOf", "Sized", "Reader.Fast", "Writer.Fast", "./spanrt"} {
		args := []string{"doc", name}
		if strings.HasPrefix(name, ".") {
			args = []string{"doc", "-short=false", name}
		}
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		require.Contains(t, strings.Join(strings.Fields(string(out)), " "), "is for generated code only", name)
	}
}

// TestRooms: no arrow between packages runs up.
func TestRooms(t *testing.T) {
	const module = "github.com/spanwire/spanwire/"
	for dir, allowed := range map[string][]string{
		".":                        {"internal/...", "span/spanrt", "span/wire"},
		"./spanrt":                 {"span/wire"},
		"./wire":                   nil,
		"../internal/spangen/emit": {"internal/..."},
		"../internal/spangen/gen":  {"internal/..."},
		"../internal/spangen/load": {"internal/..."},
		"../internal/layout":       {"internal/..."},
	} {
		for _, tags := range [][]string{nil, {"purego"}} {
			context := build.Default
			context.BuildTags = tags
			pkg, err := context.ImportDir(dir, 0)
			require.NoError(t, err)
			for _, path := range pkg.Imports {
				own, ours := strings.CutPrefix(path, module)
				ok := !ours || slices.ContainsFunc(allowed, func(a string) bool {
					below, all := strings.CutSuffix(a, "...")
					return own == a || all && strings.HasPrefix(own, below)
				})
				require.True(t, ok, "%s imports %s", dir, path)
			}
		}
	}
}

// TestGeneratedImports: generated code imports the packages span and spanrt, what
// its types need, and the standard library.
func TestGeneratedImports(t *testing.T) {
	for _, dir := range []string{"../examples/quickstart/tour", "../examples/newlife", "../examples/generics", "../internal/floormodel", "../internal/vectors/models", "../internal/test/rude"} {
		pkg, err := build.ImportDir(dir, 0)
		require.NoError(t, err)
		seen := 0
		for path, places := range pkg.ImportPos {
			for _, at := range places {
				if !strings.HasSuffix(at.Filename, "_span.go") {
					continue
				}
				seen++
				ours := strings.HasPrefix(path, "github.com/spanwire/spanwire/span")
				require.False(t, ours && !strings.HasSuffix(path, "/span") && !strings.HasSuffix(path, "/span/spanrt"), "%s imports %s", at, path)
			}
		}
		require.NotZero(t, seen, dir)
	}
}
