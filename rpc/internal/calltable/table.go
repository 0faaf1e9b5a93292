// Package calltable numbers the calls under way on one connection: a [Table] gives numbers out, retires and frees them, and has
// what belongs to each; a [Line] is those who wait for one.
package calltable

import "math/bits"

// Numbers is how many numbers there are: a Standard frame's has 8 bits.
const Numbers = 256

// Table has the calls under way on one connection by their numbers: a Slot of each, which is to be small and is cleared with the
// call, and a Rare of few. Codecs without numbers use it as a queue: their numbers are counted here and never leave.
//
// The owner's lock guards it. The zero value is ready to use.
type Table[Slot, Rare any] struct {
	slots   [Numbers]Slot
	busy    [Words]uint64 // numbers in use, and retired ones
	odd     [Words]uint64 // those in seen, old or kept
	last    byte          // the number given last
	oldest  byte          // queue: the number that is answered next is one higher
	n       int           // calls under way
	retired int
	late    [Words]uint64 // retired: given up without an answer
	seen    [Words]uint64 // calls that the last look at them has seen
	old     [Words]uint64 // those that the look before that has seen, too
	kept    [Words]uint64 // those with a Rare that is not empty
	rare    [Numbers]Rare
}

// Words is how many words of numbers Look has.
const Words = Numbers / 64

// bit is where number n is in the words.
func bit(n byte) (word byte, mask uint64) { return n / 64, 1 << (n % 64) }

// Len returns how many calls are under way.
func (t *Table[Slot, Rare]) Len() int { return t.n }

// Retired returns how many numbers are retired.
func (t *Table[Slot, Rare]) Retired() int { return t.retired }

// Slot returns the slot of a number.
func (t *Table[Slot, Rare]) Slot(n byte) *Slot { return &t.slots[n] }

// Rare returns what few calls have, to be read.
func (t *Table[Slot, Rare]) Rare(n byte) *Rare { return &t.rare[n] }

// Keep returns what few calls have, to be written to. It is empty at first, and when the number is free.
func (t *Table[Slot, Rare]) Keep(n byte) *Rare {
	w, m := bit(n)
	t.odd[w] |= m
	t.kept[w] |= m
	return &t.rare[n]
}

// Full reports whether no further number may be given out: limit may be under way. Those that are promised count as given.
func (t *Table[Slot, Rare]) Full(limit, promised int) bool {
	n := t.n + promised
	return n >= limit || n+t.retired >= Numbers
}

// Next returns the next number that is not in use: 1 to 255, 0 and so on. There must be one.
func (t *Table[Slot, Rare]) Next() byte {
	if n := t.last + 1; t.busy[n/64]>>(n%64)&1 == 0 { // as good as always
		return n
	}
	i := uint(t.last) + 1
	for {
		w := i / 64 % Words
		if m := ^t.busy[w] >> (i % 64); m != 0 {
			return byte(i + uint(bits.TrailingZeros64(m)))
		}
		i = (i | 63) + 1
	}
}

// Passing returns the number of a message that nobody waits for an answer to.
func (t *Table[Slot, Rare]) Passing() byte {
	if t.n+t.retired >= Numbers {
		t.last++
	} else {
		t.last = t.Next()
	}
	return t.last
}

// Put gives the next number to a call.
func (t *Table[Slot, Rare]) Put() (byte, *Slot) {
	n := t.Next()
	return n, t.Give(n)
}

// Give gives number n, which is free, to a call.
func (t *Table[Slot, Rare]) Give(n byte) *Slot {
	t.last = n
	t.busy[n/64] |= 1 << (n % 64)
	t.n++
	return &t.slots[n]
}

// Undo takes back the Put of n, the number given last.
func (t *Table[Slot, Rare]) Undo(n byte) {
	t.Drop(n)
	t.last = n - 1
}

// Drop ends the wait for number n and frees it.
func (t *Table[Slot, Rare]) Drop(n byte) {
	t.n--
	if t.Free(n) {
		t.Forget(n)
	}
	var zero Slot
	t.slots[n] = zero
}

// Free is a part of Drop, for those who end many calls at once: what is left to do is to clear the slot, to Forget the number where
// Free is true, and to count all of them with Dropped.
func (t *Table[Slot, Rare]) Free(n byte) (odd bool) {
	w, m := bit(n)
	t.busy[w] &^= m
	return t.odd[w]&m != 0
}

// Dropped counts calls that Free has ended.
func (t *Table[Slot, Rare]) Dropped(calls int) { t.n -= calls }

// Forget clears what is known of a number beside its slot.
//
//go:noinline
func (t *Table[Slot, Rare]) Forget(n byte) { // apart, so that what is usual goes into its callers
	w, m := bit(n)
	t.odd[w] &^= m
	t.seen[w] &^= m
	t.old[w] &^= m
	if t.kept[w]&m != 0 {
		t.kept[w] &^= m
		var zero Rare
		t.rare[n] = zero
	}
}

// Retire ends the wait for number n, which stays in use until its answer comes.
func (t *Table[Slot, Rare]) Retire(n byte) {
	t.clear(n)
	w, m := bit(n)
	t.late[w] |= m
	t.n--
	t.retired++
}

// Answered reports whether an answer to n is one that came late, and frees the number.
func (t *Table[Slot, Rare]) Answered(n byte) bool {
	w, m := bit(n)
	if t.late[w]&m == 0 {
		return false
	}
	t.late[w] &^= m
	t.busy[w] &^= m
	t.retired--
	t.clear(n)
	return true
}

func (t *Table[Slot, Rare]) clear(n byte) {
	var zero Slot
	t.slots[n] = zero
	if w, m := bit(n); t.odd[w]&m != 0 {
		t.Forget(n)
	}
}

// Waits reports whether a call waits for number n.
func (t *Table[Slot, Rare]) Waits(n byte) bool {
	w, m := bit(n)
	return t.busy[w]&m != 0 && t.late[w]&m == 0
}

// Oldest returns the number that is answered next, in a queue.
func (t *Table[Slot, Rare]) Oldest() byte { return t.oldest + 1 }

// Done says that number n was answered last, in a queue.
func (t *Table[Slot, Rare]) Done(n byte) { t.oldest = n }

// Since returns how many numbers were given after n, in a queue.
func (t *Table[Slot, Rare]) Since(n byte) int { return int(t.last - n) }

// Forgo takes the last numbers back, in a queue whose calls have ended: Since counts without them.
func (t *Table[Slot, Rare]) Forgo(numbers int) { t.last -= byte(numbers) }

// Look notes which of the calls of a word of numbers wait, and returns those that did at the last two looks.
func (t *Table[Slot, Rare]) Look(word int) (wait, old uint64) {
	wait, old = t.busy[word]&^t.late[word], t.old[word]
	t.seen[word], t.old[word] = wait, wait&t.seen[word]
	t.odd[word] |= wait
	return wait, old
}

// Kept returns those of a word of numbers with a Rare that is not empty.
func (t *Table[Slot, Rare]) Kept(word int) uint64 { return t.kept[word] }

// Seen reports whether the call that the last look has seen with number n has not ended.
func (t *Table[Slot, Rare]) Seen(n byte) bool { return t.seen[n/64]>>(n%64)&1 != 0 }

// Each calls f for the numbers that calls wait for.
func (t *Table[Slot, Rare]) Each(f func(n byte, s *Slot, r *Rare)) {
	for w := range t.busy {
		for m := t.busy[w] &^ t.late[w]; m != 0; m &= m - 1 {
			n := byte(w*64 + bits.TrailingZeros64(m))
			f(n, &t.slots[n], &t.rare[n])
		}
	}
}
