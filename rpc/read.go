package rpc

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spanwire/spanwire/rpc/frame"
)

// A server's connection is read by its reader goroutine. A client's is read by that, too, as soon as calls overlap; a lone
// caller reads its own answer, without waking anybody. The right to read (role) is nobody's, a leader's, or the reader's; who
// gives it up with calls under way hands it to the reader goroutine, and the clock does so when it has been nobody's for long,
// so that pushes and the end of the connection are noticed.

// readLoop is the reader goroutine.
func (c *conn) readLoop() {
	defer c.finish()
	for c.take == nil || c.taken() {
		for c.readBatch() {
			if c.take != nil && c.rested() {
				break
			}
		}
		if c.over() {
			c.halfClosed()
			break
		}
	}
}

// taken waits until the read side is the reader's; it is false when the connection has ended.
func (c *conn) taken() bool {
	_, ok := <-c.take
	return ok
}

// give hands the read side to the reader goroutine.
func (c *conn) give() {
	if c.err == nil {
		c.role = readReader
		c.take <- struct{}{}
	}
}

// release gives the read side up: to the reader while calls are under way or a lone caller may not read, else to whoever
// comes next.
func (c *conn) release() {
	if c.kicked {
		c.kicked = false
		_ = c.nc.SetReadDeadline(noDeadline) // a connection without deadlines has not been kicked either
	}
	c.role, c.side.leader = readNobody, nil
	if c.err != nil {
		c.signal()
		return
	}
	if !c.leads || c.tab != nil && c.tab.n > 0 || c.late != nil {
		c.give()
		return
	}
	c.watchSoon()
}

// rested gives the read side up when nothing is under way, and tells whether it did.
func (c *conn) rested() bool {
	if !c.leads {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tab == nil || c.tab.n > 0 || c.late != nil || c.err != nil || c.ops == c.side.opsSeen {
		return false
	}
	c.side.opsSeen = c.ops
	c.release()
	return true
}

// readBatch reads once and handles all whole frames. It is false when no more can be read by the caller.
func (c *conn) readBatch() bool {
	n, err := c.receive()
	if n > 0 {
		c.batch.in.Wrote(n)
		c.batch.in.Skip()
		c.count.bytesIn.Add(uint64(n))
		if c.fresh && c.strange() {
			if c.over() {
				return false
			}
			c.pending(c.batch.progress())
		} else if !c.frames() {
			return false
		}
	}
	if err == nil {
		return true
	}
	if c.leading() && errors.Is(err, os.ErrDeadlineExceeded) {
		return false // kicked
	}
	c.lost(err)
	return false
}

func (c *conn) receive() (int, error) {
	if c.raw {
		return c.direct.read(c)
	}
	return c.nc.Read(c.space())
}

// frames handles the whole frames that are there.
func (c *conn) frames() bool {
	b := c.batch
	c.handling.Store(true)
	for !b.over && (!c.handleAll(b) || c.tooLong(b)) {
	}
	c.counted(b)
	c.settle()
	c.flushOut()
	c.handling.Store(false)
	if c.refuses.Load() {
		c.mu.Lock()
		c.signal()
		c.mu.Unlock()
	}
	if err := b.in.Err(); err != nil {
		c.violation(b.fault(err))
		return false
	}
	if p := b.progress(); p.Pending > 0 || c.late != nil {
		c.pending(p)
	}
	return true
}

// handleAll handles whole frames until there are no more. It is false when a handler on the reader has panicked: that request is
// answered, and the next one's turn.
func (c *conn) handleAll(b *batch) (done bool) {
	defer func() {
		if b.running != nil {
			c.inlinePanic(b, recover())
		}
	}()
	switch g := c.cfg; {
	case g.bare.inline != nil && !c.refuses.Load():
		c.serveBare(b, g.bare.inline)
	case g.bare.answers:
		c.answerBare(b)
	default:
		for !b.over {
			f, ok := b.in.Next()
			if !ok {
				break
			}
			b.frames++
			c.handle(f)
		}
	}
	return true
}

// counted adds what was read to the counters.
func (c *conn) counted(b *batch) {
	c.count.framesIn.Add(b.frames + b.usual)
	if n := b.asked + b.usual; n > 0 {
		c.count.requests.Add(n)
	}
	if b.told > 0 {
		c.count.oneWay.Add(b.told)
	}
	b.frames, b.usual, b.asked, b.told = 0, 0, 0, 0
}

// handleLast handles the frame that ends with the stream.
func (c *conn) handleLast(b *batch) (cut error) {
	defer func() {
		if b.running != nil {
			c.inlinePanic(b, recover())
		}
	}()
	_, cut = b.in.End(func(f frame.Frame) { b.frames++; c.handle(f) })
	return cut
}

// inlinePanic answers the request whose handler has panicked on the reader.
func (c *conn) inlinePanic(b *batch, v any) {
	err := c.panicked(b.running, v)
	b.running = nil
	b.took()
	if b.unasked {
		return
	}
	o := b.buffer()
	if o.b, err = c.errorReply(o.b[:b.begun], &b.req, err); err != nil {
		c.stop(b, err)
	}
}

// handle sorts a frame to who it is for.
func (c *conn) handle(f frame.Frame) {
	if !c.cfg.numbered {
		switch {
		case c.cfg.notify:
			c.oneWay(f)
		case c.cfg.server:
			c.request(f)
		default:
			c.answer(f)
		}
		return
	}
	switch f.Mode() {
	case frame.Request:
		c.request(f)
	case frame.OneWay:
		c.oneWay(f)
	default:
		c.answer(f)
	}
}

// flushOut sends the replies of the batch.
func (c *conn) flushOut() {
	b := c.batch
	k := b.out
	if k == nil || len(k.b) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		k.b = k.b[:0]
		return
	}
	if c.queued() {
		c.wbuf.b = append(c.wbuf.b, k.b...)
		k.b = k.b[:0]
	} else {
		c.wbuf, b.out = k, c.wbuf
		if b.out == nil {
			b.out, c.spare = c.spare, nil
		}
	}
	c.flush(false, false)
	for c.crowded() && c.err == nil && (c.tab == nil || c.tab.n == 0) {
		c.waitChange() // whoever does not read is not read from; a side that waits for answers itself must go on
	}
}

// pending tells the clock, and the server, of the frame that is not whole.
func (c *conn) pending(p frame.Progress) {
	held := int64(0)
	if p.Pending > 0 {
		held = int64(c.batch.in.Held())
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	delta := held - c.held()
	switch {
	case p.Pending == 0:
		c.late = nil
	case c.late == nil:
		c.late = &unfinished{p, c.cfg.lim.watch(), held}
	default:
		c.late.place, c.late.held = p, held
	}
	if c.late != nil {
		c.watchSoon()
	}
	c.mu.Unlock()
	if delta != 0 && c.cfg.bytesHeld != nil {
		if c.cfg.bytesHeld.Add(delta) > c.cfg.lim.Buffered && delta > 0 {
			c.cfg.overHeld()
		}
	}
}

// held is the size in bytes of the unfinished frame's buffer.
func (c *conn) held() int64 {
	if c.late == nil {
		return 0
	}
	return c.late.held
}

// violation ends the connection for bytes that no frame begins with.
func (c *conn) violation(err error) {
	c.cfg.rare.malformed.Add(1)
	if c.cfg.failed != nil {
		c.cfg.failed(c, err)
	}
	c.fail(err)
}

// lost handles the end of what can be read.
func (c *conn) lost(err error) {
	if !errors.Is(err, io.EOF) {
		c.fail(err)
		return
	}
	b := c.attach()
	if b.over {
		return
	}
	c.handling.Store(true)
	cut := c.handleLast(b)
	c.counted(b)
	c.settle()
	c.flushOut()
	c.handling.Store(false)
	if cut != nil {
		c.violation(b.fault(cut))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.spent.Store(true)
	if c.take != nil || c.idleLocked() {
		c.failLocked(io.EOF)
		return
	}
	c.failCalls(&ConnError{Peer: c.addr(), Reason: io.EOF})
	if c.peer.Load() == peerOurs { // whose clients close altogether
		c.endRequests()
		return
	}
	w := c.works()
	w.endBy = c.cfg.clock.now() + ticks(c.cfg.lim.CallTimeout)
	c.wakeAt(w.endBy)
}

// endRequests ends the contexts of all requests: nobody waits for them any more.
func (c *conn) endRequests() {
	for t := c.under(); t != nil; t = t.next {
		t.cancel(context.Canceled)
	}
	if c.work != nil && c.work.told != nil {
		c.work.told.cancel(context.Canceled)
	}
	c.base.end()
}

// idleLocked tells whether nothing is left to be answered or written.
func (c *conn) idleLocked() bool {
	return c.shut || (c.work == nil || c.work.running == 0 && !c.work.serial) && !c.flushing && !c.queued() && !c.handling.Load()
}

// over tells whether the reader has nothing more to do.
func (c *conn) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended || c.err != nil
}

// halfClosed finishes what the peer still wants to hear after it has closed its side.
func (c *conn) halfClosed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil && !c.idleLocked() {
		c.waitChange()
	}
	c.failLocked(io.EOF)
}
