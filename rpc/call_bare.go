package rpc

import (
	"github.com/spanwire/spanwire/rpc/frame"
)

// answerBare handles the frames of one read where nothing but answers is expected.
func (c *conn) answerBare(b *batch) {
	for {
		c.mu.Lock()
		f, other := c.matchBare(b)
		n := len(b.got)
		if n == 0 && b.stray == nil {
			c.mu.Unlock()
		} else {
			c.deliver(b)
		}
		switch {
		case other:
			c.handle(f)
		case n < settleMax:
			return
		}
	}
}

// matchBare looks up the calls of answers until there are settleMax of them, or until a frame is something else.
func (c *conn) matchBare(b *batch) (f frame.Frame, other bool) {
	t, numbered := c.calls.tab, c.cfg.numbered
	for len(b.got) < settleMax {
		if t != nil {
			c.matchUsual(b, t)
		}
		f, ok := b.in.Next()
		if !ok {
			break
		}
		b.frames++
		n := f.Seq
		switch {
		case !numbered && t != nil:
			n = t.Oldest()
		case numbered && f.Mode() < frame.Response:
			return f, true
		}
		if t == nil || !t.Waits(n) {
			if c.unmatched(b, n) {
				continue
			}
			break
		}
		b.matched(t, n, f)
	}
	return frame.Frame{}, false
}

// matchUsual looks up the calls of whole answers up to a frame that is none.
func (c *conn) matchUsual(b *batch, t *table) {
	u, numbered := &c.cfg.bare, c.cfg.numbered
	had, cut, next := len(b.got), 0, t.Oldest()
	for p := b.in.Pending(); len(p) >= u.head && len(b.got) < settleMax; {
		size := u.length(p)
		if size > u.most || size > len(p)-u.head {
			break
		}
		f, n := frame.Frame{Payload: p[u.head : u.head+size : u.head+size]}, next
		if numbered {
			f.Head, f.Seq = p[0], p[1]
			if n = f.Seq; f.Mode() < frame.Response {
				break
			}
		}
		s := t.Slot(n)
		if s.call == nil && s.fn == nil { // nobody waits, or it is retired
			break
		}
		a := b.answer()
		a.f, a.call, a.fn = f, s.call, s.fn
		b.async = b.async || s.fn != nil
		if *s = (slot{}); t.Free(n) {
			t.Forget(n)
		}
		next = n + 1
		p = p[u.head+size:]
		cut += u.head + size
	}
	k := len(b.got) - had
	b.frames += uint64(k)
	t.Dropped(k)
	t.Done(next - 1)
	b.in.Took(cut)
}

// matched notes an answer with the call that waits for it, whose wait ends.
func (b *batch) matched(t *table, n byte, f frame.Frame) {
	s, a := t.Slot(n), b.answer()
	a.f, a.call, a.fn = f, s.call, s.fn
	b.async = b.async || a.fn != nil
	t.Drop(n)
	t.Done(n)
}

// putBare gives the next number to a call and appends its frame. It is false, and nothing is done, when anything is in the way.
func (c *conn) putBare(body []byte, spill int) (n byte, s *slot) {
	u, t, side := &c.cfg.bare, c.calls.tab, c.calls.side
	if t == nil || !u.answers || len(body) > u.most || c.ended || side.draining != nil || side.line.Waiting() ||
		t.Full(c.cfg.lim.InFlight, side.granted) || t.Len() >= spill || c.crowded() {
		return 0, nil
	}
	n = t.Next()
	s = t.Give(n)
	k := c.write.buf
	if k == nil {
		k = c.write.open()
	}
	at, size := len(k.b), len(body)
	b := extend(k.b, u.head+size)
	if head := b[at:]; c.cfg.numbered {
		putHead(head, packetFlag, n, size)
	} else {
		if u.at > 0 {
			clear(head[:u.at])
		}
		u.putLength(head, size)
	}
	copy(b[at+u.head:], body)
	k.b = b
	return n, s
}

// tellBare is tell where nothing is in its way. When something is it does nothing and returns false.
func (c *conn) tellBare(body []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, t, side := &c.cfg.bare, c.calls.tab, c.calls.side
	if t == nil || !u.answers || !c.cfg.numbered || len(body) > u.most || c.ended || side.draining != nil || c.crowded() || c.ahead() {
		return false
	}
	k, size := c.write.open(), len(body)
	at := len(k.b)
	k.b = extend(k.b, u.head+size)
	putHead(k.b[at:], byte(frame.OneWay)|packetFlag, t.Passing(), size)
	copy(k.b[at+u.head:], body)
	c.told()
	return true
}

// goBare is goCall where nothing is in its way. When something is it does nothing and returns false.
func (c *conn) goBare(body []byte, fn func([]byte, error)) bool {
	c.mu.Lock()
	if c.read.role == readReader {
		if _, s := c.putBare(body, maxNumbers+1); s != nil {
			s.fn = fn
			if c.rides() {
				c.calls.ops++
			} else {
				c.sendCall()
			}
			c.mu.Unlock()
			return true
		}
	}
	c.mu.Unlock()
	return false
}

// callBare begins a call where nothing is in its way, for a caller that waits as long as it takes: when wait is true, for one
// signal of ca. When something is in the way it does nothing and returns nil. At spill calls under way another connection should
// take it.
func (c *conn) callBare(dst, body []byte, spill int) (ca *call, wait bool) {
	ca = c.cfg.getCall()
	ca.dst = dst
	c.mu.Lock()
	n, s := c.putBare(body, spill)
	if s == nil {
		c.mu.Unlock()
		c.cfg.putCall(ca)
		return nil, false
	}
	s.call = ca
	return ca, !c.sendOrLead(ca, n, false) || !c.lead(ca)
}
