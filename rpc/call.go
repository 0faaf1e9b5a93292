package rpc

import (
	"context"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// call is a caller that waits: for a number, then for its answer. It is a cache line of 64 bytes: hundreds of thousands may wait.
type call struct {
	ch   chan struct{} // one signal: granted a number, answered or failed
	dst  []byte
	err  error
	meta *Metadata         // where the answer's metadata goes, nil if nowhere
	null bool              // the answer has no data
	enc  remoting.Encoding // of the answer
	born int32             // after it has stood in line: when it was first seen there, 0 for not at all
}

// getCall returns a call out of the owner's pool: not one for all, since channels belong to where they were made (see
// testing/synctest).
func (g *config) getCall() *call {
	if ca, ok := g.calls.Get().(*call); ok {
		return ca
	}
	return &call{ch: make(chan struct{}, 1)}
}

// putCall gives ca back. Its channel is empty.
func (g *config) putCall(ca *call) {
	*ca = call{ch: ca.ch}
	g.calls.Put(ca)
}

// fill notes the answer. The connection's reader calls it, without the lock: the call is no longer in the table.
func (ca *call) fill(m *remoting.Message, err error) {
	if err != nil {
		ca.err = err
		return
	}
	ca.dst = append(ca.dst, m.Data...)
	ca.null = m.Data == nil
	ca.enc = m.Tail.Body()
	if ca.meta != nil {
		ca.meta.addTail(m.Tail)
	}
}

// calls is the calls of this side.
type calls struct {
	side *callSide // nil before the first
	tab  *table    // those under way
	ops  uint64    // counts them
}

// callSide is what calls of this side need beside their table.
type callSide struct {
	leader   *call  // who reads
	led      bool   // the leader's answer was among those read
	unsent   bool   // the leader's request is only queued
	alive    bool   // the leader's context can end
	turn     uint32 // counts leaders
	turnSeen uint32 // turn at the last tick
	opsSeen  uint64 // ops when the reader last gave the read side up
	opsTick  uint64 // ops at the last tick
	limbo    *table // calls of a connection that has ended whose requests are still being written
	bye      []byte // what is said, if that is possible at once, before the connection is closed
	pinging  bool   // a $ping is among the calls under way
	line     line   // callers that wait for a number
	granted  int    // numbers promised to some of them
	streams  int    // under way
	draining error  // why no new calls are taken
	tail     []byte // memory for extension tails
	scanned  int64  // the tick of the last look at the calls
	before   int64  // that of the one before it
	contexts bool   // some callbacks have a context that can end
	pings    bool   // a ping is under way
	pingTick int64
	verdicts verdicts // on a server: of calls of its peer
	oneWays  oneWays
	asked    int64  // the tick when the peer was asked who it is, 0 for never
	pinged   uint64 // bytes received when last looked
}

// callSide returns the call side.
func (c *conn) callSide() *callSide {
	if c.calls.side == nil {
		c.calls.side = new(callSide)
	}
	return c.calls.side
}

// leading tells whether a caller reads.
func (c *conn) leading() bool { return c.calls.side != nil && c.calls.side.leader != nil }

// outgoing is a message that is to be sent.
type outgoing struct {
	action                string
	body                  []byte
	until                 time.Time // the caller's deadline
	mode                  frame.Mode
	flag                  byte
	enc                   remoting.Encoding
	layouts               bool   // the fingerprints are sent
	ends                  bool   // there is a deadline
	alive                 bool   // the context can end
	header                []byte // where the codec has one
	null                  bool   // there is no body
	born                  int32  // the tick when the call was first seen in line, on this connection or another, 0 for never
	spill                 bool   // go elsewhere when this connection is busy: errSpill
	argPrint, resultPrint uint64
	more                  *outgoingMore // nil for most
}

// outgoingMore is what few messages have.
type outgoingMore struct {
	meta  Metadata
	trace string
	reply *Metadata // where that of the answer goes
}

// head asks the hook for the header bytes. No lock is held.
func (m *outgoing) head(g *config) {
	if g.header != nil {
		m.header = g.header(m.body)
	}
}

const packetFlag = 1 // the flag of NewLife's messages

// do makes a call and waits for its answer, which is appended to ca.dst.
func (c *conn) do(ctx context.Context, m *outgoing, ca *call) error {
	if c.cfg.notify {
		return notSent(errNotifyOnly)
	}
	m.head(c.cfg)
	c.mu.Lock()
	if m.spill && c.calls.tab != nil && c.calls.tab.Len() >= secondConn {
		c.mu.Unlock()
		return errSpill
	}
	if err := c.enter(ctx, ca, m); err != nil {
		c.mu.Unlock()
		return notSent(err)
	}
	n, s := c.calls.tab.Put()
	if s.call = ca; m.ends || m.born != 0 {
		r := c.calls.tab.Keep(n)
		r.until, r.born = m.ends, c.seenAt(m.born) // the time in line counts
	}
	if err := c.append(m, n, true); err != nil {
		c.calls.tab.Undo(n)
		c.grant()
		c.mu.Unlock()
		return notSent(err)
	}
	if c.sendOrLead(ca, n, m.alive) && c.lead(ca) {
		return ca.err
	}
	return c.wait(ctx, ca, n)
}

// sendOrLead sends a call that was appended. It is true when ca is to lead: on sockets its request is then sent by lead. mu is held
// before, and not after.
func (c *conn) sendOrLead(ca *call, n byte, alive bool) (led bool) {
	if c.read.role == readReader && c.rides() {
		c.calls.ops++
		c.mu.Unlock()
		return false
	}
	s := c.calls.side
	if c.read.role == readNobody && c.read.leads && c.onSock && c.calls.tab.Len() == 1 {
		s.unsent = true
	} else {
		c.sendCall()
		if c.read.role != readNobody || c.err != nil || c.calls.tab == nil || c.calls.tab.Slot(n).call != ca {
			c.mu.Unlock()
			return false
		}
		if !c.read.leads || c.calls.tab.Len() != 1 {
			c.give()
			c.mu.Unlock()
			return false
		}
	}
	c.read.role, s.leader, s.alive = readLeader, ca, alive
	s.turn++
	if alive {
		c.watchSoon()
	}
	c.mu.Unlock()
	return true
}

// sendLed sends the leader's request, unless that was done. It is true when there is no need to look for the answer yet.
func (c *conn) sendLed() bool {
	if !c.read.leads || !c.calls.side.unsent {
		return false
	}
	c.calls.side.unsent = false
	c.mu.Lock()
	first := c.write.queued() && !c.write.flushing // else somebody has sent it, and the poller may have noted the answer too early: look
	if c.err == nil && c.calls.tab != nil {
		c.sendCall()
	}
	c.mu.Unlock()
	return first
}

// rides tells whether a call that was appended is sent along with others. Then sendCall would only count it.
func (c *conn) rides() bool {
	return c.write.flushing && c.later && c.wakeup == nil && (c.work == nil || c.work.turn == nil)
}

// sendCall writes what was appended for a call.
func (c *conn) sendCall() {
	c.calls.ops++
	if c.calls.tab.Len() == 1 {
		c.signal() // the reader, which must not wait for room any more
	}
	if c.work != nil {
		c.refuseParked()
	}
	if !c.later && c.cfg.lim.CallTimeout > 0 {
		c.watchLater()
	}
	if !c.write.flushing {
		c.flush(c.calls.tab.Len() > 1, true)
	}
}

// lead reads until ca is answered, and tells whether it was: it is not when the connection fails, or
// when the clock ends the turn.
func (c *conn) lead(*call) bool {
	for {
		more := c.readBatch()
		if !more || c.calls.side.led {
			led := c.calls.side.led
			c.calls.side.led = false
			c.mu.Lock()
			c.release()
			c.mu.Unlock()
			return led
		}
	}
}

// wait waits for an answer that somebody else reads.
func (c *conn) wait(ctx context.Context, ca *call, n byte) error {
	done := ctx.Done()
	if done == nil {
		<-ca.ch
		return ca.err
	}
	select {
	case <-ca.ch:
		return ca.err
	case <-done:
	}
	c.mu.Lock()
	mine := c.calls.tab != nil && c.calls.tab.Slot(n).call == ca
	if mine {
		c.abandon(n, ctx.Err())
	} else if t := c.calls.side.limbo; t != nil && t.Slot(n).call == ca {
		mine = true
		t.Drop(n)
	}
	if mine {
		ca.err = unknown(ctx.Err())
	}
	c.mu.Unlock()
	if !mine {
		<-ca.ch // it was answered, or failed, in this moment
	}
	return ca.err
}

// abandon gives a call up that was sent. Its number is not used again before the answer has come.
func (c *conn) abandon(n byte, reason error) {
	if !c.cfg.numbered {
		c.calls.tab.Drop(n) // and with it the order of all that follow
		c.failLocked(reason)
		return
	}
	retire(c.calls.tab, n)
	c.cfg.rare.abandoned.Add(1)
	if c.cfg.envelope && c.peer.Load() != peerOther && !c.shut {
		k := c.write.open()
		k.b = remoting.AppendControl(k.b, remoting.Cancel, n, nil)
		c.flush(false, false)
	}
	if c.calls.tab != nil && c.calls.tab.Retired() >= retiredMax {
		c.drain(ErrExhausted)
	}
	c.grant()
}

// drain takes no new calls; those under way go on.
func (c *conn) drain(reason error) {
	s := c.callSide()
	if s.draining != nil {
		return
	}
	s.draining = reason
	c.spent.Store(true)
	c.turnAway(reason)
	c.watchLater()
	if c.cfg.spent != nil {
		go c.cfg.spent(c)
	}
}

// later runs callbacks of failed calls: not on the goroutine of whoever noticed the failure.
func later(fns []func()) {
	if len(fns) == 0 {
		return
	}
	go func() {
		for _, fn := range fns {
			fn()
		}
	}()
}

func notSent(err error) error { return &CallError{Outcome: NotSent, Err: err} }
func unknown(err error) error { return &CallError{Outcome: Unknown, Err: err} }
