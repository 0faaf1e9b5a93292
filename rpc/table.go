package rpc

import (
	"context"
	"math/bits"

	"github.com/spanwire/spanwire/rpc/frame"
)

// slot is a call that waits for its answer: blocking (call) or with a callback (fn). Streams have neither.
type slot struct {
	call *call
	fn   func(body []byte, err error)
}

// rareSlot is what few calls have, apart from the slots: those are to be few cache lines.
type rareSlot struct {
	ctx   context.Context // of a callback, nil when it cannot end
	more  *slotMore
	born  int32 // the tick that first saw the call, 0 before
	until bool  // the caller has a deadline of its own
}

// slotMore is what even fewer calls have.
type slotMore struct {
	stream *stream
	left   *stream // given up: the number is in use until its end comes
	header []byte  // of the request, where the reply must repeat it
}

// stream is the stream that the call's answers belong to, nil without.
func (r *rareSlot) stream() *stream {
	if r.more == nil {
		return nil
	}
	return r.more.stream
}

// table has the calls under way on one connection by their numbers. Codecs without numbers use it as a queue: their numbers
// are counted here and never leave. The connection's lock guards it.
type table struct {
	slots  [maxNumbers]slot
	busy   [maxNumbers / 64]uint64 // numbers in use, and retired ones
	odd    [maxNumbers / 64]uint64 // those in seen, old or kept
	last   byte                    // the number given last
	oldest byte                    // queue: the number that is answered next is one higher
	n      int                     // calls under way
	nlate  int                     // retired numbers
	late   [maxNumbers / 64]uint64 // retired: given up without an answer
	seen   [maxNumbers / 64]uint64 // calls that the last look at them has seen
	old    [maxNumbers / 64]uint64 // those that the look before that has seen, too
	kept   [maxNumbers / 64]uint64 // those with a rareSlot that is not empty
	rare   [maxNumbers]rareSlot
}

// rarely returns the rareSlot of a number to be written to.
func (t *table) rarely(n byte) *rareSlot {
	w, m := n/64, uint64(1)<<(n%64)
	t.odd[w] |= m
	t.kept[w] |= m
	return &t.rare[n]
}

// full tells that no further number may be given out. Those that are promised count as given.
func (t *table) full(limit, granted int) bool {
	n := t.n + granted
	return n >= limit || n+t.nlate >= maxNumbers
}

// next returns the next number that is not in use: 1 to 255, 0 and so on. There must be one.
func (t *table) next() byte {
	if n := t.last + 1; t.busy[n/64]>>(n%64)&1 == 0 { // as good as always
		return n
	}
	i := uint(t.last) + 1
	for {
		w := i / 64 % 4
		if m := ^t.busy[w] >> (i % 64); m != 0 {
			return byte(i + uint(bits.TrailingZeros64(m)))
		}
		i = (i | 63) + 1
	}
}

// passing returns the number of a one-way message, which nobody waits for.
func (t *table) passing() byte {
	if t.n+t.nlate >= maxNumbers {
		t.last++
	} else {
		t.last = t.next()
	}
	return t.last
}

// put gives the next number to a call.
func (t *table) put() (byte, *slot) {
	n := t.next()
	return n, t.give(n)
}

// give gives number n, which is free, to a call.
func (t *table) give(n byte) *slot {
	t.last = n
	t.busy[n/64] |= 1 << (n % 64)
	t.n++
	return &t.slots[n]
}

// drop ends the wait for number n and frees it.
func (t *table) drop(n byte) {
	t.free(n)
	t.n--
}

// free is drop without counting.
func (t *table) free(n byte) {
	w, m := n/64, uint64(1)<<(n%64)
	t.busy[w] &^= m
	t.slots[n] = slot{}
	if t.odd[w]&m != 0 {
		t.clearOdd(n, w, m)
	}
}

func (t *table) clear(n byte) {
	t.slots[n] = slot{}
	if w, m := n/64, uint64(1)<<(n%64); t.odd[w]&m != 0 {
		t.clearOdd(n, w, m)
	}
}

//go:noinline
func (t *table) clearOdd(n, w byte, m uint64) { // apart, so that what is usual goes into its callers
	t.odd[w] &^= m
	t.seen[w] &^= m
	t.old[w] &^= m
	if t.kept[w]&m != 0 {
		t.kept[w] &^= m
		t.rare[n] = rareSlot{}
	}
}

// look notes which of the calls of a word of numbers wait, and returns those that did at the last two looks.
func (t *table) look(w int) (wait, old uint64) {
	wait, old = t.busy[w]&^t.late[w], t.old[w]
	t.seen[w], t.old[w] = wait, wait&t.seen[w]
	t.odd[w] |= wait
	return wait, old
}

// undo takes back the put of n, the number given last.
func (t *table) undo(n byte) {
	t.drop(n)
	t.last = n - 1
}

// retire ends the wait for number n, which stays in use until its answer comes.
func (t *table) retire(n byte) {
	s := t.rare[n].stream()
	t.clear(n)
	if s != nil {
		t.rarely(n).more = &slotMore{left: &stream{flag: s.flag}}
	}
	t.late[n/64] |= 1 << (n % 64)
	t.n--
	t.nlate++
}

// answered tells whether an answer to n is one that came late, and frees the number.
func (t *table) answered(n byte) bool {
	w, m := n/64, uint64(1)<<(n%64)
	if t.late[w]&m == 0 {
		return false
	}
	t.late[w] &^= m
	t.busy[w] &^= m
	t.nlate--
	t.clear(n)
	return true
}

// left tells whether f is an item of a stream that was given up, and not its end.
func (t *table) left(f frame.Frame) bool {
	m := t.rare[f.Seq].more
	return m != nil && m.left != nil && !m.left.ends(f)
}

// waits tells whether a call waits for number n.
func (t *table) waits(n byte) bool {
	w, m := n/64, uint64(1)<<(n%64)
	return t.busy[w]&m != 0 && t.late[w]&m == 0
}

// each calls f for the numbers that calls wait for.
func (t *table) each(f func(n byte, s *slot, r *rareSlot)) {
	for w := range t.busy {
		for m := t.busy[w] &^ t.late[w]; m != 0; m &= m - 1 {
			n := byte(w*64 + bits.TrailingZeros64(m))
			f(n, &t.slots[n], &t.rare[n])
		}
	}
}
