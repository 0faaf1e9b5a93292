package rpc

import (
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// request handles a frame that wants an answer.
func (c *conn) request(f frame.Frame) {
	r := c.begin(f)
	if c.cfg.envelope && !c.unwrap(f, r) {
		return
	}
	c.read.batch.asked++
	m := c.lookup(r)
	switch {
	case m == nil:
		c.refuseUnknown(r)
	case len(r.tail) > 0 && !c.agrees(m, r):
	case m.inline:
		c.inline(m, r)
	default:
		c.spawn(m, r)
	}
}

// begin makes the batch's request that of a frame. Stacks of readers are to stay at their smallest size: no copies of large
// structs on the way to a handler.
func (c *conn) begin(f frame.Frame) *Request {
	r := &c.read.batch.req
	*r = Request{}
	r.conn, r.Body, r.Flag, r.seq = c, f.Payload, f.Flag(), f.Seq
	if c.cfg.length != nil {
		r.Header = c.cfg.length.Header(c.read.batch.in.Raw())
	}
	return r
}

// unwrap reads the message of a request. It is false when that is answered already.
func (c *conn) unwrap(f frame.Frame, r *Request) bool {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	r.wire, r.Body, r.tail = m.Action, m.Data, m.Tail
	if m.Tail != nil || c.cfg.server {
		c.learn(m.Tail != nil)
	}
	if err == nil && !remoting.ValidAction(m.Action) {
		err = remoting.ErrAction
	}
	if err != nil {
		c.cfg.rare.badRequests.Add(1)
		c.refuse(r, &Error{Code: remoting.BadRequest, Text: err.Error()})
		return false
	}
	switch remoting.ControlOf(f.Mode(), m.Action) {
	case remoting.Ping:
		c.reply(r, nil)
		return false
	case remoting.Layout:
		c.replyLayout(r)
		return false
	}
	return true
}

// lookup finds the handler of a request and notes its name.
func (c *conn) lookup(r *Request) *method {
	if c.cfg.only != nil && !c.cfg.envelope {
		return c.cfg.only
	}
	if c.cfg.router == nil || remoting.Reserved(r.wire) {
		return nil
	}
	m := c.cfg.router.find(r.wire)
	if m != nil {
		r.passes = m.passes
	}
	switch {
	case m == nil:
	case !m.wild:
		r.Action = m.name
	default:
		r.Action = string(r.wire)
	}
	return m
}

//go:noinline
func (c *conn) refuseUnknown(r *Request) {
	e := &Error{Code: remoting.NotFound, Text: "no handler"}
	if c.cfg.envelope {
		x, _ := c.cfg.router.(*Mux)
		e = x.notFound(r)
	}
	c.refuse(r, e)
}

// inline runs a handler on the reader; the reply goes straight behind those of the batch.
func (c *conn) inline(m *method, r *Request) {
	if c.stuffed.Load() || c.cfg.envelope && c.unready(m) { // it does not start now; it is one like others then
		c.spawn(m, r)
		return
	}
	if c.refusing(r) {
		return
	}
	o := c.read.batch.buffer()
	b, k := c.startReply(o.b, r)
	c.read.batch.running, c.read.batch.begun, c.read.batch.unasked = m, k.frame, false
	seq, size := r.seq, int64(r.size())
	c.starts(m)
	if n := m.large.expected(size); n > 0 && !c.mayMake(2*n) {
		return
	}
	out, err := m.h.ServeRPC((*inlineContext)(c), b[len(b):], r)
	c.read.batch.running = nil
	if !m.known.Load() {
		m.known.Store(true)
	}
	r.conn, r.seq = c, seq // whatever the handler has done to r
	if n := int64(len(out)); n > keptBuffer || c.read.batch.pledged > 0 {
		m.large.learn(size, n)
		if !c.mayMake(2*n - c.read.batch.pledged) { // it is copied
			return
		}
	}
	c.read.batch.replies++
	if o.b, err = c.finishReply(b, k, r, out, err); err != nil {
		c.stop(c.read.batch, err)
	}
	c.made() // it is charged where it waits now
	if len(o.b) >= keptBuffer {
		c.flushOut()
	}
}

// mayMake charges what a handler on the reader, and the reader itself, are about to make; made takes it back. It is false when the connection
// is to end.
func (c *conn) mayMake(n int64) bool {
	c.read.batch.pledged += n
	if c.pledge(n); n <= 0 || c.pace(n) {
		return true
	}
	c.made()
	c.read.batch.running, c.read.batch.over = nil, true
	c.fail(errShed)
	return false
}

func (c *conn) made() {
	c.pledge(-c.read.batch.pledged)
	c.read.batch.pledged = 0
}

// stop ends the connection for a request that can't be answered, after the replies to those before it.
func (c *conn) stop(b *batch, reason error) {
	b.over = true
	c.flushOut()
	c.endReading(reason)
}

// refusing answers requests that come while the server closes.
func (c *conn) refusing(r *Request) bool {
	if !c.refuses.Load() {
		return false
	}
	if c.cfg.numbered { // else it would end those that are under way: it gets the connection's end
		r.refusal = remoting.NotBegun
		c.refuse(r, &Error{Code: remoting.Unavailable, Text: ErrServerClosing.Error()})
	}
	return true
}

// refuse answers with an error without running anything.
func (c *conn) refuse(r *Request, reason error) {
	if c.stuffed.Load() && c.park(r, reason) {
		return
	}
	c.refuseNow(r, reason)
}

// refuseNow is refuse also when too many replies are not sent.
func (c *conn) refuseNow(r *Request, reason error) {
	o := c.read.batch.buffer()
	b, k := c.startReply(o.b, r)
	c.read.batch.replies++
	var err error
	if o.b, err = c.finishReply(b, k, r, nil, reason); err != nil {
		c.stop(c.read.batch, err)
	}
	if c.stuffed.Load() {
		c.unread(len(o.b) - k.frame)
	}
}

// reply answers without running anything; a nil body is absent.
func (c *conn) reply(r *Request, body []byte) {
	o := c.read.batch.buffer()
	b, k := c.startReply(o.b, r)
	c.read.batch.replies++
	o.b, _ = c.finishReply(b, k, r, body, nil)
	if c.stuffed.Load() {
		c.unread(len(o.b) - k.frame)
	}
}

// oneWay handles a frame that nobody waits for an answer to.
func (c *conn) oneWay(f frame.Frame) {
	r := c.begin(f)
	r.OneWay = true
	if c.cfg.envelope && !c.unwrapOneWay(f, r) {
		return
	}
	c.read.batch.told++
	m := c.lookup(r)
	switch {
	case m == nil:
		c.drop(r, "no such action")
		return
	case len(r.tail) > 0 && !c.agrees(m, r):
		return
	case c.refuses.Load(): // the connection's end is near
		c.cfg.rare.dropped.Add(1)
		return
	}
	if m.inline && !c.busyOneWay() {
		c.read.batch.running, c.read.batch.unasked = m, true
		_, _ = m.h.ServeRPC((*inlineContext)(c), nil, r) // nobody waits for what it returns
		c.read.batch.running = nil
		return
	}
	c.spawnOneWay(m, r)
}

// unwrapOneWay reads the message of a one-way frame. It is false when there is nothing to be run.
func (c *conn) unwrapOneWay(f frame.Frame, r *Request) bool {
	m, err := remoting.Parse(f.Mode(), f.Payload)
	if err != nil || !remoting.ValidAction(m.Action) {
		c.cfg.rare.badRequests.Add(1)
		r.wire = m.Action
		c.drop(r, "can't be read")
		return false
	}
	r.wire, r.Body, r.tail = m.Action, m.Data, m.Tail
	if m.Tail != nil || c.cfg.server {
		c.learn(m.Tail != nil)
	}
	if remoting.ControlOf(f.Mode(), m.Action) == remoting.GoAway {
		c.wentAway(m.Tail.Last())
		return false
	}
	return true
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
		for t := c.under(); t != nil; t = t.next {
			if t.seq != f.Seq || t.ctx == nil {
				continue
			}
			t.ctx.asked = true
			t.ctx.End(errCancelled)
			if !t.begun {
				c.unpark(t, &Error{Code: remoting.Cancelled, Text: "cancelled"}, remoting.NoRefusal)
				c.flush(false, false)
			}
			return true
		}
		return true
	case remoting.Alive:
		return true
	case remoting.Credit:
		n, _ := m.Tail.Credit()
		c.mu.Lock()
		defer c.mu.Unlock()
		for t := c.under(); t != nil; t = t.next {
			if t.seq == f.Seq {
				t.credit = min(t.credit+int64(min(n, 1<<40)), creditWindow) // items may be larger than the window
			}
		}
		c.signal()
		return true
	}
	return false
}

// under is the first of the requests under way.
func (c *conn) under() *task {
	if c.work == nil {
		return nil
	}
	return c.work.list.first
}
