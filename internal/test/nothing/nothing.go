// Package nothing has types with values that take no byte, with generated
// methods.
package nothing

// Nil has pointers in NewLife's profile to what takes no byte: they read as nil.
//
//span:generate
type Nil struct {
	_     struct{} `span:"newlife"`
	First int32
	One   *struct{}
	Array [2]*struct{}
	Part  struct{ In *struct{} }
	Inner Inner
	Last  int32
}

// Inner takes no byte either.
type Inner struct {
	_ struct{} `span:"newlife"`
	P *struct{}
	A [0]string
}
