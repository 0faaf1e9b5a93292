// Package generics shows code for generic types: instances used as fields are
// written as if they were spelt out, and a generic declaration gets methods that
// hold for every instance.
package generics

import "time"

//go:generate go tool spangen

// Number is what a Range may be over.
type Number interface {
	~int32 | ~int64 | ~float64
}

// Range bears the directive, so that every instance has methods.
//
//span:generate
type Range[N Number] struct {
	From, To N
}

// Optional needs no directive to be a field of types that have one.
type Optional[T any] struct {
	Value *T
}

// Tree is recursive and has two parameters.
//
//span:generate
type Tree[K comparable, V any] struct {
	Key   K
	Value V
	Kids  []*Tree[K, V]
}

// Celsius is a type of one's own for a parameter.
type Celsius float64

// Forecast uses instances as fields.
//
//span:generate
type Forecast struct {
	Place string
	Day   Range[Celsius]
	Hours []Range[int32]
	Rain  Optional[Range[float64]]
	Times map[string]Optional[time.Time]
	Areas *Tree[string, Celsius]
}
