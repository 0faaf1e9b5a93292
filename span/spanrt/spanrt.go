// Package spanrt is for generated code only: it holds the pure functions that
// the code which spangen generates is made of. They trust their caller to have
// compared lengths before; programs have no use for them, and they change with
// the generator.
//
// Everything here imports package wire and the standard library alone. What
// needs the state of a cursor or of a plan is in package span, behind
// Reader.Fast, Writer.Fast and Plan.
package spanrt

import (
	"errors"

	"github.com/spanwire/spanwire/span/wire"
)

// The versions of generated code that this package supports, from the oldest to
// the newest. Generated code is of version 1; it assigns the differences to a
// uint to see that this lies between them, so that the compiler's message names the side that is too old and
// what to run.
const (
	GeneratedCodeIsOldRunGoGenerate  = 1
	PackageSpanIsOldRunGoGetSpanwire = 1
)

// RunGoGenerate is called with the structs that generated code was made for, each
// as it was then. A call that does not compile tells of a struct that has changed
// since: run go generate.
func RunGoGenerate[Struct any](Struct) {}

const (
	// MaxLength is wire.MaxLength.
	MaxLength = wire.MaxLength
	// MaxNanosecond is wire.MaxNanosecond.
	MaxNanosecond = wire.MaxNanosecond

	// MaxDepth is the default limit of how deep types that lie on a cycle may
	// nest.
	MaxDepth = 1000
)

// ErrPlan is what a part of generated code returns where the plan must write the
// value.
var ErrPlan = errors.New("span: the plan writes this value")
