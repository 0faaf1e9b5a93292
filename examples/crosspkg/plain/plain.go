// Package plain has ordinary types: nobody has generated anything for them, and
// some can't be named from outside.
package plain

type country uint16

// Address is a struct with a field whose type is not exported.
type Address struct {
	Lines   []string
	Country country
	parsed  bool // no part of the layout
}

// New returns an address.
func New(code uint16, lines ...string) Address {
	return Address{Lines: lines, Country: country(code), parsed: true}
}

// Category is recursive.
type Category struct {
	Name string
	Sub  []*Category
}
