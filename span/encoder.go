package span

import (
	"io"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// Encoder writes values one behind the other to an io.Writer, each as the uvarint
// length of its message and the message. Not for use by several goroutines at a
// time.
type Encoder struct {
	// Unframed leaves the lengths out. Only types whose messages tell where they
	// end can be written so; others are ErrNotSelfDelimiting.
	Unframed bool

	dst  io.Writer
	opts Options
	w    lentWriter
	buf  []byte
	err  error // of dst
}

// NewEncoder returns an Encoder that writes to dst.
func NewEncoder(dst io.Writer) *Encoder { return &Encoder{dst: dst} }

// Encode writes v. It hands pieces of about 64 KiB to the io.Writer, the last one
// before it returns. A value that has no message leaves nothing behind where
// Encoder can tell in time: with lengths, always. An error of the io.Writer is
// final.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	pl := planOf(v)
	if pl == nil || pl.err != nil {
		return noPlan("marshal", pl)
	}
	p, ok := rootOf(pl, v)
	switch {
	case !ok:
		return nilRoot("marshal", pl.typ)
	case e.Unframed && !pl.ends:
		return notSelfDelimiting("marshal", pl)
	case e.dst == nil:
		return &Error{Op: "marshal", Type: pl.typ.String(), Offset: -1, Err: errNoWriter}
	}
	w := e.writer()
	w.guarded(pl, func() { e.message(w, pl, v, p) })
	err := w.Flush()
	if err != nil && (w.x.broken || w.x.flushed > 0) {
		e.err = err
	}
	if e.buf = nil; cap(w.b) <= 2*poolBuffer {
		e.buf = w.b[:0]
	}
	return err
}

// message writes v with its length.
func (e *Encoder) message(w *Writer, pl *plan, v any, p ptr) {
	if w.short(pl, v, p, !e.Unframed) {
		return
	}
	pr := w.program(pl)
	if !e.Unframed && !w.frame(pl, pr, p) {
		return
	}
	begin := w.offset()
	if w.message(pl, pr, p, idOf(pl, p)); w.st&wFailed != 0 {
		w.x.err.Offset -= begin
	}
}

// writer prepares the Writer for a value.
func (e *Encoder) writer() *Writer {
	w := &e.w.Writer
	e.w.state = writerState{dst: e.dst, aside: e.w.state.aside}
	w.b, w.x, w.st = e.buf[:0], &e.w.state, 0
	w.configure(&e.opts)
	w.st |= wFlush
	return w
}

// short writes a value by its generated methods, its length in front if framed,
// and reports false where it has none, is too long for the buffer or for
// Options.MaxBytes.
func (w *Writer) short(pl *plan, v any, p ptr, framed bool) bool {
	if !pl.generated || w.st&wSlow != 0 {
		return false
	}
	m := generatedAt(pl, v, p)
	n, most := int64(m.SizeSpan()), w.x.opts.MaxBytes
	if n > flushChunk || most > 0 && n > most {
		return false
	}
	b, start := w.b, len(w.b)
	if framed {
		b = append(b, 0)
	}
	b, err := m.AppendSpan(b)
	if err != nil {
		w.Fail(completed(err, pl))
		return true
	}
	if framed {
		b, _ = spanrt.PutSize(b, start)
	}
	w.b = b
	return true
}

// frame writes the length of a message that is to follow. It reports false for a
// value that has no message.
func (w *Writer) frame(pl *plan, pr *program, p ptr) bool {
	n := int64(pr.fixed)
	if n < 0 {
		c := w.sizer()
		if c.message(pl, pr, p, idOf(pl, p)); !w.measured(c) {
			return false
		}
		n = w.x.sizes.total
	}
	switch {
	case n > maxLength:
		w.Fail(&Error{Op: "marshal", Type: pl.typ.String(), Offset: -1, Err: because(ErrRange, "a length of %d", n)})
	case w.room(5):
		w.b = wire.AppendLength(w.b, int(n))
	}
	return w.st&wFailed == 0
}
