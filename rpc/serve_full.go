package rpc

import (
	"context"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// A connection that is full goes on reading: it must see answers, cancels and the end. What comes is parked, up to InFlightBytes,
// while this side makes no calls on the connection; when it does, requests are refused - else two full sides that call each other
// would wait for ever. Reading stops only when InFlightBytes are held and this side waits for nothing itself.

// full tells whether a request that comes now could not begin.
func (c *conn) full() bool {
	return c.works().count >= c.cfg.lim.InFlight || c.write.replyBytes > c.cfg.lim.Backlog
}

// calling tells whether this side has calls under way; a $ping is none, since nothing else waits for it.
func (c *conn) calling() bool {
	if c.calls.tab == nil {
		return false
	}
	n := c.calls.tab.Len()
	if c.calls.side != nil && c.calls.side.pinging {
		n--
	}
	return n > 0
}

// holds makes the reader wait until r may be held, which it must not be when this side has calls under way and it could not begin: then
// holds is false, and when the connection has ended.
func (c *conn) holds(r *Request) bool {
	w, n := c.works(), int64(r.size())+messageCost
	for !c.dead() {
		over := w.held > 0 && w.held+n > c.cfg.lim.InFlightBytes
		switch {
		case (over || !r.OneWay && c.full()) && c.calling():
			return false
		case !over:
			return true
		}
		c.stopReading()
	}
	return false
}

// dead tells that nothing more is to be begun.
func (c *conn) dead() bool { return c.err != nil || c.doomed.Load() }

// stopReading makes the reader wait for a change.
func (c *conn) stopReading() {
	w := c.work
	if c.flushFirst() {
		return
	}
	if !w.stopped {
		w.stopped, w.stoppedAt = true, int64(c.read.batch.in.Held())
		c.account()
		w.aliveAt = c.cfg.clock.Now() + c.aliveEvery()
		c.wakeAt(w.aliveAt)
	}
	c.waitChange()
	w.stopped, w.stoppedAt = false, 0
}

// aliveEvery is how many ticks a peer of ours may hear nothing from a side that does not read: half of what makes it give up.
func (c *conn) aliveEvery() int64 {
	every := int64(clock.Never)
	for _, d := range [...]time.Duration{c.cfg.lim.Ping, c.cfg.lim.WriteTimeout} {
		if d > 0 {
			every = min(every, max(int64(d/2/clock.Tick), 1))
		}
	}
	return every
}

// checkStopped tells a peer of ours that this side lives although it does not read.
func (c *conn) checkStopped(now int64) int64 {
	w := c.work
	if w == nil || !w.stopped || !c.cfg.envelope || c.peer.Load() != peerOurs || c.shut {
		return clock.Never
	}
	if now >= w.aliveAt {
		w.aliveAt = now + c.aliveEvery()
		if !c.write.flushing { // else bytes go out in any case
			k := c.write.open()
			k.b = remoting.AppendControl(k.b, remoting.Alive, 0, nil)
			c.flush(false, false)
		}
	}
	return w.aliveAt
}

// refuseParked answers the requests that can't begin: this side has begun to call, and what it calls may wait for them.
func (c *conn) refuseParked() {
	w := c.work
	if w.turn == nil {
		return
	}
	if w.stopped {
		c.signal()
	}
	n := c.cfg.lim.InFlight - w.running
	if c.write.replyBytes > c.cfg.lim.Backlog {
		n = 0
	}
	for t := w.turn; t != nil; n-- {
		next := t.next
		if n <= 0 {
			c.unpark(t, errTooMany, remoting.NotBegun)
		}
		t = next
	}
}

// unpark answers a request that has not begun. Only codecs with numbers, and so with errors, come here.
func (c *conn) unpark(t *task, reason error, refusal remoting.Refusal) {
	if t.m != &replyOnly { // whose reply is known
		t.err, t.r.refusal = reason, refusal
		t.cancel(context.Canceled)
		if refusal != remoting.NoRefusal {
			c.cfg.rare.busy.Add(1)
		}
	}
	_ = c.send(t) // which is to be written by who comes next
}

// park holds a reply that the reader would give itself, like a request, while too many replies are not sent. It is false when it
// is to be given at once.
func (c *conn) park(r *Request, reason error) bool {
	r.Body = nil // nobody looks at it any more
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.write.replyBytes <= c.cfg.lim.Backlog || !c.holds(r) {
		return c.dead()
	}
	t := newTask(c, &replyOnly, r, false)
	t.err = reason
	c.enlist(t)
	c.summon()
	return true
}

var replyOnly = method{}

// unread counts what the reader has answered itself although the peer does not read: it asks for nothing but trouble.
func (c *conn) unread(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.write.replyBytes <= c.cfg.lim.Backlog {
		return
	}
	w := c.works()
	if w.direct += n; w.direct > c.cfg.lim.Backlog && c.err == nil {
		c.cfg.rare.slow.Add(1)
		if c.cfg.failed != nil {
			go c.cfg.failed(c, ErrSlowConsumer)
		}
		c.failLocked(ErrSlowConsumer)
	}
}

// flushFirst sends what was answered inline, which must not wait as well, and tells whether there was any.
func (c *conn) flushFirst() bool {
	k := c.read.batch.out
	if k == nil || len(k.b) == 0 {
		return false
	}
	c.mu.Unlock()
	c.flushOut()
	c.mu.Lock()
	return true
}
