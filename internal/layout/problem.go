package layout

import "strings"

// Code classifies a Problem. Codes are stable: tests and users may compare them.
type Code string

// The codes of layout problems.
const (
	CodeUnsupported  Code = "unsupported-type"  // chan, func, interface, uintptr, unsafe.Pointer
	CodeMapKey       Code = "unsupported-key"   // map keys that are or hold pointers or interfaces, or have fields that are not on the wire
	CodeUnresolved   Code = "unresolved-type"   // go/types could not resolve the type
	CodeOpaque       Code = "opaque-type"       // only unexported fields of another package
	CodeEmbedded     Code = "embedded-pointer"  // embedded pointer to an unexported struct type
	CodeTagSyntax    Code = "tag-syntax"        // malformed struct tag
	CodeTagUnknown   Code = "tag-unknown"       // unknown option
	CodeTagDuplicate Code = "tag-duplicate"     // an option or the key given twice
	CodeTagValue     Code = "tag-value"         // an option's value is missing, superfluous or out of range
	CodeTagConflict  Code = "tag-conflict"      // options that exclude each other
	CodeTagTarget    Code = "tag-target"        // an option that finds no fitting value in the field's type
	CodeOptional     Code = "optional-order"    // a field without optional after one with it
	CodeNesting      Code = "optional-nesting"  // a struct with optional fields nested without sized
	CodeMethods      Code = "ambiguous-methods" // methods that may be promoted
	CodeMarshaler    Code = "no-marshaler"      // tag or type option marshal on a type without such methods
	CodeEmpty        Code = "empty-elements"    // a list without a max of elements that may take no byte
	CodeOmit         Code = "omit-path"         // the option omit names what is not there
	CodeReference    Code = "tag-reference"     // binary: a tag names a member that is not there, or not fit
	CodeOpenEnd      Code = "open-end"          // binary: what comes after a member that takes the rest of the input
	CodeLimit        Code = "limit"             // binary: more than a plan can have
	CodeRecursive    Code = "infinite-type"     // a type of which every value would be endless
)

// Problem is one reason why a type has no wire form.
type Problem struct {
	Code Code
	Path string // field path from the root type, such as "Order.Lines[].Price"; starts with the type's unqualified name
	// Owner and Field name the struct field that is at fault: the deepest on
	// the path. Field is -1 when the type itself is at fault.
	Owner  Ref
	Field  int
	Type   string // the offending type, printed with package paths
	Reason string // what is wrong, a clause without final period
	Fix    string // what to do about it, a clause without final period
}

// A Fault is a problem without its place.
type Fault struct {
	Code        Code
	Reason, Fix string
}

// Error returns the path, the reason and the remedy on one line.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Path)
	b.WriteString(": ")
	b.WriteString(p.Reason)
	if p.Fix != "" {
		b.WriteString("; ")
		b.WriteString(p.Fix)
	}
	return b.String()
}

// Error is all problems of a type as one error.
type Error struct {
	Kind     error // what it wraps
	Problems []Problem
}

// Error returns one problem per line, with its path, reason and remedy.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Kind.Error())
	for i := range e.Problems {
		b.WriteString("\n\t")
		b.WriteString(e.Problems[i].Error())
	}
	return b.String()
}

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }
