package span

// What open lists may claim. A count is believed as far as the input can hold its
// elements, and memory is taken for them before they are read. Where a type holds
// itself, so that there is no end to how deep lists nest, each level could claim
// the same bytes. So every element of such a list claims the bytes that it takes
// at least, which are its own and no other element's: all of them together can't
// be more than the input has.

// claim claims n bytes for the elements of a list and reports whether the input
// that has come has as many left.
func (r *Reader) claim(n int) bool {
	if n > r.room {
		return false
	}
	r.room -= n
	return true
}

// begin gives the number of a list's n elements, of size bytes each, that may be
// given memory at once, and how much of that is ahead of the bytes that came. It
// is 0 where the input can't hold the list, begun at an offset.
func (r *Reader) begin(o *op, at int64, n, size, least int) (first, ahead int) {
	if r.streaming() {
		return r.beginStream(o, at, n, size, least)
	}
	if o.flags&fLooped != 0 && !r.claim(n*least) {
		r.unclaimed(at, n, least)
		return 0, 0
	}
	return max(o.sub.ahead/max(size, 1), 1), 0
}

// beginStream is begin in a stream, where a claim may run ahead of what has come.
func (r *Reader) beginStream(o *op, at int64, n, size, least int) (first, ahead int) {
	total := int64(n) * int64(least)
	backed := r.inMemory(total)
	if claim := int(min(total, maxLength)); o.flags&fLooped != 0 && !r.await(claim) {
		if r.x.srcErr != nil {
			r.broken()
			r.unclaimed(at, n, least)
			return 0, 0
		}
		r.room = max(r.room-claim, -maxLength/2) // less would not fit 32 bits
		backed = false
	}
	size = max(size, 1)
	if backed {
		return max(o.sub.ahead/size, 1), 0
	}
	first = max((streamBuffer-r.x.ahead)/size, 1)
	ahead = min(n, first) * size
	r.x.ahead += ahead
	return first, ahead
}

// await is claim that waits for bytes as far as the buffer goes: all that is claimed
// must come.
func (r *Reader) await(n int) bool {
	for n > r.room && len(r.b)-r.off < streamBuffer && r.refill(len(r.b)-r.off+1) {
	}
	return r.claim(n)
}

// unclaimed fails the Reader because of n elements at an offset for which the input
// does not suffice beside those of the lists around.
func (r *Reader) unclaimed(at int64, n, least int) {
	r.failBack(at, because(errTruncated, "%d elements of at least %d bytes with %d bytes not claimed by an enclosing list", n, least, r.room))
}

// came tells that the bytes have come of what begin called ahead.
func (r *Reader) came(ahead int) {
	if ahead > 0 {
		r.x.ahead -= ahead
	}
}
