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

// levelsOf has the levels of the types that were met.
var levelsOf sync.Map

// levels returns how many lists and maps lie within each other below t. Types
// that lead to each other in a circle count once, with all their lists: those
// claim what they get.
func levels(t reflect.Type) int {
	if !leads(t) {
		return 0
	}
	if n, ok := levelsOf.Load(t); ok {
		return n.(int)
	}
	w := leveler{seen: map[reflect.Type]int{}, found: map[reflect.Type]int{}}
	w.visit(t)
	for t, n := range w.found {
		levelsOf.Store(t, n)
	}
	return w.found[t]
}

// leads reports whether values of a type hold others.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array, reflect.Pointer, reflect.Map, reflect.Struct:
		return true
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8 // takes memory for the bytes that are there
	}
	return false
}

// eachPart calls f with the types that values of t hold, and 1 where they are
// elements of a list or map.
func eachPart(t reflect.Type, f func(part reflect.Type, level int)) {
	switch t.Kind() {
	case reflect.Slice:
		f(t.Elem(), 1)
	case reflect.Map:
		f(t.Key(), 1)
		f(t.Elem(), 1)
	case reflect.Array, reflect.Pointer:
		f(t.Elem(), 0)
	case reflect.Struct:
		for i := range t.NumField() {
			if fd := t.Field(i); fd.IsExported() || fd.Anonymous {
				f(fd.Type, 0)
			}
		}
	}
}

// A leveler finds circles of types by Tarjan's algorithm, the innermost first, so
// that each type is looked at once.
type leveler struct {
	seen  map[reflect.Type]int // in which order, from 1
	stack []reflect.Type       // those whose circle is not complete
	found map[reflect.Type]int // the levels of the others
}

// visit returns the earliest type on the stack that t leads to.
func (w *leveler) visit(t reflect.Type) (low int) {
	at := len(w.stack)
	w.stack = append(w.stack, t)
	w.seen[t] = len(w.seen) + 1
	low = w.seen[t]
	eachPart(t, func(part reflect.Type, _ int) {
		if !leads(part) {
			return
		}
		if _, done := w.found[part]; done {
			return
		}
		if n := w.seen[part]; n > 0 {
			low = min(low, n)
		} else {
			low = min(low, w.visit(part))
		}
	})
	if low == w.seen[t] {
		w.close(w.stack[at:])
		w.stack = w.stack[:at]
	}
	return low
}

// close notes the levels of the types of a circle, or of a single one.
func (w *leveler) close(circle []reflect.Type) {
	within, below := 0, 0
	for _, t := range circle {
		eachPart(t, func(part reflect.Type, level int) {
			switch n, done := w.found[part]; {
			case !leads(part):
				below = max(below, level)
			case done:
				below = max(below, level+n)
			default:
				within = max(within, level)
			}
		})
	}
	for _, t := range circle {
		w.found[t] = max(within, below)
	}
}
