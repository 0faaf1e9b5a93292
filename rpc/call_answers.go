package rpc

import (
	"bytes"
	"slices"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// answer is a frame that may answer a call of this side.
type answer struct {
	f    frame.Frame
	call *call
	fn   func(body []byte, err error)
	more *slotMore
}

const answersMin = 4 // room that a batch begins with

const settleMax = 64 // answers that are looked up together: what is known of them is to stay near

func (c *conn) answer(f frame.Frame) {
	if c.cfg.envelope && f.Mode() != frame.ErrorResponse && c.control(f) {
		return
	}
	b := c.read.batch
	if c.cfg.header != nil {
		b.headers = append(b.headers, c.cfg.length.Header(b.in.Raw()))
	}
	b.answer().f = f
	if len(b.got) == settleMax {
		c.settle() // what comes next may wait for room
	}
}

// answer adds an answer to those of the batch. It is to be filled in place: it is large.
func (b *batch) answer() *answer {
	n := len(b.got)
	if n == cap(b.got) {
		b.got = slices.Grow(b.got, answersMin)
	}
	b.got = b.got[:n+1]
	return &b.got[n]
}

// settle gives what is left of the answers of a read to who waits for them, and sends what callbacks have queued.
func (c *conn) settle() {
	c.settleSome()
	c.uncork()
}

// uncork sends what callbacks have queued.
func (c *conn) uncork() {
	b := c.read.batch
	if !b.corked {
		return
	}
	b.corked = false
	c.mu.Lock()
	if c.write.corked {
		c.write.corked = false
		c.push(false)
	}
	c.mu.Unlock()
}

// settleSome gives the collected answers to who waits for them.
func (c *conn) settleSome() {
	b := c.read.batch
	if len(b.got) == 0 {
		return
	}
	c.mu.Lock()
	for i := range b.got {
		if !c.match(b, &b.got[i]) {
			b.got = b.got[:i]
			break
		}
	}
	c.deliver(b)
}

// deliver completes the calls that were found for answers. It is called under the lock, and leaves without it.
func (c *conn) deliver(b *batch) {
	if b.async && !c.write.flushing && c.err == nil {
		c.write.flushing, c.write.corked, b.corked = true, true, true // what callbacks send is only queued, until uncork
	}
	c.grant()
	c.mu.Unlock()
	stray := b.stray
	bare, leads := c.cfg.bare.answers, c.leading()
	for i := range b.got {
		a := &b.got[i]
		b.given = i + 1
		switch plain := bare && a.f.Mode() != frame.ErrorResponse; {
		case plain && a.fn != nil && !leads:
			a.fn(a.f.Payload, nil)
		case plain && a.call != nil:
			a.call.dst = append(a.call.dst, a.f.Payload...)
			c.wakeCall(a.call)
		case a.more != nil && a.more.header != nil && string(a.more.header) != string(b.headers[i]):
			c.mismatch(a)
			stray = ErrMismatch
		default:
			c.complete(a)
		}
	}
	clear(b.got)
	b.got, b.headers, b.given, b.async, b.stray = b.got[:0], b.headers[:0], 0, false, nil
	if stray != nil {
		c.violation(stray)
	}
}

// failGot ends the calls whose answers a callback has kept from them by ending the reader's goroutine.
func (c *conn) failGot(reason error) {
	b := c.read.batch
	if b == nil || b.given == 0 {
		return
	}
	err := unknown(reason)
	var fns []func()
	for i := range b.got[b.given:] {
		switch a := &b.got[b.given+i]; {
		case a.fn != nil:
			fns = append(fns, func() { a.fn(nil, err) })
		case a.more != nil && a.more.stream != nil:
			a.more.stream.fail(err)
		case a.call != nil:
			a.call.err = err
			a.call.ch <- struct{}{}
		}
	}
	later(fns)
}

// match finds the call of an answer and ends its wait; for a stream it stays. It is false when the answer ends the stream of
// frames, because it is nobody's where answers come in order.
func (c *conn) match(b *batch, a *answer) bool {
	t, n := c.calls.tab, a.f.Seq
	if t != nil && !c.cfg.numbered {
		n = t.Oldest()
	}
	if t == nil || !t.Waits(n) {
		return t != nil && c.cfg.numbered && ofLeft(t, a.f) || c.unmatched(b, n)
	}
	s := t.Slot(n)
	a.call, a.fn, a.more = s.call, s.fn, t.Rare(n).more
	if a.fn != nil {
		b.async = true
	}
	if a.more != nil && a.more.stream != nil && !a.more.stream.ends(a.f) {
		return true
	}
	t.Drop(n)
	t.Done(n)
	return true
}

// unmatched notes an answer that no call waits for.
func (c *conn) unmatched(b *batch, n byte) bool {
	switch {
	case c.err != nil: // its call has ended with the connection
		return true
	case c.calls.tab != nil && c.cfg.numbered && c.calls.tab.Answered(n):
		c.cfg.rare.late.Add(1)
		return true
	}
	c.cfg.rare.unmatched.Add(1)
	if !c.cfg.numbered {
		b.stray = ErrUnexpected
	}
	return c.cfg.numbered
}

// complete ends the call of an answer.
func (c *conn) complete(a *answer) {
	switch {
	case a.fn != nil && c.leading():
		go c.completeLater(answer{f: frame.Frame{Head: a.f.Head, Seq: a.f.Seq, Payload: bytes.Clone(a.f.Payload)}, fn: a.fn})
	case a.more != nil && a.more.stream != nil:
		a.more.stream.take(a.f)
	case a.call != nil || a.fn != nil:
		m, err := c.message(a)
		c.end(a, &m, err)
	}
}

// completeLater runs a callback whose answer a caller has read, on a goroutine of its own.
func (c *conn) completeLater(a answer) {
	m, err := c.message(&a)
	c.end(&a, &m, err)
}

// message is what an answer says.
func (c *conn) message(a *answer) (m remoting.Message, err error) {
	switch {
	case c.cfg.envelope:
		return c.open(a.f)
	case c.cfg.numbered && a.f.Mode() == frame.ErrorResponse:
		return m, &Error{Code: remoting.Internal, Text: string(a.f.Payload)}
	}
	m.Data = a.f.Payload
	return m, nil
}

// end gives a call its answer.
func (c *conn) end(a *answer, m *remoting.Message, err error) {
	if a.fn != nil {
		if err != nil {
			a.fn(nil, err)
		} else {
			a.fn(m.Data, nil)
		}
		return
	}
	a.call.fill(m, err)
	c.wakeCall(a.call)
}

// wakeCall tells a caller that its call has ended.
func (c *conn) wakeCall(ca *call) {
	if c.calls.side.leader == ca {
		c.calls.side.led = true
	} else {
		ca.ch <- struct{}{}
	}
}

// mismatch ends the call of a reply that is not its own.
func (c *conn) mismatch(a *answer) {
	if a.call != nil || a.fn != nil {
		c.end(a, nil, unknown(ErrMismatch))
	}
}

// open reads the message in an answer.
func (c *conn) open(f frame.Frame) (remoting.Message, error) {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if err != nil {
		return m, &CallError{Outcome: Unknown, Err: err}
	}
	if c.stranger(m.Tail != nil) {
		return m, unknown(ErrPeer)
	}
	c.learn(m.Tail != nil)
	if f.Mode() == frame.ErrorResponse && !remoting.Success(m.Code) {
		text := m.Data
		if m.Tail == nil { // as NewLife's client shows it; between our own peers quotes are part of the text
			text = remoting.ErrorText(text)
		}
		e := &Error{Code: m.Code, Text: string(text), refusal: m.Tail.Refusal()}
		if d := m.Tail.Details(); d != nil {
			e.Details = append([]byte(nil), d...)
		}
		return m, e
	}
	return m, nil
}
