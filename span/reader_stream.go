package span

import (
	"errors"
	"io"
)

const (
	streamBuffer = 64 << 10 // bytes of look-ahead, and the most memory taken ahead of the bytes that came
	firstBuffer  = 4 << 10  // a stream's buffer to begin with
	emptyReads   = 100      // reads without a byte and without an error until io.ErrNoProgress
)

// NewStreamReader returns a Reader of src with bounded look-ahead: at most 64 KiB
// beyond what the value at hand needs. Strings are always copied. A source that
// should not lose the bytes after the value needs [UnmarshalRead]'s framing or
// its own bound.
func NewStreamReader(src io.Reader) *Reader { return newStreamReader(src, nil) }

// newStreamReader is NewStreamReader under options.
func newStreamReader(src io.Reader, o *Options) *Reader {
	r := new(lentReader)
	r.resetStream(src, &r.state, o)
	return &r.Reader
}

// resetStream makes r read from src with a state to use, whose buffer is kept.
func (r *Reader) resetStream(src io.Reader, x *readerState, o *Options) {
	if src == nil {
		src = noReader{}
	}
	*x = readerState{src: src, buf: x.buf[:0], end: -1, lent: true}
	r.b, r.off, r.shared, r.x, r.st, r.room = x.buf, 0, nil, x, 0, 0
	r.configure(o)
	x.left = x.opts.maxBytes()
}

// noReader stands for an io.Reader that is nil.
type noReader struct{}

func (noReader) Read([]byte) (int, error) { return 0, errNoReader }

// errNoReader is the reason of reads from no io.Reader.
var errNoReader = because(ErrNil, "the io.Reader is nil")

// settle reads a stream that ends within the buffer up to its end, and makes it
// bytes in memory: so a short message fails just where and as it does there.
func (r *Reader) settle() {
	x := r.x
	for x.srcErr == nil && len(x.buf) < streamBuffer && r.refill(len(x.buf)+1) {
	}
	if r.st&rFailed == 0 && x.srcErr == io.EOF { //nolint:errorlint // see broken
		x.src = nil
	}
}

// streaming reports that not all bytes of the input are in memory.
func (r *Reader) streaming() bool { return r.x != nil && r.x.src != nil }

// need makes n bytes available at the cursor and reports whether it could. It
// is the slow half of take: on a slice it never can.
func (r *Reader) need(n int) bool {
	for len(r.b)-r.off < n {
		if !r.refill(n) {
			return false
		}
	}
	return true
}

// refill reads more of the stream, n bytes being wanted at the cursor, and
// reports whether any came. The bytes before the cursor are dropped.
func (r *Reader) refill(n int) bool {
	x := r.x
	if x == nil || x.src == nil || r.st&rFailed != 0 {
		return false
	}
	if x.end >= 0 && x.base+int64(len(r.b)) >= x.end {
		return false // the sized struct ends here
	}
	if x.srcErr != nil {
		r.broken()
		return false
	}
	r.compact(n)
	room := x.buf[len(x.buf):cap(x.buf)]
	if int64(len(room)) > x.left {
		room = room[:x.left]
	}
	if len(room) == 0 {
		room = x.beyond[:] // the input may end right here
	}
	got := 0
	for range emptyReads {
		n, err := x.src.Read(room)
		if n < 0 || n > len(room) {
			n, err = 0, errors.New("source returned an invalid count")
		}
		got += n
		if err != nil {
			x.srcErr = err
		}
		if n > 0 || err != nil {
			break
		}
	}
	if got == 0 && x.srcErr == nil {
		x.srcErr = io.ErrNoProgress
	}
	if got > 0 && x.left == 0 {
		x.srcErr = because(ErrLimit, "the input is larger than MaxBytes")
		r.Fail(x.srcErr)
		return false
	}
	x.left -= int64(got)
	r.room += got
	x.buf = x.buf[:len(x.buf)+got]
	r.narrow()
	if got == 0 {
		r.broken()
	}
	return got > 0
}

// broken fails the Reader where its source has ended in an error: only after
// io.EOF itself is the input what has come. It is called where more is asked
// for, since an error may come together with the last bytes of a value.
func (r *Reader) broken() {
	if err := r.x.srcErr; err != io.EOF { //nolint:errorlint // a reader that ends well gives io.EOF bare
		r.Fail(err)
	}
}

// compact drops what is read and makes room for more, growing by at most 64 KiB
// beyond the bytes that are there. The buffer begins small and doubles each time
// that it has been filled, up to 64 KiB.
func (r *Reader) compact(n int) {
	x := r.x
	rest := x.buf[r.off:]
	chunk := max(cap(x.buf), firstBuffer)
	if len(x.buf) == cap(x.buf) {
		chunk = max(2*cap(x.buf), firstBuffer)
	}
	want := min(max(n, min(chunk, streamBuffer)), len(rest)+streamBuffer)
	if cap(x.buf) < want {
		buf := make([]byte, len(rest), want)
		copy(buf, rest)
		x.buf = buf
	} else if r.off > 0 {
		x.buf = x.buf[:copy(x.buf[:cap(x.buf)], rest)]
	}
	x.base += int64(r.off)
	r.off = 0
	r.narrow()
}

// narrow sets r.b to the part of the buffer that belongs to the innermost sized
// struct.
func (r *Reader) narrow() {
	x := r.x
	r.b = x.buf
	if x.end >= 0 && x.end-x.base < int64(len(r.b)) {
		r.b = x.buf[:x.end-x.base]
	}
}

// more reports whether a byte is at the cursor, reading from the stream if
// needed. False without Failed means that the input (or sized struct) ends here.
func (r *Reader) more() bool { return r.off < len(r.b) || r.need(1) }

// take returns the next n bytes and moves past them; they are valid until the
// next read. It fails the Reader and returns nil when they are not there.
func (r *Reader) take(n int) []byte {
	if len(r.b)-r.off < n && !r.need(n) {
		r.truncated(int64(n))
		return nil
	}
	b := r.b[r.off : r.off+n]
	r.off += n
	return b
}
