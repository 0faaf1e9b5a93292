package rpc

import (
	"context"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// goCall makes a call whose answer goes to fn.
func (c *conn) goCall(ctx context.Context, m *outgoing, fn func([]byte, error)) error {
	if c.cfg.notify {
		return notSent(errNotifyOnly)
	}
	if m.alive {
		if err := ctx.Err(); err != nil {
			return notSent(err)
		}
	}
	m.head(c.cfg)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.ready(); err != nil {
		return notSent(err)
	}
	if c.calls.tab == nil {
		c.calls.tab = new(table)
	}
	if s := c.callSide(); s.line.Waiting() || c.calls.tab.Full(c.cfg.lim.InFlight, s.granted) || c.crowded() {
		return notSent(ErrBusy)
	}
	n, s := c.calls.tab.Put()
	s.fn = fn
	if m.ends || m.alive {
		r := c.calls.tab.Keep(n)
		if r.until = m.ends; m.alive {
			r.ctx = ctx
		}
	}
	if err := c.append(m, n, true); err != nil {
		c.calls.tab.Undo(n)
		return notSent(err)
	}
	if m.alive {
		c.calls.side.contexts = true
		c.watchSoon()
	}
	switch c.read.role {
	case readNobody:
		c.give()
	case readLeader:
		c.kick() // callbacks run on the reader goroutine
	}
	c.sendCall()
	return nil
}

// tell queues a one-way message, which is written at once by a goroutine of its own. With wait it waits, under ctx, while the
// backlog is full; else, and in handlers of this connection, that is ErrBusy.
func (c *conn) tell(ctx context.Context, m *outgoing, wait bool) error {
	if !c.cfg.numbered && !c.cfg.notify {
		return notSent(errNoOneWay)
	}
	m.head(c.cfg)
	wait = wait && Peer(ctx) != &c.session // the peer may not read before this handler has returned
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return notSent(err)
	}
	for {
		if err := c.ready(); err != nil {
			return notSent(err)
		}
		if !c.crowded() && !(wait && c.ahead()) {
			break
		}
		if !wait {
			return notSent(ErrBusy)
		}
		if c.write.corked { // by the callback that waits here, maybe
			c.write.corked = false
			go c.pushSoon()
		}
		c.write.waits = true
		if err := c.await(ctx); err != nil {
			return notSent(err)
		}
	}
	if err := c.append(m, c.passing(), false); err != nil {
		return notSent(err)
	}
	c.told()
	return nil
}

// told counts a one-way message that was queued, and sees to it that it is written.
func (c *conn) told() {
	c.count.told.Add(1)
	c.pushAlong()
}

// pushAlong lets another goroutine write what is queued: more will come along until it does.
func (c *conn) pushAlong() {
	if !c.write.flushing {
		c.write.flushing = true
		go c.pushSoon()
	}
}

// ahead tells that as much as one buffer is to hold was queued while another is being written, and not because the peer is slow: it
// is better to wait for that moment than to need larger buffers.
func (c *conn) ahead() bool {
	return c.write.buf != nil && len(c.write.buf.b) >= aheadMost && c.write.stall == nil && c.write.writing
}

// pushSoon writes what has been queued until it runs, and what comes while it writes.
func (c *conn) pushSoon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.push(true)
	c.spareLater()
}

// passing is the number of a one-way message.
func (c *conn) passing() byte {
	if c.cfg.pushes != nil {
		return byte(c.cfg.pushes.Add(1))
	}
	if c.calls.tab == nil {
		c.calls.tab = new(table)
	}
	return c.calls.tab.Passing()
}

// append writes a message behind the queued ones; answered says that it is to be answered.
func (c *conn) append(m *outgoing, n byte, answered bool) error {
	k := c.write.open()
	b := k.b
	var err error
	switch {
	case c.cfg.envelope:
		b, err = c.appendMessage(b, m, n)
	case c.cfg.numbered && m.action == "" && m.more == nil:
		b, err = c.cfg.std.AppendFrame(b, frame.Frame{Head: frame.Head(m.mode, m.flag), Seq: n, Payload: m.body})
	case m.action != "" || m.more != nil && len(m.more.meta) > 0:
		err = errNoAction
	case c.cfg.header != nil:
		b, err = c.appendHeaded(b, m, n, answered)
	default:
		b, err = c.cfg.codec.AppendFrame(b, frame.Frame{Head: frame.Head(m.mode, m.flag), Seq: n, Payload: m.body})
	}
	if err == nil {
		k.b = b
	}
	return err
}

// appendMessage writes a message in the envelope.
func (c *conn) appendMessage(b []byte, m *outgoing, n byte) ([]byte, error) {
	if m.action == "" {
		return b, remoting.ErrAction
	}
	b, mark := frame.StartFrame(b, frame.Head(m.mode, m.flag), n)
	b = remoting.AppendAction(b, m.action)
	b, data := remoting.StartData(b)
	b = append(b, m.body...)
	var t remoting.Tail
	if c.peer.Load() != peerOther {
		t = c.extension(m)
	}
	b, err := remoting.FinishData(b, data, m.null, t)
	if err != nil {
		return b, err
	}
	return c.cfg.std.FinishFrame(b, mark)
}

// extension makes the tail of a message.
func (c *conn) extension(m *outgoing) remoting.Tail {
	s := c.callSide()
	if s.tail == nil {
		s.tail = make([]byte, 0, 48)
	}
	t := remoting.Tail(s.tail[:0])
	if m.ends {
		t = remoting.AppendTimeout(t, time.Until(m.until))
	}
	t = remoting.AppendBody(t, m.enc)
	if m.layouts {
		t = remoting.AppendLayouts(t, m.argPrint, m.resultPrint)
	}
	if m.more != nil {
		if m.more.trace != "" {
			t = remoting.AppendTrace(t, m.more.trace)
		}
		for _, p := range m.more.meta {
			t = remoting.AppendMetadata(t, p.Key, p.Value)
		}
	}
	if cap(t) <= keptBuffer {
		s.tail = t
	}
	return t
}

// appendHeaded writes a frame of the length field codec with the header bytes that the hook gives.
func (c *conn) appendHeaded(b []byte, m *outgoing, n byte, answered bool) ([]byte, error) {
	if answered {
		c.calls.tab.Keep(n).more = &slotMore{header: m.header}
	}
	return c.cfg.length.AppendHeaded(b, m.header, m.body)
}
