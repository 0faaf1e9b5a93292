package rpc

import (
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

const (
	skipsAnswer = 64 << 20 // a longer answer is garbage, unless the limit is not far from it
	skipsFactor = 8        // so many times the limit
)

// skips is up to how many bytes a message over the limit is skipped. A server does so for peers of ours, which understand the answer;
// what others send ends the connection at its header.
func (c *conn) skips() int {
	most := min(c.cfg.most(), (1<<31-1)/skipsFactor) * skipsFactor
	switch {
	case !c.cfg.server:
		return max(most, skipsAnswer)
	case c.peer.Load() == peerOurs:
		return most
	}
	return 0
}

// tooLong handles a frame over the limit, of which the first bytes are there: an answer fails its call alone, a request is answered
// with code 413. It reports whether there may be more frames.
func (c *conn) tooLong(b *batch) bool {
	f, size, ok := b.in.Long()
	if !ok {
		return false
	}
	b.frames++
	reason := frame.TooLarge(size, c.cfg.most())
	switch {
	case c.cfg.numbered && f.Mode() == frame.Request:
		r := c.begin(f)
		r.Body = nil
		if c.cfg.envelope {
			c.unwrapLong(f, r)
		}
		b.asked++
		c.refuse(r, &Error{Code: remoting.PayloadTooLarge, Text: reason.Error()})
	case c.cfg.numbered && f.Mode() == frame.OneWay || !c.cfg.numbered && (c.cfg.server || c.cfg.notify):
		c.flushOut()
		c.violation(b.fault(frame.Malformed(c.cfg.name(), 0, reason)))
		b.over = true
	default:
		c.settle()
		c.failAnswer(f, reason)
	}
	return !b.over
}

// unwrapLong reads what the first bytes of a request say: its action.
func (c *conn) unwrapLong(f frame.Frame, r *Request) {
	m, _ := remoting.Parse(f.Mode(), f.Payload) // which ends inside the data
	if remoting.ValidAction(m.Action) {
		r.wire = m.Action
		if c.peer.Load() == peerOurs {
			r.tail = remoting.Tail{} // it has one, out of reach
		}
	}
}

// failAnswer ends the call of an answer that is too long to be taken.
func (c *conn) failAnswer(f frame.Frame, reason error) {
	c.mu.Lock()
	t, n := c.calls.tab, f.Seq
	if t != nil && !c.cfg.numbered {
		n = t.Oldest()
	}
	if t == nil || !t.Waits(n) {
		_ = c.unmatched(c.read.batch, n)
		stray := c.read.batch.stray
		c.read.batch.stray = nil
		c.mu.Unlock()
		if stray != nil {
			c.violation(stray)
		}
		return
	}
	a := answer{f: f, call: t.Slot(n).call, fn: t.Slot(n).fn, more: t.Rare(n).more}
	if a.more != nil && a.more.stream != nil {
		s := a.more.stream
		c.mu.Unlock()
		s.fail(&CallError{Outcome: Answered, Err: reason})
		s.stop()
		return
	}
	t.Drop(n)
	t.Done(n)
	c.grant()
	c.mu.Unlock()
	err := &CallError{Outcome: Answered, Err: reason}
	if a.fn != nil && c.leading() {
		go a.fn(nil, err)
		return
	}
	c.end(&a, nil, err)
}

// most is the largest payload in bytes.
func (g *config) most() int {
	switch {
	case g.numbered:
		return orMax(g.std.Max)
	case g.length != nil:
		return orMax(g.length.Max)
	}
	return 0
}
