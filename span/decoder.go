package span

import (
	"io"
	"math"
)

// Decoder reads what an Encoder writes from an io.Reader. It reads ahead, so that
// it owns the io.Reader until its end. Not for use by several goroutines at a
// time.
type Decoder struct {
	// Unframed reads values without a length in front. Only types whose messages
	// tell where they end can be read so; others are ErrNotSelfDelimiting.
	Unframed bool

	r     Reader
	state readerState
	src   io.Reader
	most  int64 // bytes of one message
}

// NewDecoder returns a Decoder that reads from src. Options.MaxBytes bounds each
// message; strings are copied whatever the options say.
func NewDecoder(src io.Reader) *Decoder { return newDecoder(src, nil) }

// newDecoder is NewDecoder under options.
func newDecoder(src io.Reader, o *Options) *Decoder {
	d := new(Decoder)
	d.r.resetStream(src, &d.state, o)
	d.src, d.most = src, d.state.opts.maxBytes()
	d.state.left = math.MaxInt64
	return d
}

// Decode reads the next value into what v points to, as [Unmarshal] does. At the
// end of the input it returns io.EOF, bare, if that is between two values; an
// error of the io.Reader that came with the last bytes of a message is left to
// the next call. An error in a message is final: what follows can't be trusted.
func (d *Decoder) Decode(v any) error {
	pl, p, err := destination(v)
	r := &d.r
	switch {
	case err != nil:
		return err
	case d.Unframed && !pl.ends:
		return notSelfDelimiting("unmarshal", pl)
	case r.st&rFailed != 0:
		return r.x.err
	}
	d.state.calls, d.state.ahead, r.room = 0, 0, len(d.state.buf)-r.off
	if d.Unframed {
		d.state.left = max(0, d.most-int64(len(d.state.buf)-r.off))
	}
	if !r.more() && r.st&rFailed == 0 {
		return io.EOF
	}
	if d.Unframed {
		r.value(pl, v, p)
	} else if d.enter() {
		r.value(pl, v, p)
		d.leave()
	}
	if r.st&rFailed == 0 {
		return nil
	}
	return r.x.err.of(pl).done()
}

// enter reads the length of a message and makes it the Reader's window.
func (d *Decoder) enter() bool {
	r := &d.r
	at := r.Offset()
	n, ok := r.uvarint(31, false)
	if ok && int64(n) > d.most {
		r.failBack(at, because(ErrLimit, "%d bytes where MaxBytes is %d", n, d.most))
		return false
	}
	if !ok {
		return false
	}
	r.x.end = r.Offset() + int64(n)
	r.narrow()
	if n <= streamBuffer && r.need(int(n)) {
		r.x.src, r.room = nil, int(n) // it is bytes in memory
	}
	return r.st&rFailed == 0
}

// leave ends the window, where the message must end too.
func (d *Decoder) leave() {
	r := &d.r
	r.x.src = d.src
	if r.st&rFailed != 0 {
		return
	}
	if r.Offset() < r.x.end {
		if r.more() {
			r.trails()
		} else {
			r.truncated(r.x.end - r.Offset()) // the input ends where the value may, its message does not
		}
		return
	}
	r.x.end = -1
	r.narrow()
}
