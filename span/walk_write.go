package span

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// The walker that writes. It keeps the buffer in local variables while values
// come that need no more than space, and hands everything else to a method of
// the Writer. Whatever fails is recorded in the Writer, and each level adds its
// step to the path while it returns.

// enter writes the value at p, counting a level of depth where its type lies on
// a cycle.
func (w *Writer) enter(pr *program, p ptr) {
	if !pr.cyclic {
		w.run(pr.ops, p)
		return
	}
	if w.Enter() {
		w.run(pr.ops, p)
		w.Leave()
	}
}

// run does the operations at p in order, up to the first that fails.
func (w *Writer) run(ops []op, p ptr) {
	b, n := w.b[:cap(w.b)], len(w.b)
	for i := range ops {
		o := &ops[i]
		if len(b)-n < int(o.room) {
			if w.b = b[:n]; w.st&wFixed != 0 {
				w.runTight(ops[i:], p)
				return
			}
			if !w.makeRoomFor(ops[i:i+1], p) {
				w.At(o.name)
				return
			}
			b, n = w.b[:cap(w.b)], len(w.b)
		}
		switch o.code {
		case cBool, c8:
			put8(b, n, load8(p, o))
			n++
		case c16:
			put16(b, n, load16(p, o))
			n += 2
		case c32:
			put32(b, n, load32(p, o))
			n += 4
		case c64:
			put64(b, n, load64(p, o))
			n += 8
		case cNano:
			t := loadTime(p, o)
			x, ok := spanrt.UnixNano(t.Unix(), t.Nanosecond())
			if !ok {
				if x, ok = wire.TimeUnixNano(t); !ok {
					w.fault(b[:n], o, timeFault(t, layout.TimeUnixNano))
					return
				}
			}
			put64(b, n, uint64(x))
			n += 8
		case cString:
			if s := loadString(p, o); len(s) <= o.quick && len(b)-n > len(s) {
				n = spanrt.PutString(b, n, s)
				continue
			}
			fallthrough
		default:
			if w.b = b[:n]; o.code <= cRaw && o.code != cString {
				w.scalar(o, p)
			} else {
				w.other(o, p)
			}
			if w.st&wFailed != 0 {
				w.At(o.name)
				return
			}
			b, n = w.b[:cap(w.b)], len(w.b)
		}
	}
	w.b = b[:n]
}

// makeRoomFor makes sure of space for one operation at p. A growing buffer gets no
// more than the operation writes, so that one of the message's size is enough.
func (w *Writer) makeRoomFor(one []op, p ptr) bool {
	room := int(one[0].room)
	if w.st&wFlush == 0 && one[0].room > one[0].need {
		room = measure(func(c *Writer) { c.run(one, p) })
	}
	return w.makeRoom(room)
}

// fault records err for the value of o, b having been written before it.
func (w *Writer) fault(b []byte, o *op, err error) {
	w.b = b
	w.Fail(err)
	w.At(o.name)
}

// runTight is run for what is left of a fixed buffer, where the space that ops
// ask for may be more than the values take: each is written aside first.
//
//go:noinline
func (w *Writer) runTight(ops []op, p ptr) {
	for i := range ops {
		one := ops[i : i+1]
		if o := &one[0]; o.code > cRaw || o.code == cString {
			if w.other(o, p); w.st&wFailed != 0 {
				w.At(o.name)
				return
			}
			continue
		}
		x := w.state()
		if cap(x.aside) < int(one[0].room) || x.aside == nil {
			x.aside = make([]byte, 0, max(int(one[0].room), maxRaw+tightRun))
		}
		buf := w.b
		w.b, x.aside = x.aside[:0], nil
		w.st &^= wFixed
		w.run(one, p)
		w.st |= wFixed
		x.aside, w.b = w.b, buf
		if w.st&wFailed != 0 {
			x.err.Offset += int64(len(buf))
			return
		}
		if len(x.aside) > cap(buf)-len(buf) {
			w.fault(buf, &one[0], ErrShortBuffer)
			return
		}
		w.b = append(buf, x.aside...)
	}
}

// tightRun is more than any single value but an array takes.
const tightRun = 32

// length writes the prefix of n bytes or elements. It reports false once the
// Writer has failed.
func (w *Writer) length(o *op, n int) bool {
	switch {
	case n > o.max:
		w.Fail(because(ErrLimit, "%d where at most %d are allowed", n, o.max))
		return false
	case uint64(n) > maxPrefix[o.node.Prefix]:
		w.Fail(because(ErrRange, "a length of %d", n))
		return false
	}
	size := o.node.Prefix
	if size == 0 {
		size = wire.SizeLength(n)
	}
	if !w.room(size) {
		return false
	}
	w.b = appendLength(w.b, o, n)
	return true
}

// maxPrefix has the largest length by the width of its prefix.
var maxPrefix = [5]uint64{0: maxLength, 1: math.MaxUint8, 2: math.MaxUint16, 4: maxLength}

func appendLength(b []byte, o *op, n int) []byte {
	switch o.node.Prefix {
	case 1:
		return append(b, byte(n))
	case 2:
		return binary.LittleEndian.AppendUint16(b, uint16(n))
	case 4:
		return binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return wire.AppendUvarint(b, uint64(n))
}

// text writes a string with a length.
func (w *Writer) text(o *op, s string) {
	if o.flags&fUTF8 != 0 && !utf8.ValidString(s) {
		w.Fail(ErrUTF8)
		return
	}
	if w.length(o, len(s)) {
		writeRaw(w, s)
	}
}

// presence writes the byte of a nilable value and reports whether the value
// follows.
func (w *Writer) presence(present bool) bool {
	w.WriteUint8(spanrt.Bool(present))
	return present && w.st&wFailed == 0
}

// exactly writes a string or byte slice of fixed length, zeros behind it.
func exactly[T string | []byte](w *Writer, o *op, s T) {
	switch {
	case len(s) > o.length:
		w.Fail(because(ErrRange, "%d bytes where %d are fixed", len(s), o.length))
		return
	case len(s) > 0 && s[len(s)-1] == 0:
		w.Fail(because(ErrRange, "the last byte is zero and would be taken for padding"))
		return
	}
	writeRaw(w, s)
	w.writeZeros(o.length - len(s))
}
