package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spanwire/spanwire/internal/spangen/emit"
	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
	"github.com/spanwire/spanwire/internal/spangen/output"
)

// Exit statuses.
const (
	exitOK      = 0
	exitProblem = 1 // problems in the code, or -check found something
	exitUsage   = 2
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a short run has memory to spare, it takes a quarter less time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the whole program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	start := time.Now()
	f, err := parseFlags(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, usage())
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "spangen: %v\nRun spangen -h for help.\n", err)
		return exitUsage
	case f.version:
		fmt.Fprintln(stdout, version())
		return exitOK
	}
	dir, err := workDir(f.chdir)
	if err != nil {
		fmt.Fprintf(stderr, "spangen: %v\n", err)
		return exitUsage
	}
	r := &reporter{dir: dir, stdout: stdout, stderr: stderr, start: start, verbose: f.verbose}
	result, err := gen.Generate(ctx, gen.Config{
		Load: load.Config{
			Dir: dir, Patterns: f.patterns, Tags: f.tags, Types: f.types, Output: f.output, Logf: r.logf,
			Env: append(os.Environ(), "PWD="+dir),
		},
		Emit:  emit.File,
		Guard: emit.Guard,
	})
	if err != nil {
		return r.fail(err)
	}
	if r.diagnostics(result.Diagnostics) {
		return exitProblem
	}
	if result.Types == 0 && result.Tagged == 0 {
		r.note("no types are marked in %s; put %s above a type", strings.Join(f.patterns, " "), load.Directive)
	}
	return r.finish(ctx, f, result)
}

// finish does with the files what the flags say.
func (r *reporter) finish(ctx context.Context, f *flags, result *gen.Result) int {
	var changed []gen.File
	for _, file := range result.Files {
		if file.Changed() {
			changed = append(changed, file)
		} else {
			r.logf("%s is up to date", r.name(file))
		}
	}
	switch {
	case f.check:
		r.diff(changed)
		for _, file := range changed {
			r.stale(file)
		}
		if len(changed) > 0 {
			return exitProblem
		}
	case f.diff:
		r.diff(changed)
	case f.dry:
		r.list(changed)
	default:
		if err := write(ctx, changed); err != nil {
			return r.fail(err)
		}
		for _, file := range changed {
			r.logf("%s %s", verb(file, "wrote", "removed"), r.name(file))
		}
	}
	r.logf("%d types in %d files, %d changed, %v in all", result.Types, len(result.Files), len(changed),
		time.Since(r.start).Round(time.Millisecond))
	return exitOK
}

func write(ctx context.Context, changed []gen.File) error {
	var files []output.File
	for _, f := range changed {
		files = append(files, output.File{Path: f.Path, Data: f.New})
	}
	return output.Write(ctx, files)
}

// workDir returns the directory to work in, absolute.
func workDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory", dir)
	}
	return dir, nil
}
