package span

import (
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// ReadString reads a length and as many bytes, in the Reader's string mode. The
// bytes are kept as they are, valid UTF-8 or not.
func (r *Reader) ReadString() string {
	if b := r.b[r.off:]; len(b) > 0 && b[0] < 0x80 && int(b[0]) < len(b) {
		n := int(b[0])
		s := r.Fast().StringAt(r.unread(), 1, n, -1)
		r.off += 1 + n
		return s
	}
	return r.readString(int(r.readUvarint(31)))
}

// ReadBytes reads a length and as many bytes into dst, cut to length 0 first:
//
//	p.Data = r.ReadBytes(p.Data)
//
// dst grows where it must and is never kept in another way; nil stays nil where
// there are no bytes. With Options.Fresh dst is left alone and new memory used.
func (r *Reader) ReadBytes(dst []byte) []byte {
	return r.readBytes(dst, int(r.readUvarint(31)))
}

// ReadRaw fills dst with the bytes at the cursor: the reverse of WriteRaw. For a
// GUID it is r.ReadRaw(g[:]).
func (r *Reader) ReadRaw(dst []byte) {
	for len(dst) > 0 {
		if !r.more() {
			r.truncated(int64(len(dst)))
			clear(dst)
			return
		}
		n := copy(dst, r.b[r.off:])
		r.off += n
		dst = dst[n:]
	}
}

// ReadTime reads what WriteTime writes, 12 bytes. The time is in UTC. More than
// 999,999,999 nanoseconds are ErrRange.
func (r *Reader) ReadTime() time.Time {
	b := r.take(12)
	if b == nil {
		return time.Time{}
	}
	t, n := wire.ConsumeTime(b)
	if n < 0 {
		r.failBack(r.Offset()-4, noTime(uint64(spanrt.GetUint32(b[8:])), layout.TimeFull))
	}
	return t
}

// ReadDecimal reads what WriteDecimal writes. A scale above 28, or other bits
// than scale and sign in the last word, are ErrMalformed.
func (r *Reader) ReadDecimal() Decimal {
	at := r.Offset()
	var words [4]uint32
	for i := range words {
		words[i] = r.ReadUint32()
	}
	d, err := DecimalFromBits(words)
	if err != nil {
		r.failBack(at, err)
	}
	return d
}

// ReadChar reads 1 byte, a character up to U+00FF.
func (r *Reader) ReadChar() Char { return Char(r.ReadUint8()) }

// readString reads n bytes as a string.
func (r *Reader) readString(n int) string {
	if n <= len(r.b)-r.off || n <= streamBuffer && r.need(n) {
		s := r.Fast().StringAt(r.unread(), 0, n, -1)
		r.off += n
		return s
	}
	return aliasString(r.gather(n)) // memory of its own
}

// readBytes reads n bytes into dst.
func (r *Reader) readBytes(dst []byte, n int) []byte {
	if r.st&rSlow != 0 && r.x.opts.Fresh {
		dst = nil
	}
	switch {
	case n <= len(r.b)-r.off || n <= streamBuffer && r.need(n):
		dst = append(dst[:0], r.b[r.off:r.off+n]...)
		r.off += n
		return dst
	case n <= cap(dst) && r.holds(n):
		if r.ReadRaw(dst[:n]); r.st&rFailed != 0 {
			return nil
		}
		return dst[:n]
	}
	return r.gather(n)
}

// gather reads n bytes that are not all in memory. It takes pieces no longer than
// what came before, and at most 64 KiB, and joins them when all have come, so
// that a length without its bytes makes no memory.
//
//go:noinline
func (r *Reader) gather(n int) []byte {
	if !r.holds(n) {
		r.lacks(-1, n, 1)
		return nil
	}
	var pieces [][]byte
	for left := n; left > 0; {
		p := make([]byte, min(left, streamBuffer, max(n-left, len(r.b)-r.off, 512)))
		if r.ReadRaw(p); r.st&rFailed != 0 {
			return nil
		}
		pieces = append(pieces, p)
		left -= len(p)
	}
	return join(pieces, n)
}

// gatherRest reads all bytes that are left.
//
//go:noinline
func (r *Reader) gatherRest() []byte {
	var pieces [][]byte
	n := 0
	for r.more() {
		k := min(len(r.b)-r.off, streamBuffer)
		if last := len(pieces) - 1; last >= 0 && cap(pieces[last])-len(pieces[last]) >= k {
			pieces[last] = append(pieces[last], r.b[r.off:r.off+k]...)
		} else {
			pieces = append(pieces, append(make([]byte, 0, streamBuffer), r.b[r.off:r.off+k]...))
		}
		r.off += k
		n += k
	}
	if r.st&rFailed != 0 {
		return nil
	}
	return join(pieces, n)
}

// join makes one slice of the pieces, n bytes in all.
func join(pieces [][]byte, n int) []byte {
	b := make([]byte, 0, n)
	for _, p := range pieces {
		b = append(b, p...)
	}
	return b
}

// holds reports whether the input can still have n bytes: certain in memory, an
// upper bound in a stream.
func (r *Reader) holds(n int) bool { return r.inMemory(int64(n)) || r.streamHolds(int64(n)) }

// inMemory reports that n bytes are there.
func (r *Reader) inMemory(n int64) bool { return n <= int64(len(r.b)-r.off) }

// streamHolds is holds for more bytes than are in memory. It fails the Reader
// where the source's error is why there are no more.
//
//go:noinline
func (r *Reader) streamHolds(n int64) bool {
	if !r.streaming() {
		return false
	}
	x := r.x
	if x.end >= 0 && n > x.end-r.Offset() {
		return false
	}
	have := int64(len(x.buf) - r.off)
	if n > have && x.srcErr != nil {
		r.broken()
		return false
	}
	return n-have <= x.left
}

// comes is streamHolds for elements. It waits for them as far as the buffer goes:
// a count that a short stream does not hold fails where it does in memory.
func (r *Reader) comes(n int64) bool {
	if !r.streamHolds(n) && (!r.streaming() || r.x.end >= 0 || r.st&rFailed != 0) {
		return false
	}
	return r.need(int(min(n, streamBuffer))) && r.streamHolds(n)
}

// failBack fails the Reader with the fault at an offset that it has passed.
func (r *Reader) failBack(at int64, err error) {
	r.Fail(&Error{Op: "unmarshal", Offset: at, Err: err})
}
