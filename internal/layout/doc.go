// Package layout holds every rule about what a Go type looks like on the wire:
// which fields count, what their tags mean, which profile applies, how wide
// each value is and what is refused.
//
// It knows neither package reflect nor package go/types. A [Feed] describes
// types as plain data ([Shape]); [Compile] turns one of them into a [Node]
// tree, the wire plan, or into the complete list of [Problem] values. The
// run-time library feeds it from reflect, the generator from go/types; because
// all rules are here, both arrive at the same plan or at the same problems.
//
// Package fromreflect and package fromtypes are the two feeds; package corpus
// holds the types through which they are compared.
//
// The dialect here is that of package span; package binaryplan has that
// of package binary. See docs/layout.md for what is in which file.
//
// Directive comments never reach this package: they choose what is generated
// and must not change a byte.
package layout
