package rpc

import (
	"bytes"

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

const settleMax = 256 // answers collected before they are looked up

func (c *conn) answer(f frame.Frame) {
	if c.cfg.envelope && f.Mode() != frame.ErrorResponse && c.control(f) {
		return
	}
	b := c.batch
	if c.cfg.header != nil {
		b.headers = append(b.headers, c.cfg.length.Header(b.in.Raw()))
	}
	if b.got == nil {
		b.got = make([]answer, 0, answersMin)
	}
	if n := len(b.got); n < cap(b.got) { // in place: an answer is large
		b.got = b.got[:n+1]
		b.got[n].f = f
	} else {
		b.got = append(b.got, answer{f: f})
	}
	if len(b.got) == settleMax {
		c.settle()
	}
}

// settle gives the collected answers to who waits for them.
func (c *conn) settle() {
	b := c.batch
	if len(b.got) == 0 {
		return
	}
	c.mu.Lock()
	callbacks := false
	stray := error(nil)
	for i := range b.got {
		a := &b.got[i]
		if !c.match(a) && !c.cfg.numbered {
			stray = ErrUnexpected
			b.got = b.got[:i]
			break
		}
		callbacks = callbacks || a.fn != nil
	}
	cork := callbacks && !c.flushing && c.err == nil
	if cork {
		c.flushing = true // what callbacks send is only queued
	}
	c.grant()
	c.mu.Unlock()
	for i := range b.got {
		a := &b.got[i]
		if a.more != nil && a.more.header != nil && string(a.more.header) != string(b.headers[i]) {
			c.mismatch(a)
			stray = ErrMismatch
			continue
		}
		c.complete(a)
	}
	clear(b.got)
	b.got, b.headers = b.got[:0], b.headers[:0]
	if cork {
		c.mu.Lock()
		c.push(false)
		c.mu.Unlock()
	}
	if stray != nil {
		c.violation(stray)
	}
}

// match finds the call of an answer and ends its wait; for a stream it stays.
func (c *conn) match(a *answer) bool {
	n := a.f.Seq
	if !c.cfg.numbered && c.tab != nil {
		n = c.tab.oldest + 1
	}
	if c.tab == nil || !c.tab.waits(n) {
		if c.tab != nil && c.cfg.numbered && c.tab.answered(n) {
			c.cfg.rare.late.Add(1)
		} else {
			c.cfg.rare.unmatched.Add(1)
		}
		return false
	}
	s := &c.tab.slots[n]
	a.call, a.fn, a.more = s.call, s.fn, s.more
	if st := s.stream(); st != nil && !st.ends(a.f) {
		return true
	}
	c.tab.drop(n)
	c.tab.oldest = n
	return true
}

// complete ends the call of an answer.
func (c *conn) complete(a *answer) {
	switch {
	case a.fn != nil && c.leading():
		go c.completeLater(answer{f: frame.Frame{Head: a.f.Head, Seq: a.f.Seq, Payload: bytes.Clone(a.f.Payload)}, fn: a.fn})
	case a.fn != nil && !c.cfg.envelope && a.f.Mode() != frame.ErrorResponse:
		a.fn(a.f.Payload, nil)
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
	if c.side.leader == a.call {
		c.side.led = true
	} else {
		a.call.ch <- struct{}{}
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
	c.learn(m.Tail != nil)
	if f.Mode() == frame.ErrorResponse && !remoting.Success(m.Code) {
		e := &Error{Code: m.Code, Text: string(remoting.ErrorText(m.Data))}
		if d := m.Tail.Details(); d != nil {
			e.Details = append([]byte(nil), d...)
		}
		return m, e
	}
	return m, nil
}
