package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// space is Space when the buffer is missing, full, or too short for the frame at r.
func (d *Reader) space() []byte {
	d.most = max(d.most, d.w)
	if d.r > 0 && d.w-d.r < d.size && d.size <= len(d.buf) { // the frame fits once it stands in front
		n := copy(d.buf, d.buf[d.r:d.w])
		d.base += int64(d.r)
		d.r, d.w, d.need = 0, n, d.need-d.r
		d.end, d.lim = len(d.buf), 0
		return d.buf[n:]
	}
	if d.err != nil { // whatever still comes is thrown away
		if d.buf == nil {
			d.adopt(newBlock(1))
		}
		d.r, d.w = 0, 0
		return d.buf
	}
	full := d.most == len(d.buf)
	if d.r == d.w {
		d.base += int64(d.r)
		d.need -= d.r
		d.r, d.w = 0, 0
	}
	switch {
	case d.buf == nil:
		d.room(1)
	case d.w > 0:
		d.room(d.w - d.r + 1)
	case full && len(d.buf) < trusted: // the last read filled it: the peer sends more at a time
		d.room(len(d.buf) + 1)
	}
	d.end = len(d.buf)
	d.lim = 0
	return d.buf[d.w:]
}

// room makes the buffer hold n bytes counted from r, and the whole frame at r as far as its size may be trusted.
func (d *Reader) room(n int) {
	if d.size > n {
		n = min(d.size, max(n, trusted))
	}
	if d.r > 0 {
		copy(d.buf, d.buf[d.r:d.w])
		d.base += int64(d.r)
		d.need -= d.r
		d.r, d.w = 0, d.w-d.r
	}
	if n <= len(d.buf) {
		return
	}
	k := newBlock(d.grown(n))
	copy(k.b, d.buf[:d.w])
	d.blk.free()
	d.adopt(k)
}

// grown is the size of the buffer that is to hold n bytes, more than this one.
func (d *Reader) grown(n int) int {
	if d.size >= n && n > trusted && len(d.buf) > 0 {
		return max(halved(d.size, n), d.start)
	}
	m := max(2*len(d.buf), n, d.start)
	if d.buf == nil {
		m = max(m, d.first)
	}
	if d.size >= n {
		m = min(m, max(d.size, d.start))
	}
	return m
}

// halved is the smallest that holds n bytes of a frame of size, of that size, half of it, half of that, and so on: the last buffers of a large frame are then half of
// it and all of it, and what is held while the one is copied to the other is half more than the frame.
func halved(size, n int) int {
	for size-size/2 >= n {
		size -= size / 2
	}
	return size
}

func (d *Reader) adopt(k *block) {
	d.blk, d.buf, d.running = k, k.b, true
}

// drop gives the buffer back; nothing is pending. The next one is as large as what stood in this one has shown to be of use.
func (d *Reader) drop() {
	d.base += int64(d.r)
	switch n := len(d.buf); {
	case n == 0 || n > trusted:
	case d.most == n:
		d.first = min(2*n, trusted)
	case d.most <= n/4:
		d.first = n / 2
	default:
		d.first = n
	}
	d.most = 0
	d.blk.free()
	d.blk, d.buf = nil, nil
	d.r, d.w, d.end, d.lim = 0, 0, 0, 0
}

// taken resets what was known of the frame that was just cut off the front.
func (d *Reader) taken() {
	d.size = 0
	d.need = d.r + 1
}

// fail ends the reader: at is the offset in the buffer of the byte that is at fault.
func (d *Reader) fail(at int, reason error) {
	var e *Error
	if errors.As(reason, &e) {
		c := *e
		c.Offset += d.base + int64(at)
		d.endWith(&c)
		return
	}
	d.endWith(&Error{Codec: codecName(d.codec), Op: opParse, Offset: d.base + int64(at), Reason: reason})
}

// stop ends the reader because bytes do not come.
func (d *Reader) stop(at int, reason error) {
	d.endWith(&Error{Codec: codecName(d.codec), Op: opRead, Offset: d.base + int64(at), Reason: reason})
}

// drained sets the places of a buffer in which nothing is pending to its front.
func (d *Reader) drained() {
	d.most = max(d.most, d.w)
	d.base += int64(d.r)
	if d.w == len(d.buf) { // the next one is to be larger
		d.end = 0
	}
	d.r, d.w = 0, 0
}

// misused ends the reader because the caller has said to have written more than there is space.
func (d *Reader) misused() { d.stop(d.w, ErrConfig) }

// endWith ends the reader with an error, unless one has.
func (d *Reader) endWith(e *Error) {
	if d.err != nil {
		return
	}
	d.err = e
	d.r = d.w
	d.blk = nil // frames that Next handed out before are still valid: not into the pool
	d.drop()
	d.size, d.need, d.plain = 0, never, false
	d.long, d.dropping = 0, 0
}

// named is a codec that says its name in errors; others are called by their type.
type named interface{ Name() string }

func codecName(c Codec) string {
	if n, ok := c.(named); ok {
		return n.Name()
	}
	return fmt.Sprintf("%T", c)
}

// next is Next when there may be a frame.
func (d *Reader) next() (Frame, bool) {
	if d.cut != nil {
		if d.fixed.head > 0 {
			return d.nextFixed()
		}
		return d.nextCut()
	}
	b := d.buf[d.r:d.w]
	n, hs := d.size, d.head
	if n == 0 {
		if len(b) < shortHead {
			return Frame{}, false
		}
		size := uint(b[2]) | uint(b[3])<<8
		if size >= min(longMark, d.max) {
			if !d.measured(b) {
				return Frame{}, false
			}
			n, hs = d.size, d.head
		} else {
			n, hs = shortHead+int(size), shortHead
		}
	}
	if len(b) < n {
		d.size, d.head = n, hs
		d.wait(n)
		return Frame{}, false
	}
	d.size = 0
	if d.r += n; d.r == d.w {
		d.drained()
	}
	d.need = d.r + shortHead
	return Frame{Head: b[0], Seq: b[1], Payload: b[hs:n:n]}, true
}

// measured finds the size of the Standard frame at the front of b, which begins at r.
func (d *Reader) measured(b []byte) bool {
	n, hs := uint(binary.LittleEndian.Uint16(b[2:])), shortHead
	if n == longMark {
		if len(b) < longHead {
			d.wait(longHead)
			return false
		}
		n, hs = uint(binary.LittleEndian.Uint32(b[4:])), longHead
	}
	if n > d.max {
		if !d.skipped(hs, n) {
			d.fail(d.r, tooLong(n, hs, d.max))
		}
		return false
	}
	d.head, d.size = hs, hs+int(n)
	return true
}

// wait notes that the frame at r needs n bytes; where they will not fit, the following Space makes room. Frames already
// handed out stay where they are until then.
func (d *Reader) wait(n int) {
	d.need = d.r + n
	if d.r+min(n, trusted) > len(d.buf) {
		d.end = 0
	}
}

// ender is a codec of which a frame can end with the stream.
type ender interface {
	lastFrame(rest []byte) (Frame, bool)
}

// finish is End.
func (d *Reader) finish(fn func(Frame)) ([]byte, error) {
	for {
		f, ok := d.Next()
		if !ok {
			break
		}
		fn(f)
	}
	if d.err == nil && d.dropping > 0 {
		d.stop(d.w, io.ErrUnexpectedEOF)
	}
	if d.err != nil || d.w == d.r {
		return nil, d.err
	}
	rest := d.buf[d.r:d.w:d.w]
	if e, ok := d.codec.(ender); ok {
		if f, ok := e.lastFrame(rest); ok {
			d.skip(len(rest))
			d.taken()
			fn(f)
			return nil, nil
		}
	}
	d.blk, d.buf = nil, nil // rest keeps the bytes
	d.stop(d.w, io.ErrUnexpectedEOF)
	return rest, d.err
}
