package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// The scripts that a plain go test runs, all at once and in process: those that
// begin with genok and those that begin with generr, up to their next step.
var (
	accepted = []string{
		"a01_generics", "a04_generic_alias", "a06_import_collisions", "a13_embedding", "a18_named_types", "a19_map_keys",
		"a23_recursion", "methods",
	}
	refused = []string{"a11_name_clash", "a21_unsupported", "a45_tags", "directives"}
)

// TestTogether puts the packages of twelve scripts into one module. One run
// generates for the accepted ones, a second finds nothing to do; the tests of all
// of them then are one program. One run tells what is wrong with the others.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, prepare(dir))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	var tests string
	for _, name := range accepted {
		unpack(t, dir, "ok", name)
		tests += testsOf(t, filepath.Join(dir, "ok", name), name)
	}
	want := map[string]string{}
	for _, name := range refused {
		want[name] = unpack(t, dir, "bad", name)
	}

	require.Empty(t, spangen(t, exitOK, "-C", dir, "./ok/..."))
	require.Empty(t, spangen(t, exitOK, "-C", dir, "-check", "./ok/..."))
	place(t, filepath.Join(dir, "all_test.go"), "package all\n\nimport (\n\t\"testing\"\n"+imports("ok", accepted)+")\n\nfunc TestAll(t *testing.T) {\n"+tests+"}\n")
	goTest(t, dir)

	told := spangen(t, exitProblem, "-C", dir, "./bad/...")
	for _, name := range refused {
		var own string
		for line := range strings.Lines(told) {
			if line, ok := strings.CutPrefix(line, filepath.Join("bad", name)+"/"); ok {
				own += line
			}
		}
		own = strings.ReplaceAll(own, "example.test/m/bad/"+name, "example.test/m")
		require.Equal(t, want[name], own, name)
		require.NoFileExists(t, filepath.Join(dir, "bad", name, "m_span.go"))
	}
}

// goTest runs the tests of a module as if it lay in testdata: the build cache
// knows its packages again, which it would not in the folder of each run. Vet
// does not work so; the scripts have it.
func goTest(t *testing.T, dir string) {
	t.Helper()
	home, err := filepath.Abs("testdata")
	require.NoError(t, err)
	replace := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			replace[filepath.Join(home, strings.TrimPrefix(path, dir))] = path
		}
		return err
	}))
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	place(t, file, string(overlay))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", file, ".")
	cmd.Dir = home
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// spangen runs the tool in this process and returns what it says.
func spangen(t *testing.T, want int, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	require.Equal(t, want, run(context.Background(), args, io.Discard, &stderr), "%s", &stderr)
	return stderr.String()
}

// unpack writes the Go files of a script below a folder of its own, tests as
// ordinary files, and returns what the script wants to be told.
func unpack(t *testing.T, dir, kind, name string) (told string) {
	t.Helper()
	script, err := txtar.ParseFile(filepath.Join("testdata", "script", name+".txtar"))
	require.NoError(t, err)
	moved := strings.NewReplacer(`"example.test/m/check"`, `"example.test/m/check"`,
		`"example.test/m"`, `"example.test/m/`+kind+`/`+name+`"`, `"example.test/m/`, `"example.test/m/`+kind+`/`+name+`/`)
	for _, f := range script.Files {
		if f.Name == "want.txt" {
			told = string(f.Data)
		}
		if file, ok := strings.CutSuffix(f.Name, ".go"); ok {
			file = strings.TrimSuffix(file, "_test") + strings.Repeat("_check", strings.Count(file, "_test")) + ".go"
			place(t, filepath.Join(dir, kind, name, filepath.FromSlash(file)), moved.Replace(string(f.Data)))
		}
	}
	return told
}

func place(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

func imports(kind string, names []string) (text string) {
	for _, name := range names {
		text += fmt.Sprintf("\n\t%s %q", name, "example.test/m/"+kind+"/"+name)
	}
	return text + "\n"
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w*)\(`)

// testsOf returns calls of the tests in a folder.
func testsOf(t *testing.T, dir, name string) (calls string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_check.go"))
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			calls += fmt.Sprintf("\tt.Run(%q, %s.%s)\n", name, name, m[1])
		}
	}
	require.NotEmpty(t, calls, name)
	return calls
}
