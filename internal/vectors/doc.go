// Package vectors holds this module to the messages recorded from NewLife.Core.
//
// A recording is a file of JSON lines. Each line names a model (or an operation
// of SpanWriter), a value and the bytes that the real library made of it or took
// for it. [Run] reads a file and checks every line in every [Form] in which
// values can be written and read here, by default and under Options.Compat.
//
// What must be done with a line follows from the line's content alone, never
// from its name, so that other recordings of the same models can be tried: set
// the environment variable SPANWIRE_VECTORS to their folder, which need not have
// all files. A line of an unknown model or operation, or with members or options
// that nobody knows, fails alone.
//
// The recordings were made in the time zone UTC+8; Run makes that the local
// zone while it runs.
package vectors
