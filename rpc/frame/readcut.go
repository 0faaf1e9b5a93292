package frame

import "encoding/binary"

// nextCut is next for codecs other than Standard.
func (d *Reader) nextCut() (Frame, bool) {
	for {
		b := d.buf[d.r:d.w]
		if d.size == 0 {
			n, ok := d.measureCut(b)
			if !ok {
				if d.err == nil && d.long == 0 {
					d.wait(len(b) + 1)
				}
				return Frame{}, false
			}
			if n < 0 {
				d.skip(-n)
				if d.r == d.w {
					return Frame{}, false
				}
				continue
			}
		}
		if len(b) < d.size {
			d.wait(d.size)
			return Frame{}, false
		}
		f, ok := d.parse(b)
		if ok {
			d.skip(d.size)
			d.taken()
		}
		return f, ok
	}
}

// fixedLength is a LengthField with a length of fixed width, as far as whole frames need it.
type fixedLength struct {
	head   int // bytes before the payload; 0 for every other codec
	offset int // bytes before the length
	size   int // form of the length
	max    uint
}

// fixed returns what c is to a Reader: the zero value when its length has no fixed width.
func (c LengthField) fixed() fixedLength {
	w, top := c.width(0)
	if w == 0 || c.Size == 0 {
		return fixedLength{}
	}
	return fixedLength{c.Offset + w, c.Offset, c.Size, min(top, limit(c.Max, DefaultMax))}
}

// nextFixed is nextCut for whole frames with such a length; the others are left to it.
func (d *Reader) nextFixed() (Frame, bool) {
	b, l := d.buf[d.r:d.w], &d.fixed
	if d.size > 0 || len(b) < l.head {
		return d.nextCut()
	}
	var n uint
	switch p := b[l.offset:l.head]; l.size {
	case 1:
		n = uint(p[0])
	case 2:
		n = uint(binary.LittleEndian.Uint16(p))
	case -2:
		n = uint(binary.BigEndian.Uint16(p))
	case 4:
		n = uint(binary.LittleEndian.Uint32(p))
	case -4:
		n = uint(binary.BigEndian.Uint32(p))
	}
	if n > l.max || n > uint(len(b)-l.head) || l.head+int(n) > d.pendMax {
		return d.nextCut()
	}
	f := b[: l.head+int(n) : l.head+int(n)]
	d.raw = f
	d.skip(len(f))
	return Frame{Payload: f[l.head:]}, true
}

// skip moves the reading position on by n bytes.
func (d *Reader) skip(n int) {
	if d.r += n; d.r == d.w {
		d.drained()
	}
	d.need = d.r + 1
}

// measureCut asks the cutter about b, which begins at r. A size is noted, a skip returned; false means more is needed or the
// reader has failed.
func (d *Reader) measureCut(b []byte) (n int, ok bool) {
	n, err := d.cut.Cut(b)
	if err != nil {
		if !d.skipCut(b) {
			d.fail(d.r, err)
		}
		return 0, false
	}
	if n < -len(b) {
		d.fail(d.r, ErrLength)
		return 0, false
	}
	if n > d.pendMax || n == 0 && len(b) > d.pendMax {
		d.fail(d.r, ErrTooLarge)
		return 0, false
	}
	if n > 0 {
		d.size = n
	}
	return n, n != 0
}

// cutter is a codec that makes a frame of its bytes without a second look at them.
type cutter interface{ whole(b []byte) Frame }

// skipCut is skipped for a frame of LengthField that its Cut has refused.
func (d *Reader) skipCut(b []byte) bool {
	l, ok := d.codec.(LengthField)
	if !ok {
		return false
	}
	hs, n, err := l.announced(b)
	return err == nil && hs > 0 && n > limit(l.Max, DefaultMax) && d.skipped(hs, n)
}

// parse reads the frame of known size at the front of b.
func (d *Reader) parse(b []byte) (Frame, bool) {
	d.raw = b[:d.size:d.size]
	if c, ok := d.codec.(cutter); ok {
		return c.whole(b[:d.size]), true
	}
	f, n, err := d.codec.ParseFrame(b)
	if err == nil && n != d.size { // the codec contradicts its own cutter
		err = ErrLength
	}
	if err != nil {
		d.fail(d.r, err)
		return Frame{}, false
	}
	return f, true
}

// piece is the most bytes copied at a time behind a pending frame whose end is not known.
const piece = 4 << 10

// feedCut is feed for codecs other than Standard. What is pending stands at the front of the buffer.
func (d *Reader) feedCut(chunk []byte, fn func(Frame)) error {
	for d.w > 0 && len(chunk) > 0 && d.err == nil {
		chunk = d.completeCut(chunk, fn)
	}
	i := 0
	for i < len(chunk) && d.err == nil {
		b := chunk[i:]
		n, ok := d.measureCut(b)
		if ok && n < 0 {
			i, d.base = i-n, d.base-int64(n)
			continue
		}
		if !ok || n > len(b) {
			break
		}
		f, ok := d.parse(b)
		if !ok {
			break
		}
		i, d.base = i+n, d.base+int64(n)
		d.taken()
		fn(f)
	}
	if i < len(chunk) && d.err == nil {
		d.keep(chunk[i:])
		d.boundCut()
	}
	return d.err
}

// boundCut is bound for codecs other than Standard: a byte may complete any frame whose end is not known.
func (d *Reader) boundCut() {
	if d.err != nil {
		return
	}
	d.need, d.lim = d.w+1, 0
	if d.size > 0 {
		d.need, d.lim = d.size, min(d.size-1, len(d.buf))
	}
	d.end = 0
}

// sized finds the size of the frame at the front, of which old bytes had been looked at. It is false when more is needed, when
// the reader has failed, and when bytes of no frame, or a frame, end in what had been looked at: that is then handed out, and
// what follows in the buffer with it.
func (d *Reader) sized(old int, fn func(Frame)) bool {
	n, ok := d.measureCut(d.buf[:d.w])
	if ok && n < old {
		d.skip(max(-n, 0))
		d.settle(fn)
	}
	return n >= old
}

// completeCut takes from chunk what the pending frame may need, hands it out when it is whole, and returns the rest of chunk.
func (d *Reader) completeCut(chunk []byte, fn func(Frame)) []byte {
	old := d.w
	k := min(len(chunk), piece)
	if d.size > 0 {
		k = min(len(chunk), d.size-d.w)
	}
	if d.w+k > len(d.buf) {
		d.room(d.w + k)
	}
	d.w += copy(d.buf[d.w:], chunk[:k])
	if d.size == 0 && !d.sized(old, fn) || d.size > d.w {
		d.boundCut()
		return chunk[k:]
	}
	f, ok := d.parse(d.buf[:d.w])
	if !ok {
		return nil
	}
	k = d.size - old
	d.base += int64(d.size)
	d.w, d.lim = 0, 0
	d.taken()
	fn(f)
	return chunk[k:]
}
