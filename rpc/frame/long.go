package frame

// A frame over the limit ends the stream, unless its reader skips: then its first bytes are kept, for who has to say which message
// could not be taken, and the rest is dropped as it comes.

const longKept = 512 // payload bytes that are kept of a frame over the limit

// SkipLong makes the pull form go on behind frames over the codec's limit, as long as their payload has at most so many bytes: Next
// returns false at one, and Long tells of it. It does so for codecs whose frames begin with their length: Standard and LengthField.
func (d *Reader) SkipLong(most int) { d.skips = uint(max(most, 0)) }

// Long returns a frame over the limit, once its first bytes have come, and drops it: the payload it announces is size bytes, f.Payload
// has no more than the first 512 of them, valid like that of a frame from Next. Call it when Next has returned false; when it is true
// there may be more frames.
func (d *Reader) Long() (f Frame, size int, ok bool) {
	if d.long == 0 || d.w-d.r < d.size {
		return Frame{}, 0, false
	}
	b := d.buf[d.r:d.w]
	f = Frame{Payload: b[d.longHead:d.size:d.size]}
	if d.cut == nil {
		f.Head, f.Seq = b[0], b[1]
	}
	d.raw = b[:d.size:d.size]
	size = d.long
	d.longAt, d.dropping = d.Offset(), d.longHead+d.long
	d.long, d.size = 0, 0
	d.shed()
	return f, size, true
}

// Skip drops what has come of a frame over the limit, and reports whether more of it is to come. Who skips calls it after each Wrote.
func (d *Reader) Skip() bool {
	if d.dropping == 0 {
		return false
	}
	d.shed()
	return d.dropping > 0
}

// skipped notes a frame over the limit, of n payload bytes behind a header of hs, and reports whether it is to be skipped.
func (d *Reader) skipped(hs int, n uint) bool {
	if n > d.skips {
		return false
	}
	d.long, d.longHead, d.size = int(n), hs, hs+int(min(n, longKept))
	d.wait(d.size)
	d.need = never
	return true
}

// shed drops what has come of a frame over the limit.
func (d *Reader) shed() {
	n := min(d.dropping, d.w-d.r)
	d.dropping -= n
	if d.r += n; d.r == d.w {
		d.drained()
	}
	d.need = never
	if d.dropping == 0 {
		d.need = d.r + 1
		if d.cut == nil {
			d.need = d.r + shortHead
		}
	}
}
