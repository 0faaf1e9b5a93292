package vectors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// env names the folder to read recordings from instead of testdata/vectors.
const env = "SPANWIRE_VECTORS"

// Run reads the recording in the named file and checks every line in every form,
// by default and under Options.Compat: one subtest a line and form. It must not
// run beside other tests, since it sets the local time zone.
func Run(t *testing.T, file string, forms ...Form) {
	recordedZone(t)
	for _, l := range load(t, file) {
		t.Run(l.Name, func(t *testing.T) { runLine(t, &l, forms) })
	}
}

// runLine checks one line.
func runLine(t *testing.T, l *Line, forms []Form) {
	if l.Bad != nil {
		t.Fatalf("%s: %v", l.At, l.Bad)
	}
	if l.Op != "" && l.Model == "" {
		each2(t, "primitives", l, func(t *testing.T, o span.Options) { runOp(t, l, o) })
		return
	}
	for _, f := range forms {
		each2(t, f.Name, l, func(t *testing.T, o span.Options) {
			c := check{t, l, f, o}
			if l.Op != "" {
				c.runMarked()
				return
			}
			c.run()
		})
	}
}

// each2 runs a subtest by default and one under Compat.
func each2(t *testing.T, name string, l *Line, f func(*testing.T, span.Options)) {
	o := l.Options
	t.Run(name, func(t *testing.T) { f(t, o) })
	o.Compat = true
	t.Run(name+"-compat", func(t *testing.T) { f(t, o) })
}

// recordedZone makes UTC+8 the local zone for the length of a test.
func recordedZone(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("UTC+8", 8*60*60)
	t.Cleanup(func() { time.Local = local })
}

// load reads the lines of a recording. Where the environment names another
// folder, that need not have all files.
func load(t *testing.T, file string) []Line {
	path, elsewhere := find(t, file)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) && elsewhere {
		t.Skipf("%s has no %s", env, file)
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := Parse(file, data)
	if len(lines) == 0 {
		t.Skipf("%s has no lines", file)
	}
	return lines
}

// find gives the path of a recording.
func find(t *testing.T, file string) (path string, elsewhere bool) {
	if dir := os.Getenv(env); dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			t.Fatalf("%s: no folder %s: %v", env, dir, err)
		}
		return filepath.Join(dir, file), true
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "testdata", "vectors", file)
		if _, err := os.Stat(path); err == nil {
			return path, false
		}
		parent := filepath.Dir(dir)
		if parent == dir || strings.HasSuffix(dir, string(filepath.Separator)) {
			t.Fatalf("testdata/vectors/%s is nowhere above the test", file)
		}
		dir = parent
	}
}
