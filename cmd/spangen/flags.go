package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

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
			return fmt.Errorf("%s is a file; name packages, since the types of a file are known only from its whole package", p)
		}
		if strings.HasPrefix(p, "-") {
			return fmt.Errorf("the flag %s comes after a package; flags come first", p)
		}
	}
	return nil
}

// splitNames splits a list by commas and blanks.
func splitNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// version returns the version of the module that spangen was built from.
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
