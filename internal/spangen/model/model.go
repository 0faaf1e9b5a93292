// Package model is what is to be generated, as plain data: the loader fills it
// in, the emitter renders it.
package model

import (
	"go/token"
	"go/types"

	"github.com/spanwire/spanwire/internal/layout"
)

// Package is one package with types to generate for. The external test package
// (name ending in _test) of a folder is a Package of its own.
type Package struct {
	Path  string // import path
	Name  string // package clause
	Types *types.Package
	Files []*File // in the order of their source's names

	// Describe returns what layout knows of a type, for types that the emitter
	// meets below the fields; it is the feed the plans were compiled from.
	Describe layout.Feed
	// Generated reports whether the type has generated methods: it is generated
	// in this run or its package bears the marker.
	Generated func(layout.Ref) bool
	// IsOthers reports whether a path is that of a package outside the user's
	// own modules.
	IsOthers func(path string) bool
	// Constraint returns the constraint of the file that declares the type, ""
	// when it has none or is of another package: types of constrained files are
	// never folded into code of other files.
	Constraint func(layout.Ref) string
}

// File is one output file.
type File struct {
	Source     string // path of the source file
	Output     string // path of the file to write
	Stem       string // of the source's base name, an identifier: suffix of unexported functions
	Constraint string // the source's build constraint as an expression, its name's GOOS and GOARCH included; "" for none
	Types      []*Type
}

// Type is one type to generate methods for.
type Type struct {
	Name   string
	Object *types.TypeName
	Pos    token.Position
	Ref    layout.Ref
	Plan   *layout.Plan
	// Params are the names of a generic declaration's type parameters.
	Params []string
}
