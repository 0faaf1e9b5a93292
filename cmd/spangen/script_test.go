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
)

var update = flag.Bool("update", false, "write the diagnostics of this run into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"spangen": main,
	})
}

// TestScripts runs the tool as its users do. The scripts have commands beside
// those of package testscript; see commands_test.go.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command many times")
	}
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
// checkout. The helper package example.test/m/check is added.
func prepare(dir string) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
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
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "$SPANWIRE", root)), 0o666)
	})
	if own || err != nil {
		return err
	}
	text := strings.ReplaceAll(goMod, "$SPANWIRE", root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return err
	}
	helper, err := os.ReadFile(filepath.Join("testdata", "check", "check.go"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "check"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "check", "check.go"), helper, 0o666)
}
