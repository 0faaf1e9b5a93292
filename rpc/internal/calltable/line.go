package calltable

import "slices"

// Line is those who wait for a number, in their order. The owner's lock guards it; the zero value is empty.
type Line[Waiter any] struct {
	all   []Waiter
	first int // those before it have left
}

const lineKept = 256 // room that an empty line keeps

// Waiting reports whether there is anybody in line.
func (l *Line[Waiter]) Waiting() bool { return l.first < len(l.all) }

// Len returns how many are in line.
func (l *Line[Waiter]) Len() int { return len(l.all) - l.first }

// Push puts w at the end of the line.
func (l *Line[Waiter]) Push(w Waiter) {
	if l.first > len(l.all)/2 && len(l.all) == cap(l.all) {
		l.all, l.first = slices.Delete(l.all, 0, l.first), 0
	}
	l.all = append(l.all, w)
}

// Pop takes the first out of the line. There must be one.
func (l *Line[Waiter]) Pop() Waiter {
	var zero Waiter
	w := l.all[l.first]
	l.all[l.first] = zero
	if l.first++; !l.Waiting() {
		if l.all, l.first = l.all[:0], 0; cap(l.all) > lineKept {
			l.all = nil
		}
	}
	return w
}

// Remove takes the first for whom is is true out of the line, and reports whether there was one.
func (l *Line[Waiter]) Remove(is func(Waiter) bool) bool {
	i := slices.IndexFunc(l.all[l.first:], is)
	if i >= 0 {
		l.all = slices.Delete(l.all, l.first+i, l.first+i+1)
	}
	return i >= 0
}

// Keep lets those stay for whom stays is true, which may change them.
func (l *Line[Waiter]) Keep(stays func(*Waiter) bool) {
	kept := l.all[:0]
	for i := l.first; i < len(l.all); i++ {
		if w := &l.all[i]; stays(w) {
			kept = append(kept, *w)
		}
	}
	clear(l.all[len(kept):])
	l.all, l.first = kept, 0
}
