package rpc

import "github.com/spanwire/spanwire/rpc/frame"

// When a connection fails, calls of which not a byte was sent may be made again anywhere. What was sent is known from the buffers: how
// far the one that was being written has come, and that those behind it were not begun. That is looked up in the frames that stand in
// them, so that a call costs nothing more than its frame. The requests in a buffer that somebody writes at that moment are waited for:
// the socket is closed, and the write returns.

// sending says how far the request of a call has come.
type sending byte

const (
	sendBegun sending = iota // of some of it at least nobody knows
	sendNever
	sendNow
)

// sendings are those of all calls, by number; without numbers those of the last n, in their order.
type sendings struct {
	byNumber [maxNumbers]sending
	inOrder  []sending
	cur      int // how many of those are in the buffer that is being written
}

// walk notes the requests in a buffer: those whose first byte stands at from or behind it are as s says.
func (c *conn) walk(x *sendings, k *buffer, from int, s sending) {
	if k == nil || k.part {
		return
	}
	for at := 0; at < len(k.b); {
		f, n, err := c.cfg.codec.ParseFrame(k.b[at:])
		if err != nil || n <= 0 { // the beginning of a large answer
			return
		}
		is := sendBegun
		if at >= from {
			is = s
		}
		switch {
		case !c.cfg.numbered:
			x.inOrder = append(x.inOrder, is)
		case f.Mode() == frame.Request:
			x.byNumber[f.Seq] = is
		}
		at += n
	}
}

// sendings looks at all that is to be written.
func (c *conn) sendings() *sendings {
	x := new(sendings)
	if k := c.write.cur; k != nil {
		if c.write.writing {
			c.walk(x, k, 0, sendNow)
		} else {
			c.walk(x, k, k.done, sendNever)
		}
	}
	x.cur = len(x.inOrder)
	if c.write.shelf != nil {
		for _, k := range c.write.shelf.full {
			c.walk(x, k, 0, sendNever)
		}
	}
	c.walk(x, c.write.buf, 0, sendNever)
	return x
}

// of returns how far call n has come, one of those in t.
func (x *sendings) of(c *conn, t *table, n byte) sending {
	if c.cfg.numbered {
		return x.byNumber[n]
	}
	if i := len(x.inOrder) - 1 - t.Since(n); i >= 0 {
		return x.inOrder[i]
	}
	return sendBegun
}

// failCalls ends all calls under way with the connection.
func (c *conn) failCalls(reason error) {
	c.turnAway(reason)
	if c.calls.tab == nil {
		return
	}
	t, x := c.calls.tab, c.sendings()
	c.calls.tab = nil
	c.endCalls(t, func(n byte, _ *rareSlot) (err error, ends bool) {
		switch x.of(c, t, n) {
		case sendNever:
			return notSent(reason), true
		case sendNow:
			return nil, false
		}
		return unknown(reason), true
	})
	if t.Len() > 0 {
		t.Forgo(len(x.inOrder) - x.cur)
		c.calls.side.limbo = t
	}
}

// settleLimbo ends the calls that were left since k, which holds their requests, was being written.
func (c *conn) settleLimbo(k *buffer) {
	if c.calls.side == nil || c.calls.side.limbo == nil {
		return
	}
	t, x := c.calls.side.limbo, new(sendings)
	c.calls.side.limbo = nil
	c.walk(x, k, k.done, sendNever)
	c.endCalls(t, func(n byte, _ *rareSlot) (err error, ends bool) {
		if x.of(c, t, n) == sendNever {
			return notSent(c.err), true
		}
		return unknown(c.err), true
	})
}

// endCalls ends the calls in t for which of returns true, with the error that it returns.
func (c *conn) endCalls(t *table, of func(n byte, r *rareSlot) (err error, ends bool)) {
	var fns []func()
	t.Each(func(n byte, s *slot, r *rareSlot) {
		err, ends := of(n, r)
		if !ends {
			return
		}
		switch {
		case s.call != nil:
			s.call.err = err
			s.call.ch <- struct{}{}
		case s.fn != nil:
			fn := s.fn
			fns = append(fns, func() { fn(nil, err) })
		case r.stream() != nil:
			r.stream().fail(err)
		}
		t.Drop(n)
	})
	later(fns)
}
