// Package binaryplan is the dialect of package binary: it holds every rule about
// binary tags, the types that have a form there, and what is refused.
//
// Like package layout, whose feeds, problems and option tables it uses, it
// knows neither package reflect nor package go/types. [Compiler.Compile] turns
// one type, under the options that plans depend on, into a tree of [Node]
// values and every reason why the type makes no sense. Package binary feeds it
// from reflect and walks the plan; spangen feeds it from source and reports the
// reasons with their places.
//
// See docs/layout.md for what is in which file.
package binaryplan
