// Package recursive has types that hold themselves, with generated methods.
package recursive

// Tree is a tree of slices.
//
//span:generate
type Tree struct {
	Name string
	Kids []Tree
}

// Heavy has much behind its list.
//
//span:generate
type Heavy struct {
	Kids []Heavy
	Data [64]int64
}

// Nest is nothing but lists.
//
//span:generate
type Nest []Nest

// Mixed reaches itself in every way.
//
//span:generate
type Mixed struct {
	List  []Mixed
	Ptrs  []*Mixed
	Next  *Mixed
	Named map[string]Mixed
	Sized *Mixed `span:"sized"`
	Deep  [][]Mixed
	N     uint16
}
