package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

const usage = `Spangen writes Go methods that encode and decode types in the span format.

Usage:

	spangen [flags] [packages]

Packages are named as for go build; the default is the package of the current
folder. A type is chosen by the comment

	//span:generate

on the line above it, or above the package clause for all types of a package,
or by the flag -type. The types of order.go get their methods in order_span.go,
those of order_test.go in order_span_test.go; outputs of -type and -o are kept up
to date where they are. Where the generated code depends on a struct that it can't
spell out, such as one of another package with unexported fields, or on one of
another module, the test order_span_guard_test.go tells when that has changed.
Files that spangen wrote and that nothing needs any more are removed. What is
written has been type-checked. When anything is wrong, nothing is written.

Flags:

	-type A,B   generate for these types instead of the marked ones
	-o file     name of the output; for a single source file only
	-tags list  build tags, comma separated; GOOS and GOARCH count as well
	-C dir      work in this folder
	-n          print what would be written or removed, change nothing
	-diff       print what would change as a unified diff, change nothing
	-check      like -diff, and exit with status 1 if there is anything:
	            for files that are stale, missing or orphaned
	-v          report progress and times on standard error
	-version    print the version
	-h          print this help

Examples:

	//go:generate go tool spangen            in a Go file, then: go generate
	spangen ./...                            all packages of a module
	spangen -check ./...                     in continuous integration
	spangen -type Order,Line -o wire.go      two types of the current package
	GOOS=windows spangen ./...               the files that only Windows builds

Exit status: 0 done, 1 problems or stale files, 2 wrong usage.
`

var errHelp = errors.New("help")

type flags struct {
	patterns            []string
	types               []string
	output, tags, chdir string
	dry, diff, check    bool
	verbose, version    bool
}

// parseFlags reads the command line.
func parseFlags(args []string) (*flags, error) {
	f := &flags{}
	set := flag.NewFlagSet("spangen", flag.ContinueOnError)
	set.SetOutput(io.Discard) // the caller prints
	set.Usage = func() {}
	names := set.String("type", "", "")
	set.StringVar(&f.output, "o", "", "")
	set.StringVar(&f.tags, "tags", "", "")
	set.StringVar(&f.chdir, "C", ".", "")
	set.BoolVar(&f.dry, "n", false, "")
	set.BoolVar(&f.diff, "diff", false, "")
	set.BoolVar(&f.check, "check", false, "")
	set.BoolVar(&f.verbose, "v", false, "")
	set.BoolVar(&f.version, "version", false, "")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, errHelp
		}
		return nil, err
	}
	given := false
	set.Visit(func(fl *flag.Flag) { given = given || fl.Name == "type" })
	if given {
		f.types = splitNames(*names)
		if len(f.types) == 0 {
			return nil, errors.New("-type needs at least one name")
		}
	}
	f.patterns = set.Args()
	if len(f.patterns) == 0 {
		f.patterns = []string{"."}
	}
	return f, f.verify()
}

// verify refuses what contradicts itself.
func (f *flags) verify() error {
	modes := 0
	for _, on := range []bool{f.dry, f.diff, f.check} {
		if on {
			modes++
		}
	}
	if modes > 1 {
		return errors.New("-n, -diff and -check exclude each other")
	}
	for _, p := range f.patterns {
		if strings.HasSuffix(p, ".go") {
			return fmt.Errorf("%s is a file; name packages, the whole package of a file is needed to know its types", p)
		}
		if strings.HasPrefix(p, "-") {
			return fmt.Errorf("the flag %s stands behind a package; flags come first", p)
		}
	}
	return nil
}

// splitNames splits a list by commas and blanks.
func splitNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// version gives the version of the module that spangen was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "spangen (unknown version)"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	return "spangen " + v + " " + info.GoVersion
}
