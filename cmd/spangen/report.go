package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/spanwire/spanwire/internal/spangen/gen"
	"github.com/spanwire/spanwire/internal/spangen/load"
)

// reporter prints: results on stdout, all else on stderr.
type reporter struct {
	dir            string
	stdout, stderr io.Writer
	start          time.Time
	verbose        bool
}

func (r *reporter) logf(format string, args ...any) {
	if r.verbose {
		fmt.Fprintf(r.stderr, "spangen: "+format+"\n", args...)
	}
}

func (r *reporter) note(format string, args ...any) {
	fmt.Fprintf(r.stderr, "spangen: "+format+"\n", args...)
}

// fail reports an error that ended the run.
func (r *reporter) fail(err error) int {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted, nothing was written")
	}
	r.note("%v", err)
	return exitProblem
}

// diagnostics prints them all and reports whether one is an error.
func (r *reporter) diagnostics(all []load.Diagnostic) bool {
	for _, d := range all {
		if d.Pos.Filename == "" {
			r.note("%s", d.Format(r.dir))
		} else {
			fmt.Fprintln(r.stderr, d.Format(r.dir))
		}
	}
	return load.Failed(all)
}

// diff prints the changes as unified diffs.
func (r *reporter) diff(changed []gen.File) {
	for _, f := range changed {
		before, after := "a/"+r.name(f), "b/"+r.name(f)
		if f.Old == nil {
			before = "/dev/null"
		}
		if f.New == nil {
			after = "/dev/null"
		}
		_, _ = r.stdout.Write(diff.Diff(before, f.Old, after, f.New))
	}
}

// list prints what would be done.
func (r *reporter) list(changed []gen.File) {
	for _, f := range changed {
		fmt.Fprintf(r.stdout, "%s %s\n", verb(f, "write", "remove"), r.name(f))
	}
}

// stale says why -check fails.
func (r *reporter) stale(f gen.File) {
	why := "is stale: run go generate"
	switch {
	case f.Old == nil:
		why = "is missing: run go generate"
	case f.New == nil:
		why = "is orphaned, nothing is generated for its source anymore: run go generate to remove it"
	}
	fmt.Fprintf(r.stderr, "%s %s\n", r.name(f), why)
}

func (r *reporter) name(f gen.File) string { return load.Relative(r.dir, f.Path) }

func verb(f gen.File, write, remove string) string {
	if f.New == nil {
		return remove
	}
	return write
}
