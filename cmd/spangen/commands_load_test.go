package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spanwire/spanwire/internal/spangen/load"
)

// fields n file: writes a struct Large of n fields that cycle through eight
// kinds.
func fields(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	kinds := []string{"uint8", "int32", "string", "[]byte", "float64", "[]uint16", "map[string]int64", "time.Time"}
	var b strings.Builder
	b.WriteString("package m\n\nimport \"time\"\n\n" + load.Directive + "\ntype Large struct {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tF%d %s\n", i, kinds[i%len(kinds)])
	}
	b.WriteString("}\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o666))
}

// concurrent processes rounds file...: starts spangen that many times at once,
// again and again; each time all succeed and the outputs are what they were
// before, whole whenever anybody looks.
func concurrent(ts *testscript.TestScript, _ bool, args []string) {
	processes, err := strconv.Atoi(args[0])
	ts.Check(err)
	rounds, err := strconv.Atoi(args[1])
	ts.Check(err)
	want := map[string]string{}
	for _, name := range args[2:] {
		want[ts.MkAbs(name)] = ts.ReadFile(name)
	}
	stop := make(chan struct{})
	var partial error
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for path, text := range want {
				if now, err := os.ReadFile(path); err == nil && string(now) != text {
					partial = fmt.Errorf("%s was seen with other content", path)
					return
				}
			}
		}
	})
	for round := range rounds {
		for path := range want {
			ts.Check(os.Remove(path))
		}
		runs := make([]error, processes)
		var all sync.WaitGroup
		for i := range runs {
			all.Go(func() { runs[i] = runTool(ts, i%3+1) })
		}
		all.Wait()
		for _, err := range runs {
			if err != nil {
				ts.Fatalf("round %d: %v", round, err)
			}
		}
		for path, text := range want {
			now, err := os.ReadFile(path)
			ts.Check(err)
			if string(now) != text {
				ts.Fatalf("round %d: %s differs from a single run", round, filepath.Base(path))
			}
		}
	}
	close(stop)
	reader.Wait()
	ts.Check(partial)
	snapshot(ts)
}

// runTool runs spangen with a number of processors.
func runTool(ts *testscript.TestScript, procs int) error {
	// The tool of scripts is this test's own program under another name.
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, "spangen"); path == "" && exists(p) {
			path = p
		}
	}
	cmd := exec.Command(path)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOROOT", "GOPROXY", "GOFLAGS", "TMPDIR", "GOTOOLCHAIN"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Env = append(cmd.Env, "GOMAXPROCS="+strconv.Itoa(procs))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
