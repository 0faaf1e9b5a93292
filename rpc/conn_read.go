package rpc

import (
	"errors"
	"os"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/frame"
)

// A server's connection is read by its reader goroutine. A client's is read by that, too, as soon as calls overlap; a lone
// caller reads its own answer, without waking anybody. The right to read (role) is nobody's, a leader's, or the reader's; who
// gives it up with calls under way hands it to the reader goroutine, and the clock does so when it has been nobody's for long,
// so that pushes and the end of the connection are noticed.

// readSide is what reading takes.
type readSide struct {
	batch    *batch        // of whoever has the read side
	offset   int64         // bytes read while there was another batch
	late     *unfinished   // nil between frames
	take     chan struct{} // hands the read side to the reader goroutine; nil when it always has it
	handling atomic.Bool   // frames of a read are being handled, or their answers not queued yet
	role     role
	leads    bool // a lone caller may read
	kicked   bool // a past read deadline ends the leader
	fresh    bool // nothing but the beginning of another protocol's opening was read
}

// role tells who reads.
type role byte

const (
	readNobody role = iota
	readLeader      // a caller that waits for its own answer
	readReader      // the reader goroutine
	readOver        // nobody any more
)

// readLoop is the reader goroutine.
func (c *conn) readLoop() {
	defer c.finish()
	for c.read.take == nil && c.admitted() || c.read.take != nil && c.taken() {
		for !c.over() && c.readBatch() {
			if c.read.take != nil && c.rested() {
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
	_, ok := <-c.read.take
	return ok
}

// give hands the read side to the reader goroutine.
func (c *conn) give() {
	if c.err == nil {
		c.read.role = readReader
		c.read.take <- struct{}{}
	}
}

// release gives the read side up: to the reader while calls are under way or a lone caller may not read, else to whoever
// comes next.
func (c *conn) release() {
	if c.read.kicked {
		c.read.kicked = false
		_ = c.nc.SetReadDeadline(noDeadline) // a connection without deadlines has not been kicked either
	}
	c.read.role, c.calls.side.leader = readNobody, nil
	if c.err != nil {
		c.signal()
		return
	}
	if !c.read.leads || c.calls.tab != nil && c.calls.tab.Len() > 0 || c.read.late != nil || c.ended {
		c.give()
		return
	}
	c.watchSoon()
}

// rested gives the read side up when nothing is under way, and tells whether it did.
func (c *conn) rested() bool {
	if !c.read.leads {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls.tab == nil || c.calls.tab.Len() > 0 || c.read.late != nil || c.err != nil || c.calls.ops == c.calls.side.opsSeen {
		return false
	}
	c.calls.side.opsSeen = c.calls.ops
	c.release()
	return true
}

// readBatch reads once and handles all whole frames. It is false when no more can be read by the caller.
func (c *conn) readBatch() bool {
	n, err := c.receive()
	if n > 0 {
		c.read.batch.in.Wrote(n)
		c.read.batch.in.Skip()
		c.count.bytesIn.Add(uint64(n))
		if c.doomed.Load() {
			c.fail(errShed)
			return false
		}
		if c.read.fresh && c.strange() {
			if c.over() {
				return false
			}
			c.pending(c.read.batch.progress())
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
	if c.onSock {
		return c.readSock()
	}
	return c.nc.Read(c.space())
}

// frames handles the whole frames that are there.
func (c *conn) frames() bool {
	b, before := c.read.batch, c.seen().charged.Load()
	c.handles()
	for !b.over && (!c.handleAll(b) || c.tooLong(b)) {
	}
	c.counted(b)
	c.settle()
	c.flushOut()
	c.read.handling.Store(false)
	if c.refuses.Load() {
		c.mu.Lock()
		c.signal()
		c.mu.Unlock()
	}
	if b.over {
		return false
	}
	if err := b.in.Err(); err != nil {
		c.violation(b.fault(err))
		return false
	}
	if len(b.req.Body) >= ownBuffer { // it would keep the receive buffer alive
		b.req = Request{}
	}
	if p := b.progress(); p.Pending > 0 || c.read.late != nil {
		c.pending(p)
	}
	if n := c.seen().charged.Load() - before; n > 0 && !c.pace(n) { // for what is to be made next, maybe
		c.fail(errShed)
		return false
	}
	return true
}

// handles says that frames are being handled: whoever closes the connection does not wait for that, and may wait already.
func (c *conn) handles() {
	c.read.handling.Store(true)
	if c.spent.Load() { // which is set before it is waited
		c.mu.Lock()
		c.signal()
		c.mu.Unlock()
	}
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
	b.replies += int(b.usual - b.charged)
	b.frames, b.usual, b.asked, b.told, b.charged = 0, 0, 0, 0, 0
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
	c.made()
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
	b := c.read.batch
	k := b.out
	if k == nil || len(k.b) == 0 {
		return
	}
	n := b.replies + int(b.usual-b.charged)
	b.replies, b.charged = 0, b.usual
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut || c.err != nil {
		k.b = k.b[:0]
		return
	}
	size := len(k.b)
	switch queued := c.write.queued(); {
	case !queued:
		c.write.buf, b.out = k, c.write.buf
		if b.out == nil {
			b.out, c.write.spare = c.write.spare, nil
		}
	case size >= ownBuffer:
		c.write.link(k)
		b.out = nil
	default:
		k = c.write.open()
		k.b = append(k.b, b.out.b...)
		b.out.b = b.out.b[:0]
	}
	if lent := large(b.out); lent != c.seen().lent {
		c.noted().lent = lent
	}
	c.addReplies(k, size, n)
	c.flush(false, false)
	if c.write.replies > 0 || c.seen().lent > 0 {
		c.account()
	}
	for !c.cfg.envelope && c.crowded() && c.err == nil && !c.calling() {
		c.waitChange() // whoever does not read is not read from; a side that waits for answers itself must go on
	}
}

// pending tells the clock, and the server, of the frame that is not whole.
func (c *conn) pending(p frame.Progress) {
	held := int64(0)
	if p.Pending > 0 {
		held = int64(c.read.batch.in.Room()) // before it is made
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if l := c.seen(); l.kept > 0 {
		l.kept = 0
	}
	switch {
	case p.Pending == 0:
		c.read.late = nil
		if n := c.read.batch.in.Held(); n > ownBuffer {
			c.noted().kept = int64(n)
		}
	case c.read.late == nil:
		c.read.late = &unfinished{p, c.cfg.lim.watch(), held}
	default:
		c.read.late.place, c.read.late.held = p, held
	}
	if c.read.late != nil {
		c.watchSoon()
	}
	c.account()
}

// held is the size in bytes of the unfinished frame's buffer.
func (c *conn) held() int64 {
	if c.read.late == nil {
		return 0
	}
	return c.read.late.held
}
