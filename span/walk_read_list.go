package span

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
)

// array reads the elements of an array.
func (r *Reader) array(o *op, p ptr) {
	if o.length == 0 {
		return
	}
	list := listData(p, o)
	if b, ok := listBytes(list, o.length, o.sub); ok {
		r.readInto(b, o.sub)
		return
	}
	r.elems(o, list, 0, o.length)
}

// readInto fills the memory of raw values.
func (r *Reader) readInto(b []byte, sub *program) {
	if len(b) <= len(r.b)-r.off {
		r.off += copy(b, r.b[r.off:])
		return
	}
	at := r.Offset()
	if r.ReadRaw(b); r.st&rFailed != 0 {
		r.At(spanrt.Index(int(r.Offset()-at) / int(sub.size)))
	}
}

// elems reads the elements from to to-1 of a list. No early end is allowed among
// them.
func (r *Reader) elems(o *op, list ptr, from, to int) {
	sub, was := o.sub, r.enterElems()
	for i := from; i < to; i++ {
		if r.enter(sub, elem(list, i, sub)); r.st&rFailed != 0 {
			r.At(spanrt.Index(i))
			break
		}
	}
	r.leaveElems(was)
}

// count reads a number of elements that take at least min bytes each, and gives
// its offset too.
func (r *Reader) count(o *op, min int) (n int, at int64, ok bool) {
	at = r.Offset()
	if n, ok = r.length(o); !ok {
		return 0, at, false
	}
	total := int64(n) * int64(min) // both below 2^31
	if total > 0 && !r.inMemory(total) && !r.comes(total) {
		r.lacks(at, n, min)
		return 0, at, false
	}
	return n, at, true
}

// mayCall counts n elements that a method reads each from nothing, maybe: all
// lists of them together may have as many as one of them.
func (r *Reader) mayCall(at int64, n int) bool {
	x := r.state()
	if x.calls += n; x.calls > layout.MaxCalls {
		r.failBack(at, because(ErrLimit, "%d elements without bytes where a message may have %d", x.calls, layout.MaxCalls))
		return false
	}
	return true
}

// slice reads a slice into the memory of the old one.
func (r *Reader) slice(o *op, p ptr) {
	nilable := o.flags&fNilable != 0
	if nilable && !r.present(o) {
		if r.st&rFailed == 0 {
			typed(p, o).SetZero()
		}
		return
	}
	n, at, ok := r.count(o, o.sub.least)
	if !ok || o.flags&fCalls != 0 && !r.mayCall(at, n) {
		return
	}
	if r.fresh() {
		typed(p, o).SetZero()
	}
	if n == 0 {
		if listLen(p, o) > 0 {
			renew(o, p, 0)
		}
		if nilable && isNil(p, o) {
			makeEmpty(p, o)
		}
		return
	}
	r.fill(o, p, at, n)
}

// fill reads n elements of a slice, begun at an offset, whose memory grows as their bytes come.
func (r *Reader) fill(o *op, p ptr, at int64, n int) {
	if o.flags&fIdle != 0 {
		renew(o, p, n)
		growList(p, o, n)
		return
	}
	sub := o.sub
	size := int(sub.size)
	first, ahead := r.begin(o, at, n, size, sub.least)
	if first == 0 {
		renew(o, p, 0)
		return
	}
	if listLen(p, o) != n {
		renew(o, p, n)
	}
	first = max(listCap(p, o), first)
	if sub.raw && int64(n)*int64(size) <= int64(len(r.b)-r.off) {
		first = n // the bytes are all there
	}
	for have := 0; have < n; {
		to := min(n, max(first, 2*have))
		growList(p, o, to)
		list := listData(p, o)
		if b, ok := listBytes(list, to, sub); ok {
			r.fillRaw(b[have*size:], have, size)
		} else {
			r.elems(o, list, have, to)
		}
		if r.st&rFailed != 0 {
			renew(o, p, 0)
			return
		}
		if have == 0 {
			r.came(ahead)
		}
		have = to
	}
}

// renew prepares a slice for n elements: it cuts it to that length, or makes zero
// what lies between its length and its capacity. Elements that the value does not
// show may be others' by now, and what they held need not live as long as it.
func renew(o *op, p ptr, n int) {
	have := listLen(p, o)
	if from, to := min(n, have), min(max(n, have), listCap(p, o)); from < to && o.sub.typ.Kind() > reflect.Complex128 { // numbers hold nothing
		setLen(p, o, to)
		list := listData(p, o)
		for i := from; i < to; i++ {
			zeroElem(list, i, o.sub)
		}
	}
	setLen(p, o, min(n, have))
}

// fillRaw reads raw elements, have of them being there before b.
func (r *Reader) fillRaw(b []byte, have, size int) {
	at := r.Offset()
	if r.ReadRaw(b); r.st&rFailed != 0 {
		r.At(spanrt.Index(have + int(r.Offset()-at)/size))
	}
}
