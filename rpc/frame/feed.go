package frame

import "encoding/binary"

// feed is Feed when chunk is more than one byte of an unfinished frame. With nothing pending it cuts the whole frames at the
// front of chunk; the size of one that is cut off is noted when its header is there.
func (d *Reader) feed(chunk []byte, fn func(Frame)) error {
	if d.w > 0 || !d.plain {
		if d.w+len(chunk) <= d.lim {
			d.w += copy(d.buf[d.w:], chunk)
			return nil
		}
		return d.feedMore(chunk, fn)
	}
	c, lim := chunk, d.max
	for len(c) >= shortHead {
		n, hs := uint(binary.LittleEndian.Uint16(c[2:])), shortHead
		if n == longMark {
			if len(c) < longHead {
				break
			}
			n, hs = uint(binary.LittleEndian.Uint32(c[4:])), longHead
		}
		if n > lim {
			d.base += int64(len(chunk) - len(c))
			d.fail(0, tooLong(n, hs, d.max))
			return d.err
		}
		end := hs + int(n)
		if end > len(c) {
			d.head, d.size = hs, end
			break
		}
		fn(Frame{Head: c[0], Seq: c[1], Payload: c[hs:end:end]})
		c = c[end:]
	}
	d.base += int64(len(chunk) - len(c))
	switch {
	case len(c) == 0:
	case d.size > 0 && d.size <= len(d.buf) && len(d.buf) <= trusted: // the most frequent case of keep and bound
		d.w = copy(d.buf, c)
		d.need, d.lim, d.end = d.size, d.size-1, 0
	default:
		d.keep(c)
		d.bound()
	}
	return nil
}

// feedMore is feed with bytes pending, for other codecs, and after an error.
func (d *Reader) feedMore(chunk []byte, fn func(Frame)) error {
	if k := d.size - d.w; d.lim > 0 && k <= len(chunk) && d.size <= len(d.buf) && k > 0 && d.plain {
		copy(d.buf[d.w:d.size], chunk)
		d.deliver(fn)
		if k < len(chunk) {
			return d.feed(chunk[k:], fn)
		}
		return d.err
	}
	if d.w > 0 && (d.r > 0 || d.end != 0) {
		d.settle(fn)
	}
	if d.err != nil || len(chunk) == 0 {
		return d.err
	}
	if d.cut != nil {
		return d.feedCut(chunk, fn)
	}
	if d.w > 0 {
		if chunk = d.complete(chunk, fn); len(chunk) == 0 {
			return d.err
		}
	}
	return d.feed(chunk, fn)
}

// settle ends the pull form: whole frames go to fn, what is left moves to the front.
func (d *Reader) settle(fn func(Frame)) {
	for {
		f, ok := d.Next()
		if !ok {
			break
		}
		fn(f)
	}
	d.end, d.lim = 0, 0
	if d.r > 0 && d.r < d.w {
		d.room(d.w - d.r)
	}
}

// keep copies what is left of a chunk, the beginning of a frame, to the front of the empty buffer.
func (d *Reader) keep(rest []byte) {
	d.r, d.w = 0, 0
	if len(d.buf) > trusted && d.size <= trusted { // what a large frame left
		d.drop()
	}
	if need := max(min(d.size, trusted), len(rest)); need > len(d.buf) {
		d.room(need)
	}
	d.w = copy(d.buf, rest)
}

// bound sets how far the pending frame may be filled without a look at it.
func (d *Reader) bound() {
	switch {
	case d.size > 0:
		d.need, d.lim = d.size, min(d.size-1, len(d.buf))
	case d.w < shortHead:
		d.need, d.lim = shortHead, min(shortHead-1, len(d.buf))
	default:
		d.need, d.lim = longHead, min(longHead-1, len(d.buf))
	}
	d.end = 0
}

// complete takes from chunk what the pending frame still needs, hands it out when it is whole, and returns the rest of chunk.
func (d *Reader) complete(chunk []byte, fn func(Frame)) []byte {
	for len(chunk) > 0 {
		want := d.size
		if want == 0 {
			if want = shortHead; d.w >= shortHead {
				want = longHead
			}
		}
		k := min(want-d.w, len(chunk))
		if d.w+k > len(d.buf) {
			d.room(d.w + k)
		}
		d.w += copy(d.buf[d.w:], chunk[:k])
		chunk = chunk[k:]
		if d.w < want {
			break
		}
		if d.size == 0 && (d.w < shortHead || !d.measured(d.buf[:d.w])) {
			if d.err != nil {
				return nil
			}
			continue
		}
		if d.w == d.size {
			d.deliver(fn)
			return chunk
		}
	}
	d.bound()
	return nil
}

// deliver hands out the pending frame, which is whole and stands alone in the buffer.
func (d *Reader) deliver(fn func(Frame)) {
	f := Frame{Head: d.buf[0], Seq: d.buf[1], Payload: d.buf[d.head:d.size:d.size]}
	d.base += int64(d.size)
	d.size, d.need, d.w, d.lim = 0, shortHead, 0, min(shortHead-1, len(d.buf))
	fn(f)
}
