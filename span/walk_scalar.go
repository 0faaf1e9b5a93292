package span

import (
	"math"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// Numbers and the like that the inner loops do not know.

// scalar writes a number, time or the like. The space that it asked for is
// there.
func (w *Writer) scalar(o *op, p ptr) {
	b, n := w.b[:cap(w.b)], len(w.b)
	switch o.code {
	case c16BE:
		spanrt.PutUint16BE(b[n:], load16(p, o))
	case c32BE:
		spanrt.PutUint32BE(b[n:], load32(p, o))
	case c64BE:
		spanrt.PutUint64BE(b[n:], load64(p, o))
	case cComplex64, cComplex128:
		w.complex(o, p)
		return
	case cPlatform, cVarint, cZigZag:
		w.integer(o, p)
		return
	case cTime:
		w.time(o, loadTime(p, o))
		return
	case cDecimal, cDecimalVar:
		w.decimal(o, loadDecimal(p, o))
		return
	case cChar:
		if c := load32(p, o); c > 0xff {
			w.Fail(charFault(Char(c)))
			return
		}
		b[n] = byte(load32(p, o))
	case cRaw:
		w.b = append(w.b, loadRaw(p, o)...)
		return
	default:
		w.Fail(errNoOperation)
		return
	}
	w.b = b[:n+int(o.size)]
}

// integer writes an integer that is not simply its memory.
func (w *Writer) integer(o *op, p ptr) {
	x := loadInt(p, o)
	switch o.code {
	case cVarint:
		w.b = wire.AppendUvarint(w.b, x&(math.MaxUint64>>(64-8*o.size)))
	case cZigZag:
		w.b = wire.AppendUvarint(w.b, wire.ZigZag(int64(x)))
	case cPlatform:
		w.fixed(o, x, 8)
	default:
		w.Fail(errNoOperation)
	}
}

// loadInt gives an integer of any width, extended to 64 bits.
func loadInt(p ptr, o *op) uint64 {
	signed := o.flags&fSigned != 0
	switch o.mem {
	case 1:
		if x := load8(p, o); !signed {
			return uint64(x)
		} else {
			return uint64(int8(x))
		}
	case 2:
		if x := load16(p, o); !signed {
			return uint64(x)
		} else {
			return uint64(int16(x))
		}
	case 4:
		if x := load32(p, o); !signed {
			return uint64(x)
		} else {
			return uint64(int32(x))
		}
	}
	return load64(p, o)
}

// fixed writes the lowest size bytes of x, 4 or 8, in the operation's order.
func (w *Writer) fixed(o *op, x uint64, size int) {
	n := len(w.b)
	w.b = w.b[:n+size]
	switch be := o.flags&fBE != 0; {
	case be && size == 4:
		spanrt.PutUint32BE(w.b[n:], uint32(x))
	case be:
		spanrt.PutUint64BE(w.b[n:], x)
	case size == 4:
		spanrt.PutUint32(w.b[n:], uint32(x))
	default:
		spanrt.PutUint64(w.b[n:], x)
	}
}

// complex writes the real and the imaginary part.
func (w *Writer) complex(o *op, p ptr) {
	re, im := loadComplex(p, o)
	w.fixed(o, re, int(o.size)/2)
	w.fixed(o, im, int(o.size)/2)
}

// decimal writes the four words of a Decimal.
func (w *Writer) decimal(o *op, d Decimal) {
	for _, word := range d.Bits() {
		if o.code == cDecimalVar {
			w.b = wire.AppendUvarint(w.b, uint64(word))
		} else {
			w.fixed(o, uint64(word), 4)
		}
	}
}

// scalar reads a number, time or the like. The fewest bytes that it may take are
// there.
func (r *Reader) scalar(o *op, p ptr) {
	b := r.b[r.off:]
	switch o.code {
	case c16BE:
		store16(p, o, spanrt.GetUint16BE(b))
	case c32BE:
		store32(p, o, spanrt.GetUint32BE(b))
	case c64BE:
		store64(p, o, spanrt.GetUint64BE(b))
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
	default:
		r.Fail(errNoOperation)
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
		return uint64(spanrt.GetUint32BE(b))
	case be:
		return spanrt.GetUint64BE(b)
	case size == 4:
		return uint64(spanrt.GetUint32(b))
	}
	return spanrt.GetUint64(b)
}

// integer reads a uvarint or zigzag number.
func (r *Reader) integer(o *op, p ptr) {
	at := r.off
	x, ok := r.uvarint(8*int(o.size), r.tolerates(o))
	if !ok {
		return
	}
	if o.code == cZigZag {
		x = uint64(wire.UnZigZag(x))
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
		x, n := wire.ConsumeUvarint(r.b[r.off:], width, lenient)
		switch {
		case n > 0:
			r.off += n
			return x, true
		case n != wire.Truncated:
			r.Fail(uvarintFault(r.b[r.off:], n, width))
			return 0, false
		case !r.need(len(r.b) - r.off + 1):
			r.truncated(int64(len(r.b) - r.off + 1))
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
