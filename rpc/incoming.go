package rpc

import (
	"slices"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// request handles a frame that wants an answer.
func (c *conn) request(f frame.Frame) {
	r := &c.req
	*r = Request{conn: c, Body: f.Payload, Flag: f.Flag(), seq: f.Seq}
	if c.cfg.length != nil {
		r.Header = c.cfg.length.Header(c.in.Raw())
	}
	if c.cfg.envelope && !c.unwrap(f, r) {
		return
	}
	c.asked++
	m := c.lookup(r)
	switch {
	case m == nil:
		c.refuse(r, notFound(r))
	case m.inline:
		c.inline(m, r)
	default:
		c.spawn(m, r)
	}
}

// unwrap reads the message of a request. It is false when that is answered already.
func (c *conn) unwrap(f frame.Frame, r *Request) bool {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	r.wire, r.Body, r.tail = m.Action, m.Data, m.Tail
	if m.Tail != nil {
		c.learn(true)
	} else if c.cfg.server {
		c.learn(false)
	}
	if err == nil && !remoting.ValidAction(m.Action) {
		err = remoting.ErrAction
	}
	if err != nil {
		c.count.badRequests.Add(1)
		c.refuse(r, &Error{Code: remoting.BadRequest, Text: err.Error()})
		return false
	}
	if remoting.ControlOf(f.Mode(), m.Action) == remoting.Ping {
		c.reply(r, nil)
		return false
	}
	r.stream = f.Flag()&remoting.StreamBits == remoting.StreamBits
	return true
}

// lookup finds the handler of a request and notes its name.
func (c *conn) lookup(r *Request) *method {
	if c.cfg.router == nil || remoting.Reserved(r.wire) {
		return nil
	}
	m := c.cfg.router.find(r.wire)
	switch {
	case m == nil:
	case !m.wild:
		r.Action = m.name
	default:
		r.Action = string(r.wire)
	}
	return m
}

func notFound(r *Request) error {
	return &Error{Code: remoting.NotFound, Text: remoting.NotFoundText(string(r.wire))}
}

// inline runs a handler on the reader; the reply goes straight behind those of the batch.
func (c *conn) inline(m *method, r *Request) {
	if c.refusing(r) {
		return
	}
	if c.out == nil {
		c.out = newBuffer()
	}
	b, k := c.startReply(c.out.b, r)
	if !c.cfg.numbered {
		b = slices.Grow(b, c.cfg.reserve)
	}
	at := len(b) + c.cfg.reserve // room for what the codec puts in front
	dst := b[min(at, cap(b)):min(at, cap(b))]
	out, err := c.run(&c.inner, m, dst, r)
	c.out.b, err = c.finishReply(b, k, r, out, err)
	if err != nil {
		c.fail(err)
	}
	if len(c.out.b) >= keptBuffer {
		c.flushOut()
	}
}

// refusing answers requests that come while the server closes.
func (c *conn) refusing(r *Request) bool {
	if !c.refuses.Load() {
		return false
	}
	c.refuse(r, &Error{Code: remoting.Unavailable, Text: ErrServerClosing.Error()})
	return true
}

// refuse answers with an error without running anything.
func (c *conn) refuse(r *Request, reason error) {
	if c.out == nil {
		c.out = newBuffer()
	}
	b, k := c.startReply(c.out.b, r)
	var err error
	if c.out.b, err = c.finishReply(b, k, r, nil, reason); err != nil {
		c.fail(err)
	}
}

// reply answers without running anything; a nil body is absent.
func (c *conn) reply(r *Request, body []byte) {
	if c.out == nil {
		c.out = newBuffer()
	}
	b, k := c.startReply(c.out.b, r)
	c.out.b, _ = c.finishReply(b, k, r, body, nil)
}

// oneWay handles a frame that nobody waits for an answer to.
func (c *conn) oneWay(f frame.Frame) {
	r := &c.req
	*r = Request{conn: c, Body: f.Payload, Flag: f.Flag(), seq: f.Seq, OneWay: true}
	if c.cfg.length != nil {
		r.Header = c.cfg.length.Header(c.in.Raw())
	}
	if c.cfg.envelope {
		m, err := remoting.Parse(f.Mode(), f.Payload)
		if err != nil || !remoting.ValidAction(m.Action) {
			c.count.badRequests.Add(1)
			return
		}
		r.wire, r.Body, r.tail = m.Action, m.Data, m.Tail
		if m.Tail != nil {
			c.learn(true)
		}
		if remoting.ControlOf(f.Mode(), m.Action) == remoting.GoAway {
			c.mu.Lock()
			c.drain(ErrGoingAway)
			c.mu.Unlock()
			return
		}
	}
	c.told++
	m := c.lookup(r)
	if m == nil || c.refuses.Load() {
		return
	}
	if m.inline && !c.busyOneWay() {
		_, _ = c.run(&c.inner, m, nil, r) // nobody waits for what it returns
		return
	}
	c.spawnOneWay(m, r)
}

// control handles the messages of the protocol in response mode, and tells whether f was one.
func (c *conn) control(f frame.Frame) bool {
	p := f.Payload
	if len(p) < 2 || p[1] != '$' {
		return false
	}
	m, err := remoting.Parse(f.Mode(), p)
	if err != nil {
		return false
	}
	switch remoting.ControlOf(f.Mode(), m.Action) {
	case remoting.Cancel:
		c.mu.Lock()
		defer c.mu.Unlock()
		for t := c.tasks; t != nil; t = t.next {
			if t.r.seq == f.Seq && t.ctx != nil {
				t.ctx.asked = true
				t.ctx.end(errCancelled)
			}
		}
		return true
	case remoting.Credit:
		n, _ := m.Tail.Credit()
		c.mu.Lock()
		defer c.mu.Unlock()
		for t := c.tasks; t != nil; t = t.next {
			if t.r.seq == f.Seq {
				t.credit += int64(min(n, creditWindow))
			}
		}
		c.signal()
		return true
	}
	return false
}
