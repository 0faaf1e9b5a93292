package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spanwire/spanwire/internal/spangen/load"
)

// commands are what scripts may use besides testscript's own commands.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"genok":      genOK,
	"generr":     genErr,
	"crlf":       crlf,
	"fields":     fields,
	"concurrent": concurrent,
	"age":        age,
	"status2":    status2,
}

// genOK [flags and packages]: spangen succeeds, the module then builds and
// passes vet, its output is formatted and bears the header, a second run changes
// nothing, no temporary file is left.
func genOK(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("use generr")
	}
	ts.Check(ts.Exec("spangen", args...))
	stderr := ts.ReadFile("stderr")
	refuseTrace(ts, stderr)
	before := snapshot(ts)
	for path, f := range before {
		if strings.HasSuffix(path, ".go") && load.IsOwn([]byte(f.text)) {
			checkOutput(ts, path, f.text)
		}
	}
	ts.Check(ts.Exec("go", "build", "./..."))
	ts.Check(ts.Exec("go", "vet", "./..."))
	ts.Check(ts.Exec("spangen", args...))
	ts.Check(sameFiles(before, snapshot(ts)))
}

// genErr [flags and packages]: spangen fails with status 1 and without a stack
// trace, and no file has been touched. The script compares stderr.
func genErr(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("use genok")
	}
	before := snapshot(ts)
	err := ts.Exec("spangen", args...)
	if err == nil {
		ts.Fatalf("spangen succeeded")
	}
	if err.Error() != "exit status 1" {
		ts.Fatalf("spangen: %v", err)
	}
	refuseTrace(ts, ts.ReadFile("stderr"))
	ts.Check(sameFiles(before, snapshot(ts)))
}

// status2 args...: spangen refuses its arguments.
func status2(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("spangen", args...)
	if !neg || err == nil || err.Error() != "exit status 2" {
		ts.Fatalf("spangen: %v", err)
	}
}

func refuseTrace(ts *testscript.TestScript, stderr string) {
	for _, word := range []string{"panic", "goroutine ", "a fault of spangen"} {
		if strings.Contains(stderr, word) {
			ts.Fatalf("stderr has %q:\n%s", word, stderr)
		}
	}
}

// checkOutput verifies what every generated file must be.
func checkOutput(ts *testscript.TestScript, path, text string) {
	if !strings.HasPrefix(text, load.Header+"\n") {
		ts.Fatalf("%s does not begin with the header:\n%.200s", path, text)
	}
	formatted, err := format.Source([]byte(text))
	ts.Check(err)
	if string(formatted) != text {
		ts.Fatalf("%s is not formatted", path)
	}
	for _, bad := range []string{"\r", `import "C"`, ts.Getenv("WORK")} {
		if strings.Contains(text, bad) {
			ts.Fatalf("%s contains %q", path, bad)
		}
	}
}

type fileState struct {
	text  string
	mtime time.Time
}

// snapshot reads all files of a script, and refuses temporary ones.
func snapshot(ts *testscript.TestScript) map[string]fileState {
	all := map[string]fileState{}
	work := ts.Getenv("WORK")
	ts.Check(filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "/.tmp/") {
			return err
		}
		if strings.HasSuffix(path, ".tmp") {
			return fmt.Errorf("%s is left over", path)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = fileState{string(text), info.ModTime()}
		return err
	}))
	return all
}

// sameFiles compares two snapshots, times of modification included.
func sameFiles(a, b map[string]fileState) error {
	for path, f := range a {
		g, ok := b[path]
		switch {
		case !ok:
			return fmt.Errorf("%s is gone", path)
		case g.text != f.text:
			return fmt.Errorf("%s has changed", path)
		case !g.mtime.Equal(f.mtime):
			return fmt.Errorf("%s was written again without need", path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			return fmt.Errorf("%s is new", path)
		}
	}
	return nil
}

// crlf file...: gives the files CRLF line ends.
func crlf(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := bytes.ReplaceAll([]byte(ts.ReadFile(name)), []byte("\n"), []byte("\r\n"))
		ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o666))
	}
}

// age file...: makes the files an hour old, so that writing them again shows.
func age(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		old := time.Now().Add(-time.Hour)
		ts.Check(os.Chtimes(ts.MkAbs(name), old, old))
	}
}
