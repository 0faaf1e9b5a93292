package rpc

import (
	"errors"
	"io"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// A connection ends in one of three ways. The peer closes its side: what it has sent is handled and answered, within CallTimeout. It
// breaks the protocol: reading ends there, and what came before is handled and answered as well. Or the connection is lost, or closed
// on this side: the contexts of what runs end at once, and what has not begun is dropped.

// violation ends the reading for bytes that no frame begins with.
func (c *conn) violation(err error) {
	c.cfg.rare.malformed.Add(1)
	if c.cfg.failed != nil {
		c.cfg.failed(c, err)
	}
	c.endReading(err)
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
	c.handles()
	cut := c.handleLast(b)
	c.counted(b)
	c.settle()
	c.flushOut()
	c.read.handling.Store(false)
	if cut != nil {
		c.violation(b.fault(cut))
		return
	}
	c.endReading(io.EOF)
}

// endReading ends the reading. Calls of this side get no answers any more; what was accepted is handled before the connection ends
// with the reason.
func (c *conn) endReading(reason error) {
	if b := c.read.batch; b != nil {
		b.over = true
		c.settleSome() // which are answers all the same
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || c.ended {
		return
	}
	if !c.cfg.server && c.cfg.router == nil || c.idleLocked() && clean(reason) {
		c.failLocked(reason)
		return
	}
	if c.held() > ownBuffer {
		c.noted().kept = c.held() // until the reader lets go
	}
	c.ended, c.read.late = true, nil
	c.spent.Store(true)
	c.turnAway(reason)
	if t := c.calls.tab; t != nil {
		c.calls.tab = nil
		lost := unknown(&ConnError{Peer: c.addr(), Reason: reason})
		c.endCalls(t, func(byte, *rareSlot) (err error, ends bool) { return lost, true })
	}
	w := c.works()
	w.end = reason
	w.endBy = c.cfg.clock.Now() + clock.Ticks(c.cfg.lim.CallTimeout)
	c.wakeAt(w.endBy)
	c.account()
	if c.cfg.spent != nil {
		go c.cfg.spent(c)
	}
}

// endRequests ends the contexts of all requests: nobody waits for them any more.
func (c *conn) endRequests() {
	for t := c.under(); t != nil; t = t.next {
		t.cancel(errCancelled)
	}
	if c.work != nil && c.work.told != nil {
		c.work.told.cancel(errCancelled)
	}
	c.base.end()
}

// idleLocked tells whether nothing is left to be answered or written.
func (c *conn) idleLocked() bool {
	return (c.work == nil || c.work.count == 0 && !c.work.serial) && !c.write.flushing && !c.write.queued() && !c.read.handling.Load()
}

// over tells whether the reader has nothing more to do.
func (c *conn) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended || c.err != nil
}

// halfClosed finishes what was accepted when no more can be read.
func (c *conn) halfClosed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doneReading()
	for c.err == nil && !c.idleLocked() {
		c.waitChange()
	}
	if c.err != nil {
		return
	}
	reason := io.EOF
	if c.work != nil && c.work.end != nil {
		reason = c.work.end
	}
	if !clean(reason) && c.count.bytesOut.Load() > 0 {
		c.works().parts = true
	}
	c.failLocked(reason)
}

// clean tells whether reading has ended where the peer meant it to.
func clean(reason error) bool { return reason == io.EOF || reason == ErrGoingAway } //nolint:errorlint // wrapped, they are a failure of something else

// wentAway notes that the peer takes no more calls, and, when that was its last frame, that it has run none of those that it has not
// answered.
func (c *conn) wentAway(last bool) {
	c.settleSome()
	c.mu.Lock()
	c.drain(ErrGoingAway)
	if t := c.calls.tab; last && t != nil {
		c.calls.tab = nil
		reason := &ConnError{Peer: c.addr(), Reason: ErrGoingAway}
		c.endCalls(t, func(_ byte, r *rareSlot) (err error, ends bool) {
			if s := r.stream(); s != nil && s.begun() {
				return unknown(reason), true
			}
			return &CallError{Outcome: Refused, Err: reason}, true
		})
	}
	c.mu.Unlock()
	if last {
		c.endReading(ErrGoingAway)
	}
}

// partingMost is how many connections of a server may be parting at a time.
const partingMost = 1024

// part closes this side and reads on for a moment, without looking at it, before it closes the socket: one that is closed while there is
// something to be read takes back what it has sent.
func (c *conn) part() {
	d := c.cfg.lim.Linger
	if d < 0 {
		d = time.Second
	}
	half, ok := c.nc.(interface{ CloseWrite() error })
	if c.cfg.parting.Add(1) <= partingMost && ok && half.CloseWrite() == nil && c.nc.SetReadDeadline(time.Now().Add(d)) == nil {
		_, _ = io.Copy(io.Discard, c.nc) // until the peer has closed, or the time is over
	}
	c.cfg.parting.Add(-1)
	c.closeSocket(nil)
}

// closeWrite closes this side, and tells whether that was possible. mu is held before and after.
func (c *conn) closeWrite() bool {
	half, ok := c.nc.(interface{ CloseWrite() error })
	if !ok {
		return false
	}
	c.shut = true
	c.mu.Unlock() // TLS has something to write
	defer c.mu.Lock()
	return half.CloseWrite() == nil
}

// close ends the connection on this side. The peer is asked to end what this side has called, if that can be sent at once: its end alone
// does not say that nobody waits for the answers.
func (c *conn) close(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && c.cfg.envelope && c.peer.Load() != peerOther && c.calls.tab != nil && !c.shut && !c.write.flushing && !c.write.queued() {
		c.calls.tab.Each(func(n byte, _ *slot, _ *rareSlot) {
			c.calls.side.bye = remoting.AppendControl(c.calls.side.bye, remoting.Cancel, n, nil)
		})
	}
	c.failLocked(reason)
}

// byeTime is how long a connection that is no socket may take for it.
const byeTime = 100 * time.Millisecond

// sayBye writes what close has left. Nobody else writes any more.
func (c *conn) sayBye(b []byte) {
	if c.onSock {
		_ = c.writeSock(&buffer{b: b}) // the connection is over in any case
	} else if c.nc.SetWriteDeadline(time.Now().Add(byeTime)) == nil {
		_, _ = c.nc.Write(b) // as above
	}
}
