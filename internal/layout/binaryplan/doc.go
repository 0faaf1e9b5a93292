// Package binaryplan is the dialect of package binary: it holds every rule about
// binary tags, the types that have a form there, and what is refused.
//
// As package layout, on whose feeds, problems and option tables it stands, it
// knows neither package reflect nor package go/types. [Compiler.Compile] turns
// one type, under the options that plans depend on, into a tree of [Node]
// values and every reason why the type makes no sense. Package binary feeds it
// from reflect and walks the plan; spangen feeds it from source and reports the
// reasons with their places.
//
// # Rooms
//
//	option.go     the table of options: one row each, with its argument, the members
//	              it is for, and what may and must stand beside it
//	tag.go        a tag as a set of options, semicolons and alternatives included
//	plan.go       what a plan is made of: data alone, the contract with package binary
//	compile.go    types to nodes: kinds, built-in types, methods
//	struct.go     members: which fields count, embedded structs, blank fields
//	member.go     what a tag makes of its member: lengths, null, checksums
//	constant.go   const
//	bits.go       runs of bit fields
//	link.go       members that tags name: lengths, conditions, starts of sums
//	settle.go     what follows from the parts: fewest bytes, members that must be there
//	ruler.go      values of fixed size, and what may stand behind an open member
//
// A new option is a row in option.go, a field of [Field] or [Length] in plan.go,
// and its use in member.go or link.go; package binary then writes and reads it.
package binaryplan
