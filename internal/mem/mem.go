// Package mem is the one layer through which values are read and written by
// address: plans, and the walkers of packages span and binary over them, know
// nothing of package unsafe. It has two forms of the same functions, mem_unsafe.go
// and, under the build tag purego, mem_purego.go over package reflect.
//
// An address is kept in variables of functions and nowhere else: it may be of a
// value on the stack, which moves when the stack grows, and only then are its
// addresses found and corrected. Nothing is checked here: what an address is of
// is known from the plan.
package mem

import (
	"reflect"
)

// CopyOf returns the address of a copy of v.
//
//go:noinline
func CopyOf(v any) Ptr {
	x := reflect.New(reflect.TypeOf(v))
	x.Elem().Set(reflect.ValueOf(v))
	return Target(x)
}

// Grow gives the slice of type t at p length n. Its old elements stay.
func Grow(t reflect.Type, p Ptr, n int) {
	if n > Cap(p) {
		v := Value(t, p)
		v.Grow(n - v.Len())
	}
	SetLen(p, n)
}

// SetEmpty makes the slice of type t at p empty and not nil.
func SetEmpty(t reflect.Type, p Ptr) { Value(t, p).Set(reflect.MakeSlice(t, 0, 0)) }

// SetZero makes the value of type t at p zero.
func SetZero(t reflect.Type, p Ptr) { Value(t, p).SetZero() }
