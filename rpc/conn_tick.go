package rpc

import (
	"context"
	"errors"
	"math/bits"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/calltable"
	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

var (
	noDeadline   time.Time
	pastDeadline = time.Unix(1, 0)
)

const (
	scanEvery  = 16 // ticks between looks at the calls under way
	scanSoon   = 2  // the same when some of them have a context to look at
	checkEvery = 5  // ticks between looks at an unfinished frame
)

// wakeAt sees to it that the connection is woken at a tick, or before.
func (c *conn) wakeAt(due int64) {
	if due >= clock.Never || c.err != nil {
		return
	}
	c.cfg.clock.Set(&c.alarm, due)
}

// watchSoon sees to it that the connection is woken at the next tick.
func (c *conn) watchSoon() {
	if c.soon || c.err != nil {
		return
	}
	c.soon = true
	c.wakeAt(c.cfg.clock.Now() + 1)
}

// watchLater sees to it that the connection is woken within scanEvery ticks.
func (c *conn) watchLater() {
	if c.soon || c.later || c.err != nil {
		return
	}
	c.later = true
	c.wakeAt(c.cfg.clock.Now() + scanEvery)
}

// Wake looks at everything that may be due. It runs on the clock's goroutine.
func (c *conn) Wake(now int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = max(now, c.cfg.clock.Now()) // others were woken before, and the lock may have been waited for
	c.soon, c.later = false, false
	next := int64(clock.Never)
	for _, check := range [...]func(*conn, int64) int64{
		(*conn).checkRole, (*conn).checkCalls, (*conn).checkFrame, (*conn).checkWrite, (*conn).checkTasks, (*conn).checkStopped, (*conn).checkPeer, (*conn).checkKnown} {
		if c.err != nil {
			return
		}
		next = min(next, check(c, now))
	}
	c.soon, c.later = next == now+1, next <= now+scanEvery
	c.wakeAt(next)
}

// checkRole ends a leader that reads for more than a tick, and gives a read side that nobody uses to the reader goroutine.
func (c *conn) checkRole(now int64) int64 {
	switch {
	case !c.read.leads || c.read.role == readReader:
		return clock.Never
	case c.read.role == readLeader && !c.calls.side.alive && !c.onSock:
		return clock.Never // until its answer comes, or checkCalls gives it up
	case c.read.role == readLeader && c.calls.side.turn == c.calls.side.turnSeen:
		c.kick()
	case c.read.role == readNobody && c.calls.ops == c.calls.side.opsTick:
		c.give()
		return clock.Never
	}
	c.calls.side.turnSeen, c.calls.side.opsTick = c.calls.side.turn, c.calls.ops
	if c.read.role == readLeader && !c.calls.side.alive {
		return now + scanEvery // it has not looked for an end of the connection that came before its request
	}
	return now + 1
}

// kick makes the leader give up the read side.
func (c *conn) kick() {
	if c.read.role == readLeader && !c.read.kicked {
		c.read.kicked = c.nc.SetReadDeadline(pastDeadline) == nil
	}
}

// checkCalls ends calls that have waited too long, and those with callbacks whose context has ended.
func (c *conn) checkCalls(now int64) int64 {
	if c.calls.tab == nil || c.calls.tab.Len() == 0 && (c.calls.side == nil || !c.calls.side.line.Waiting()) {
		return c.checkSpent(now)
	}
	every := int64(scanEvery)
	if c.calls.side.contexts {
		every = scanSoon
	}
	if now-c.calls.side.scanned < every && c.calls.side.scanned != 0 {
		return c.calls.side.scanned + every
	}
	first := c.calls.side.before
	c.calls.side.scanned, c.calls.side.before, c.calls.side.contexts = now, c.calls.side.scanned, false
	limit := clock.Ticks(c.cfg.lim.CallTimeout) + 1
	c.scanLine(now, limit)
	for w := range calltable.Words {
		c.scanWord(w, now, first, limit)
		if c.calls.tab == nil {
			return clock.Never
		}
	}
	if c.calls.side.contexts {
		return now + scanSoon
	}
	return now + scanEvery
}

// checkSpent ends a connection that has no more numbers, when nothing is under way and there is somebody to turn to: the answers
// that have not come are nobody's.
func (c *conn) checkSpent(now int64) int64 {
	if c.calls.side == nil || !errors.Is(c.calls.side.draining, ErrExhausted) || !c.cfg.redials {
		return clock.Never
	}
	if !c.idleLocked() {
		return now + scanEvery
	}
	c.failLocked(ErrExhausted)
	return clock.Never
}

// scanWord looks at 64 numbers. Calls are young, as good as always: only those that were seen twice before get a time of birth,
// which is the first of these looks. All others are seen as bits.
func (c *conn) scanWord(w int, now, first, limit int64) {
	t := c.calls.tab
	wait, old := t.Look(w)
	if limit < 4*scanEvery { // too short for that
		first, old = now, wait
	}
	for m := wait & (old | t.Kept(w)); m != 0 && c.calls.tab == t; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		n := byte(w*64 + i)
		if !t.Seen(n) { // it has ended while giveUp let go of the lock
			continue
		}
		r := t.Rare(n)
		switch {
		case r.stream() != nil:
		case r.ctx != nil && r.ctx.Err() != nil:
			c.giveUp(n, r.ctx.Err())
		case r.born == 0:
			if old>>i&1 != 0 {
				t.Keep(n).born = int32(first) | 1 // not 0: a tick early at most, which the limit allows for
			}
		case !r.until && clock.Age(now, r.born) >= limit:
			c.giveUp(n, ErrTimeout)
		}
		c.calls.side.contexts = c.calls.side.contexts || r.ctx != nil
	}
}

// scanLine sends callers away that have waited too long for a number.
func (c *conn) scanLine(now, limit int64) {
	c.calls.side.line.Keep(func(w *waiter) bool {
		switch {
		case w.born == 0:
			w.born = int32(now) | 1
		case !w.until && clock.Age(now, w.born) >= limit:
			w.ca.err = ErrTimeout
			w.ca.ch <- struct{}{}
			return false
		}
		return true
	})
}

// giveUp ends the call with number n for its caller.
func (c *conn) giveUp(n byte, reason error) {
	call, fn := c.calls.tab.Slot(n).call, c.calls.tab.Slot(n).fn
	c.abandon(n, reason)
	err := unknown(reason)
	switch {
	case call != nil:
		call.err = err
		if c.calls.side.leader == call {
			c.kick()
		}
		call.ch <- struct{}{}
	case fn != nil:
		later([]func(){func() { fn(nil, err) }})
	}
}

// checkFrame ends a connection whose unfinished frame has expired.
func (c *conn) checkFrame(now int64) int64 {
	u := c.read.late
	if u == nil {
		return clock.Never
	}
	if c.read.handling.Load() { // the reader may wait for room, and not for the peer
		u.watch = c.cfg.lim.watch()
		return now + checkEvery
	}
	if err := u.watch.Check(time.Now(), u.place); err != nil {
		e := &frame.Error{Codec: c.cfg.name(), Op: "parse", Offset: u.place.Start + int64(u.place.Pending), Reason: err}
		c.cfg.rare.malformed.Add(1)
		if c.cfg.failed != nil {
			go c.cfg.failed(c, e)
		}
		c.failLocked(e)
		return clock.Never
	}
	return now + checkEvery
}

// checkWrite ends a connection whose peer does not take what is written, and lets a buffer go that is not in use.
func (c *conn) checkWrite(now int64) int64 {
	if !c.write.flushing {
		c.write.freeSpare()
	}
	t := c.write.stall
	if t == nil {
		return clock.Never
	}
	if in := c.count.bytesIn.Load(); t.since == 0 || t.progress != t.seen || in != t.in && c.peer.Load() == peerOurs {
		t.since, t.seen, t.in = now, t.progress, in // a peer of ours that has stopped reading says so
	}
	due := t.since + clock.Ticks(c.cfg.lim.WriteTimeout)
	if now >= due {
		c.cfg.rare.slow.Add(1)
		if c.cfg.failed != nil {
			go c.cfg.failed(c, ErrSlowConsumer)
		}
		c.failLocked(ErrSlowConsumer)
		return clock.Never
	}
	return due
}

// checkTasks ends the contexts of requests whose time is over.
func (c *conn) checkTasks(now int64) int64 {
	next := int64(clock.Never)
	w := c.work
	if w == nil {
		return clock.Never
	}
	if c.ended && w.endBy > 0 {
		if now >= w.endBy {
			c.failLocked(w.end)
			return clock.Never
		}
		next = w.endBy
	}
	if w.turn != nil {
		c.summon()
	}
	if w.told != nil {
		next = min(next, w.told.checkDue(now))
	}
	expired := false
	for t := w.list.first; t != nil; {
		after := t.next
		next = min(next, t.checkDue(now))
		if !t.begun && t.ctx != nil && t.ctx.due != 0 && t.ctx.due <= now {
			c.unpark(t, &Error{Code: remoting.Timeout, Text: "its time was over before it could begin"}, remoting.NoRefusal)
			expired = true
		}
		t = after
	}
	if expired {
		c.flush(false, false)
	}
	return next
}

// checkDue ends the context of t when its time is over.
func (t *task) checkDue(now int64) int64 {
	if t.ctx == nil || t.ctx.due == 0 {
		return clock.Never
	}
	if t.ctx.due <= now {
		t.ctx.End(context.DeadlineExceeded)
		return clock.Never
	}
	return t.ctx.due
}

// checkPeer ends a connection on which no first byte came, and asks a silent peer for a sign of life.
func (c *conn) checkPeer(now int64) int64 {
	in := c.count.bytesIn.Load()
	if c.cfg.server {
		due := now - clock.Age(now, c.born) + clock.Ticks(c.cfg.lim.FirstByte)
		switch {
		case in > 0:
			return clock.Never
		case now < due:
			return due
		case c.entering:
			c.failLocked(errSlowConnect)
			return clock.Never
		}
		c.failLocked(ErrSilent)
		return clock.Never
	}
	every := c.pingEvery()
	if every >= clock.Never {
		return clock.Never
	}
	switch {
	case in != c.calls.side.pinged || c.calls.side.pingTick == 0 || c.work != nil && c.work.stopped: // who does not read sees no answer
		c.calls.side.pinged, c.calls.side.pingTick, c.calls.side.pings = in, now, false
	case now-c.calls.side.pingTick < every:
	case c.calls.side.pings:
		c.failLocked(ErrNoPong)
		return clock.Never
	default:
		c.calls.side.pings, c.calls.side.pingTick = c.ping(), now
	}
	return c.calls.side.pingTick + every
}

func (c *conn) pingEvery() int64 {
	switch {
	case !c.cfg.envelope:
	case c.peer.Load() == peerOurs:
		return clock.Ticks(c.cfg.lim.Ping)
	case c.peer.Load() != peerUnknown && c.cfg.lim.PingOthers > 0:
		return clock.Ticks(c.cfg.lim.PingOthers)
	}
	return clock.Never
}
