package spanrt

import (
	"reflect"
	"sync"
)

// Lists within lists. A count is believed as far as the input can hold its
// elements, and so each level of lists within each other may believe the same
// bytes. The innermost ones get 64 KiB before their elements are read, and each
// level around them an eighth of what is within, so that all that are open at a
// time hold little more than one alone.

// AheadOf returns the memory that a list or map whose elements have type t may
// get before they are read.
func AheadOf(t reflect.Type) int {
	const most = 4
	return lookAhead >> (3 * min(levels(t), most))
}

// levelsOf has what levels found.
var levelsOf sync.Map

// levels returns how many lists and maps lie within each other below t, those of
// types that hold themselves counted once: they claim what they get.
func levels(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Array, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Struct:
	default:
		return 0
	}
	if n, ok := levelsOf.Load(t); ok {
		return n.(int)
	}
	n := countLevels(t, map[reflect.Type]bool{})
	levelsOf.Store(t, n)
	return n
}

// countLevels is levels for a type that is not below those on the way to it.
func countLevels(t reflect.Type, way map[reflect.Type]bool) int {
	if way[t] {
		return 0
	}
	way[t] = true
	defer delete(way, t)
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return 0 // takes memory for the bytes that are there
		}
		return 1 + countLevels(t.Elem(), way)
	case reflect.Map:
		return 1 + max(countLevels(t.Key(), way), countLevels(t.Elem(), way))
	case reflect.Array, reflect.Pointer:
		return countLevels(t.Elem(), way)
	case reflect.Struct:
		most := 0
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() || f.Anonymous {
				most = max(most, countLevels(f.Type, way))
			}
		}
		return most
	}
	return 0
}
