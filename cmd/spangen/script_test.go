package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spanwire/spanwire/internal/test"
)

var update = flag.Bool("update", false, "write the diagnostics of this run into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"spangen": main,
	})
}

// TestScripts runs the tool as its users do. The scripts have commands besides
// those of package testscript; see commands_test.go.
func TestScripts(t *testing.T) {
	test.Long(t) // runs the go command many times; see TestTogether
	env := goEnv(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			return prepare(e.WorkDir)
		},
	})
}

// goEnv gives scripts the build cache and nothing from the network.
func goEnv(t *testing.T) []string {
	t.Helper()
	vars := []string{"GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		out, err := exec.CommandContext(context.Background(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		vars = append(vars, name+"="+strings.TrimSpace(string(out)))
	}
	return vars
}

func condition(cond string) (bool, error) {
	switch cond {
	case "cgo":
		_, err := exec.LookPath("gcc")
		return err == nil, nil
	case "full": // .ci/run full
		return test.Count(0, 0, 1) == 1, nil
	case "root":
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("no condition %q", cond)
}

const goMod = `module example.test/m

go 1.26.0

require github.com/spanwire/spanwire v0.0.0

replace github.com/spanwire/spanwire => $SPANWIRE
`

// prepare makes a script's folder a module that takes spanwire from this
// checkout, unless it brings go.mod files of its own; in those $SPANWIRE is the
// checkout and $REQUIRE what it requires. The helper package
// example.test/m/check is added.
func prepare(dir string) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	fill := strings.NewReplacer("$SPANWIRE", root, "$REQUIRE", requirements(string(mod)))
	own := false
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "go.mod" {
			return err
		}
		own = true
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(fill.Replace(string(text))), 0o666)
	})
	if err != nil {
		return err
	}
	if own {
		return copyFile(filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(fill.Replace(goMod)), 0o666); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "check"), 0o777); err != nil {
		return err
	}
	return copyFile(filepath.Join("testdata", "check", "check.go"), filepath.Join(dir, "check", "check.go"))
}

// requirements returns the require directives of a go.mod file.
func requirements(mod string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(mod) {
		switch {
		case strings.HasPrefix(line, "require ("):
			inside = true
		case strings.HasPrefix(line, "require "):
			b.WriteString(line)
		case strings.HasPrefix(line, ")"):
			inside = false
		case inside:
			b.WriteString("require " + strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}
