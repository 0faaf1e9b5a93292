// Spangen writes Go methods that encode and decode types in the span format.
//
// Usage:
//
//	spangen [flags] [packages]
//
// Packages are named as for go build; the default is the package of the current
// folder. A type is chosen by the comment
//
//	//span:generate
//
// on the line above it, or above the package clause for all types of a package,
// or by the flag -type. The types of order.go get their methods in order_span.go,
// those of order_test.go in order_span_test.go; outputs of -type and -o are kept up
// to date where they are. Where the generated code depends on a struct that it can't
// spell out, such as one of another package with unexported fields, or on one of
// another module, the test order_span_guard_test.go fails when that has changed.
// Files that spangen wrote and that nothing needs any more are removed. What is
// written has been type-checked. When anything is wrong, nothing is written.
//
// Tags of package binary, which needs no generated code, are checked wherever a
// named package has some.
//
// Flags:
//
//	-type A,B   generate for these types instead of the marked ones
//	-o file     name of the output; for a single source file only
//	-tags list  build tags, comma separated; GOOS and GOARCH count as well
//	-C dir      work in this folder
//	-n          print what would be written or removed, change nothing
//	-diff       print what would change as a unified diff, change nothing
//	-check      like -diff, and exit with status 1 if there is anything:
//	            for files that are stale, missing or orphaned
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
// Exit status: 0 done, 1 problems or stale files, 2 wrong usage.
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
