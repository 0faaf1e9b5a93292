package span

import (
	"github.com/spanwire/spanwire/span/spanrt"

	"github.com/spanwire/spanwire/span/wire"
)

// The walker that reads. Where the bytes of a whole run of fixed-size values are
// there, it takes them without further questions; otherwise it goes on with care,
// value by value, since the input may end at any boundary where the format allows
// it.

// enter reads the value at p, counting a level of depth where its type lies on a
// cycle.
func (r *Reader) enter(pr *program, p ptr) {
	if !pr.cyclic {
		r.run(pr.ops, pr.ones, p)
		return
	}
	if r.Enter() {
		r.run(pr.ops, pr.ones, p)
		r.Leave()
	}
}

// run does the operations at p in order, up to the first that fails.
func (r *Reader) run(ops, ones []op, p ptr) {
	b, n := r.b, r.off
	for i := range ops {
		o := &ops[i]
		if len(b)-n < int(o.need) {
			if r.off = n; !r.need(int(o.need)) {
				r.careful(ones[i:], p)
				return
			}
			b, n = r.b, r.off
		}
		switch o.code {
		case c8:
			store8(p, o, get8(b, n))
			n++
		case c16:
			store16(p, o, get16(b, n))
			n += 2
		case c32:
			store32(p, o, get32(b, n))
			n += 4
		case c64:
			store64(p, o, get64(b, n))
			n += 8
		case cNano:
			storeTime(p, o, wire.TimeFromUnixNano(int64(get64(b, n))))
			n += 8
		case cBool:
			x := get8(b, n)
			if x > 1 && !r.tolerates(o) {
				r.fault(n, o, because(ErrMalformed, "a flag byte of %d", x))
				return
			}
			storeBool(p, o, x != 0)
			n++
		case cString:
			if l := int(get8(b, n)); l <= o.quick && l < len(b)-n {
				r.off = n // where ownString finds the bytes
				storeString(p, o, r.Fast().StringAt(spanrt.Tail(b, n), 1, l, -1))
				n += 1 + l
				continue
			}
			fallthrough
		default:
			if r.off = n; o.code <= cRaw && o.code != cString {
				r.scalar(o, p)
			} else if n == len(b) && o.need == 0 {
				r.careful(ones[i:], p)
				return
			} else {
				r.other(o, p)
			}
			if r.st&rFailed != 0 {
				r.At(o.name)
				return
			}
			b, n = r.b, r.off
		}
	}
	r.off = n
}

// fault records err for the value of o at b[n].
func (r *Reader) fault(n int, o *op, err error) {
	r.failAt(n, err)
	r.At(o.name)
}

// careful does what run does where the input may end.
//
//go:noinline
func (r *Reader) careful(ones []op, p ptr) {
	for i := range ones {
		o := &ones[i]
		switch {
		case r.mayEnd(o) && !r.more():
			if r.st&rFailed == 0 {
				reset(ones[i:], p)
				return
			}
		case !r.need(int(o.need)):
			r.truncated(int64(o.need))
		case o.code > cRaw || o.code == cString:
			r.other(o, p)
		default:
			r.run(ones[i:i+1], nil, p)
			if r.st&rFailed != 0 {
				return // run has put the name in the path
			}
		}
		if r.st&rFailed != 0 {
			r.At(o.name)
			return
		}
	}
}

// mayEnd reports whether the input may end before the value of o.
func (r *Reader) mayEnd(o *op) bool {
	switch {
	case o.flags&fField == 0 || r.st&rElems != 0:
		return false
	case r.st&rSized != 0 || o.flags&fOptional != 0:
		return true
	}
	return o.flags&fNewLife != 0 && !r.strict()
}

// tolerates reports whether the forms that the NewLife profile accepts beside
// those it writes may stand for o.
func (r *Reader) tolerates(o *op) bool { return o.flags&fLenient != 0 && !r.strict() }

// reset makes the values of ops zero: in structs the fields that the format
// carries, and no others.
func reset(ops []op, p ptr) {
	for i := range ops {
		o := &ops[i]
		switch {
		case (o.code == cCall || o.code == cSized) && o.sub.struc:
			reset(o.sub.ops, field(p, o))
		case methodsAt(p, o):
			typed(p, o).SetZero()
		}
	}
}

// length reads the prefix of a length or count and holds it against the limits
// of the value.
func (r *Reader) length(o *op) (int, bool) {
	at := r.Offset()
	var n uint64
	if prefix := o.node.Prefix; prefix == 0 {
		x, ok := r.uvarint(31, r.tolerates(o))
		if !ok {
			return 0, false
		}
		n = x
	} else {
		b := r.take(prefix)
		for i := len(b) - 1; i >= 0; i-- {
			n = n<<8 | uint64(b[i])
		}
	}
	switch {
	case r.st&rFailed != 0:
		return 0, false
	case n > maxLength:
		r.failBack(at, because(ErrRange, "a length of %d", n))
		return 0, false
	case n > uint64(o.max):
		r.failBack(at, because(ErrLimit, "%d where at most %d are allowed", n, o.max))
		return 0, false
	}
	return int(n), true
}

// present reads the byte that reports whether a value follows.
func (r *Reader) present(o *op) bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 && !r.tolerates(o) {
		r.failAt(r.off-1, because(ErrMalformed, "a presence byte of %d", b[0]))
		return false
	}
	return b[0] != 0
}
