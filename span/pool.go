package span

import "sync"

// Cursors that are lent for one call: those that methods of others get to see,
// which must be on the heap, and those with options.

const poolBuffer = 64 << 10 // largest buffer that is kept

// A lentWriter is a Writer with room for its options.
type lentWriter struct {
	Writer
	state writerState
}

var writers = sync.Pool{New: func() any { return new(lentWriter) }}

// getWriter lends a Writer that appends to buf, depth levels having been
// entered.
func getWriter(buf []byte, depth int) *lentWriter {
	w := writers.Get().(*lentWriter)
	w.b, w.x, w.st = buf, &w.state, writerStatus(depth)*wDepth
	return w
}

// put takes the Writer back. Its error stays valid.
func (w *lentWriter) put() {
	aside := w.state.aside[:0]
	if cap(aside) > poolBuffer {
		aside = nil
	}
	w.Writer, w.state = Writer{}, writerState{aside: aside}
	writers.Put(w)
}

// result gives what was appended to dst, or dst and the error, whose offset then
// counts from the end of dst.
func (w *Writer) result(dst []byte) ([]byte, error) {
	if w.st&wFailed != 0 {
		w.x.err.Offset -= int64(len(dst))
		return dst, w.x.err.settle()
	}
	return w.b, nil
}

// A lentReader is a Reader with room for its options.
type lentReader struct {
	Reader
	state readerState
}

var readers = sync.Pool{New: func() any { return new(lentReader) }}

// getReader lends a Reader.
func getReader() *lentReader {
	r := readers.Get().(*lentReader)
	return r
}

// put takes the Reader back. Its error stays valid.
func (r *lentReader) put() {
	buf := r.state.buf[:0]
	if cap(buf) > poolBuffer {
		buf = nil
	}
	objects := r.state.objects[:0]
	clear(objects[:cap(objects)])
	r.Reader, r.state = Reader{}, readerState{buf: buf, objects: objects}
	readers.Put(r)
}

// buffers has what Marshal writes into before the result's size is known.
var buffers = sync.Pool{New: func() any { return new([]byte) }}
