// Spangen writes Go methods that encode and decode types in the span format.
//
// Usage:
//
//	spangen [flags] [packages]
//
// Packages are named as for go build; the default is the package in the current
// directory. A type is chosen by the comment
//
//	//span:generate
//
// on the line above it, or above the package clause for all types of a package,
// or by the flag -type. The methods of the types in order.go are written to
// order_span.go, those of the types in order_test.go to order_span_test.go.
// Outputs of -type and -o are kept up to date where they are. If the generated
// code depends on a struct that it can't spell out, such as one of another
// package with unexported fields, or on a struct of another module, spangen also
// writes the test order_span_guard_test.go, which fails when that struct has
// changed. Files written by spangen that are no longer needed are removed. The
// output is type-checked before it is written. If there is any error, nothing is
// written.
//
// The tags of package binary, which needs no generated code, are checked in all
// named packages.
//
// Flags:
//
//	-type A,B   generate for these types instead of the marked ones
//	-o file     name of the output; for a single source file only
//	-tags list  build tags, comma separated; GOOS and GOARCH count as well
//	-C dir      work in this directory
//	-n          print what would be written or removed, change nothing
//	-diff       print what would change as a unified diff, change nothing
//	-check      like -diff, and exit with status 1 if a file is stale,
//	            missing or orphaned
//	-v          report progress and times on standard error
//	-version    print the version
//	-h          print this help
//
// Examples:
//
//	//go:generate go tool spangen            in a Go file, then: go generate
//	spangen ./...                            all packages of a module
//	spangen -check ./...                     in continuous integration
//	spangen -type Order,Line -o wire.go      two types of the current package
//	GOOS=windows spangen ./...               the files that only Windows builds
//
// The exit status is 0 for success, 1 for problems or stale files, and 2 for
// wrong usage.
package main

import (
	_ "embed"
	"strings"
)

//go:embed doc.go
var source string

// usage returns the help: the package documentation above.
func usage() string {
	doc, _, _ := strings.Cut(source, "\npackage main")
	return strings.ReplaceAll(strings.ReplaceAll("\n"+doc+"\n", "\n// ", "\n"), "\n//", "\n")[1:]
}
