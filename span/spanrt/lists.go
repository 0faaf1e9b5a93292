package spanrt

import (
	"reflect"
	"strconv"
)

// lookAhead is the memory that a list gets before its elements have come.
const lookAhead = 64 << 10

// List returns s with length n, or with as many elements as 64 KiB hold, fewer for
// lists of lists, when its capacity is smaller than n: memory follows the bytes
// that are there.
// Extend adds more. The elements that s has are read into again; those between
// its length and its capacity may be others' by now, so they are new.
func List[T any](s []T, n int) []T {
	if n == len(s) {
		return s[:n] // which stores nothing where s is what it is assigned to
	}
	return makeList(s, n)
}

//go:noinline
func makeList[T any](s []T, n int) []T {
	have := len(s)
	if n < have {
		clear(s[n:]) // what they held need not live as long as s
		return s[:n]
	}
	size := int(reflect.TypeFor[T]().Size())
	if size > 0 && n > cap(s) {
		n = min(n, max(cap(s), AheadOf(reflect.TypeFor[T]())/size, 1))
	}
	if n <= cap(s) {
		s = s[:n]
		clear(s[have:])
		return s
	}
	l := make([]T, n)
	copy(l, s)
	return l
}

// Extend returns s with more elements: twice as many, n at most.
//
//go:noinline
func Extend[T any](s []T, n int) []T {
	l := make([]T, min(n, max(2*len(s), 1)))
	copy(l, s)
	return l
}

// Map returns m without entries, or a new map for n entries, nil for none. Room
// is made for as many as may be there; a larger number is only announced yet.
func Map[M ~map[K]V, K comparable, V any](m M, n int) M {
	switch {
	case m != nil:
		clear(m)
		return m
	case n == 0:
		return nil
	}
	return make(M, mapRoom[V](n))
}

// mapRoom returns how many of n entries with values of type V a new map gets room
// for.
//
//go:noinline
func mapRoom[V any](n int) int {
	if few := 16; n <= few {
		return n
	}
	return min(n, max(AheadOf(reflect.TypeFor[V]())>>6, 1))
}

// Index returns the path step of element i, "[3]".
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }
