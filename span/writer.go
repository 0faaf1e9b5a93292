package span

import (
	"fmt"
	"io"

	"github.com/spanwire/spanwire/span/spanrt"
)

// Writer writes values into a growing buffer, into a fixed buffer, or through a
// buffer of bounded size to an io.Writer.
//
// It is sticky: the first error is kept (see [Writer.Err]) and later writes do
// nothing. The zero Writer grows a buffer of its own. A Writer must not be
// copied once used, nor used by several goroutines at a time.
type Writer struct {
	b  []byte // written and not yet flushed
	x  *writerState
	st writerStatus

	nilAt int64 // with wEnded: where the message must end
}

// writerStatus packs flags and depths.
type writerStatus uint64

const (
	wFailed writerStatus = 1 << iota // x.err is set
	wSlow                            // options are set that only the plan obeys
	wFixed                           // b must not grow beyond its capacity
	wFlush                           // b goes to x.dst when full
	wCount                           // with wFlush: the bytes are counted, nobody wants them
	wElems                           // inside a list or map, where no message can end
	wEnded                           // a nil pointer has written nothing, nothing may follow
	wSeek                            // looking for that nil pointer: it fails
	wLimit                           // Options.MaxBytes is set
	wOwn    writerStatus = 1 << 14   // one of types' own WriteSpan within each other
	wDepth  writerStatus = 1 << 32   // one level of depth
)

// writerState is what a plain write into a growing buffer does not need.
type writerState struct {
	err  *Error
	opts Options

	dst     io.Writer
	flushed int64 // bytes handed to dst
	broken  bool  // dst has given an error

	objects map[sharedKey]uint64 // written so far under the tag shared

	sizes sizes // of sized structs to come, found ahead

	aside []byte // values that may not fit a fixed buffer; the bytes of marshaler methods
}

// sharedKey identifies an object of the tag shared: the same address may be two
// objects, a struct and its first field.
type sharedKey struct {
	typ  *program
	addr uintptr
}

const (
	flushChunk = 64 << 10 // a flushing Writer hands its buffer on at this size
)

// NewWriter returns a Writer that appends to buf, growing it as needed.
func NewWriter(buf []byte) *Writer { return &Writer{b: buf} }

// NewFixedWriter returns a Writer into the whole of buf's capacity from its start,
// which fails with [ErrShortBuffer] when that is full.
func NewFixedWriter(buf []byte) *Writer { return &Writer{b: buf[:0:cap(buf)], st: wFixed} }

// NewStreamWriter returns a Writer that hands its bytes to dst in pieces of about
// 64 KiB; Flush writes the rest.
func NewStreamWriter(dst io.Writer) *Writer {
	w := new(lentWriter)
	w.state.dst = dst
	w.x, w.st = &w.state, wFlush
	return &w.Writer
}

// Reset makes w append to buf, growing it as needed, and forgets everything
// else: error, options, destination.
func (w *Writer) Reset(buf []byte) { w.b, w.x, w.st = buf, nil, 0 }

// Configure sets options for all that is written from now on.
func (w *Writer) Configure(o Options) { w.configure(&o) }

// configure is Configure, save that nil changes nothing.
func (w *Writer) configure(o *Options) {
	if o == nil {
		return
	}
	w.state().opts = o.inForce()
	w.st &^= wSlow | wLimit
	if o.slowWrite() {
		w.st |= wSlow
	}
	if o.MaxBytes > 0 {
		w.st |= wLimit
	}
}

// Bytes returns what has been written and not been flushed. It is valid until
// the next write.
func (w *Writer) Bytes() []byte { return w.b }

// offset returns the number of bytes written, flushed ones included.
func (w *Writer) offset() int64 {
	n := int64(len(w.b))
	if w.x != nil {
		n += w.x.flushed
	}
	return n
}

// Err returns the first error, an [*Error], or nil.
func (w *Writer) Err() error {
	if w.st&wFailed == 0 {
		return nil
	}
	return w.x.err.settle()
}

// state returns w.x, made on first use.
func (w *Writer) state() *writerState {
	if w.x == nil {
		w.x = new(writerState)
	}
	return w.x
}

// Fail records err as the reason why a value can't be written. Only the first
// call has an effect.
func (w *Writer) Fail(err error) {
	if w.st&wFailed != 0 || err == nil {
		return
	}
	e, ok := own(err)
	if !ok {
		e = &Error{Op: "marshal", Offset: w.offset(), Err: err}
	}
	w.state().err = e
	w.st |= wFailed
}

// At puts a step, a field name or "[3]", in front of the error's path, and does
// nothing while there is no error.
func (w *Writer) At(step string) {
	if w.st&wFailed != 0 {
		w.x.err.within(step)
	}
}

// Flush hands the buffer to the io.Writer, if there is one, and returns the
// first error.
func (w *Writer) Flush() error {
	if w.st&wFlush != 0 {
		w.flush()
	}
	return w.Err()
}

// flush hands the buffer to the io.Writer.
func (w *Writer) flush() {
	if w.st&wFailed != 0 || len(w.b) == 0 {
		return
	}
	if w.st&wCount != 0 {
		w.x.flushed += int64(len(w.b))
		w.b = w.b[:0]
		return
	}
	n, err := 0, errNoWriter
	if w.x.dst != nil {
		n, err = w.x.dst.Write(w.b)
	}
	switch {
	case err != nil:
	case n < 0 || n > len(w.b):
		err = fmt.Errorf("the io.Writer returned an invalid count: %d of %d bytes", n, len(w.b))
	case n < len(w.b):
		err = io.ErrShortWrite
	}
	if err != nil {
		w.x.broken = true
		w.Fail(err)
		return
	}
	w.x.flushed += int64(n)
	w.b = w.b[:0]
}

// errNoWriter is the reason of writes to no io.Writer.
var errNoWriter = because(ErrNil, "the io.Writer is nil")

// room makes sure of space for n more bytes behind the buffer's length and
// reports whether there is; there is none once the Writer has failed.
func (w *Writer) room(n int) bool {
	return w.st&wFailed == 0 && cap(w.b)-len(w.b) >= n || w.makeRoom(n)
}

// makeRoom is the slow half of room: it flushes, grows or fails. A flushing
// Writer's buffer grows to 64 KiB and is handed on whenever that is full.
func (w *Writer) makeRoom(n int) bool {
	if w.st&wFailed != 0 {
		return false
	}
	if w.st&wFlush != 0 && (cap(w.b) >= flushChunk || w.st&wCount != 0) {
		if w.flush(); w.st&wFailed != 0 {
			return false
		}
	}
	if cap(w.b)-len(w.b) >= n {
		return true
	}
	if w.st&wFixed != 0 {
		w.Fail(ErrShortBuffer)
		return false
	}
	w.b = spanrt.Grow(w.b, n)
	return true
}

// Enter counts one level of depth on entry into a type that lies on a type
// cycle and reports whether the limit allows it. Each Enter that gives true
// needs a Leave.
func (w *Writer) Enter() bool {
	limit := writerStatus(maxDepth)
	if w.x != nil && w.x.opts.MaxDepth > 0 {
		limit = writerStatus(w.x.opts.MaxDepth)
	}
	if w.st/wDepth >= limit {
		w.Fail(because(ErrDepth, "more than %d levels", limit))
		return false
	}
	w.st += wDepth
	return true
}

// Leave undoes one Enter.
func (w *Writer) Leave() { w.st -= wDepth }
