package span

import "math"

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
			storeTime(p, o, TimeFromUnixNano(int64(get64(b, n))))
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
				storeString(p, o, r.StringAt(Tail(b, n), 1, l, -1))
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
			r.truncated()
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

// scalar reads a number, time or the like. The fewest bytes that it may take are
// there.
func (r *Reader) scalar(o *op, p ptr) {
	b := r.b[r.off:]
	switch o.code {
	case c16BE:
		store16(p, o, GetUint16BE(b))
	case c32BE:
		store32(p, o, GetUint32BE(b))
	case c64BE:
		store64(p, o, GetUint64BE(b))
	case cComplex64, cComplex128:
		half := int(o.size) / 2
		storeComplex(p, o, getFixed(o, b, half), getFixed(o, b[half:], half))
	case cPlatform:
		r.storeInt(p, o, getFixed(o, b, 8), r.off)
	case cVarint, cZigZag:
		r.integer(o, p)
		return
	case cTime:
		r.time(o, p)
		return
	case cDecimal, cDecimalVar:
		r.decimal(o, p)
		return
	case cChar:
		store32(p, o, uint32(b[0]))
	case cRaw:
		r.off += copy(loadRaw(p, o), b)
		return
	}
	if r.st&rFailed == 0 {
		r.off += int(o.size)
	}
}

// getFixed gives the number in the first size bytes of b, 4 or 8, in the
// operation's order.
func getFixed(o *op, b []byte, size int) uint64 {
	switch be := o.flags&fBE != 0; {
	case be && size == 4:
		return uint64(GetUint32BE(b))
	case be:
		return GetUint64BE(b)
	case size == 4:
		return uint64(GetUint32(b))
	}
	return GetUint64(b)
}

// integer reads a uvarint or zigzag number.
func (r *Reader) integer(o *op, p ptr) {
	at := r.off
	x, ok := r.uvarint(8*int(o.size), r.tolerates(o))
	if !ok {
		return
	}
	if o.code == cZigZag {
		x = uint64(UnZigZag(x))
	}
	r.storeInt(p, o, x, at)
}

// storeInt stores an integer of any width; at is where it began.
func (r *Reader) storeInt(p ptr, o *op, x uint64, at int) {
	switch o.mem {
	case 1:
		store8(p, o, uint8(x))
	case 2:
		store16(p, o, uint16(x))
	case 4:
		signed := o.flags&fSigned != 0
		if o.size == 8 && (signed && int64(x) != int64(int32(x)) || !signed && x > math.MaxUint32) {
			r.failAt(at, because(ErrRange, "%d does not fit the platform's integer", x))
			return
		}
		store32(p, o, uint32(x))
	default:
		store64(p, o, x)
	}
}

// uvarint reads a uvarint of at most width bits, padded ones only where they are
// tolerated. It reports false when the Reader has failed.
func (r *Reader) uvarint(width int, lenient bool) (uint64, bool) {
	for {
		x, n := consumeUvarint(r.b[r.off:], width, lenient)
		switch {
		case n > 0:
			r.off += n
			return x, true
		case n != codeTruncated:
			r.Fail(because(ConsumeError(n), "a uvarint of %d bits", width))
			return 0, false
		case !r.need(len(r.b) - r.off + 1):
			r.truncated()
			return 0, false
		}
	}
}

// decimal reads the four words of a Decimal.
func (r *Reader) decimal(o *op, p ptr) {
	var words [4]uint32
	at := r.Offset()
	for i := range words {
		if o.code == cDecimalVar {
			x, ok := r.uvarint(32, r.tolerates(o))
			if !ok {
				return
			}
			words[i] = uint32(x)
			continue
		}
		words[i] = uint32(getFixed(o, r.b[r.off:], 4))
		r.off += 4
	}
	d, err := DecimalFromBits(words)
	if err != nil {
		r.failBack(at, err)
		return
	}
	storeDecimal(p, o, d)
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

// present reads the byte that tells whether a value follows.
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
