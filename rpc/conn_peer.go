package rpc

import (
	"context"
	"errors"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// PeerKind says who is at the other end, which decides how values travel.
type PeerKind byte

// The kinds of peers.
const (
	// Auto finds out: a client asks the peer of each connection once, before the first value travels on it.
	Auto PeerKind = iota
	// Spanwire is this package. A peer that turns out to be another ends the connection with ErrPeer.
	Spanwire
	// NewLife is NewLife.Remoting: values travel in its dialect, and nothing that it does not know is sent.
	NewLife
)

// ErrPeer says that the peer was said to be of this package, and has answered without an extension tail.
var ErrPeer = errors.New("rpc: peer is not of this package")

// knownWithin is how long a peer has to show who it is before it counts as NewLife.
const knownWithin = 2 * time.Second

// firstKind is what a new connection's peer counts as.
func (g *config) firstKind() peerKind {
	switch {
	case !g.envelope || g.server:
	case g.peers == Spanwire:
		return peerOurs
	case g.peers == NewLife:
		return peerOther
	case g.notify || g.assume.CompareAndSwap(true, false): // nothing is answered, or nothing was
		return peerAssumed
	}
	return peerUnknown
}

// ours tells whether values travel as between peers of this package.
func (c *conn) ours() bool { return c.peer.Load() == peerOurs }

// learn notes from a message what kind of peer sent it.
func (c *conn) learn(tailed bool) {
	k := c.peer.Load()
	if k == peerOurs || k == peerOther && !tailed {
		return // as good as always
	}
	c.learned(tailed)
}

func (c *conn) learned(tailed bool) {
	if !c.cfg.server && c.cfg.peers == NewLife {
		return
	}
	if tailed {
		c.cfg.seen.Store(true)
		c.cfg.assume.Store(false)
	}
	c.mu.Lock()
	if c.peer.Store(peerOther); tailed {
		c.peer.Store(peerOurs)
	}
	c.signal() // who waits for it: see know
	c.mu.Unlock()
	if tailed && c.cfg.server && c.read.batch != nil { // which is this goroutine's: a server's connection has no other readers
		c.read.batch.in.SkipLong(c.skips())
	}
}

// stranger tells whether an answer shows that the peer is not who it was said to be. The connection is ended then.
func (c *conn) stranger(tailed bool) bool {
	if tailed || c.cfg.server || c.cfg.peers != Spanwire {
		return false
	}
	c.fail(ErrPeer)
	return true
}

// know waits until it is known who the peer is. A client asks it; a server waits for the first frame.
func (c *conn) know(ctx context.Context) error {
	if !c.cfg.envelope || c.peer.Load() != peerUnknown {
		return nil
	}
	if ctx.Value(inlineKey{}) == c || c.session.entering() {
		return notSent(ErrWouldDeadlock)
	}
	limited, cancel := c.limited(ctx)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if err := c.ready(); err != nil {
			return notSent(err)
		}
		if c.peer.Load() != peerUnknown {
			return nil
		}
		if !c.cfg.server && c.ask() {
			continue // the answer, or the connection's end, may have come meanwhile
		}
		if err := c.await(limited); err != nil {
			if ctx.Err() == nil {
				err = ErrTimeout
			}
			return notSent(err)
		}
	}
}

// limited is ctx with CallTimeout, when it has no deadline of its own.
func (c *conn) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ends := ctx.Deadline(); ends || c.cfg.lim.CallTimeout <= 0 || c.cfg.lim.CallTimeout >= 1<<62 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.cfg.lim.CallTimeout)
}

// ask has the peer show who it is, once, and tells whether it did so now. mu is held before and after, but not while the question is
// being written: the caller looks anew at what it knew.
func (c *conn) ask() bool {
	s := c.callSide()
	if s.asked != 0 {
		return false
	}
	s.asked = c.cfg.clock.Now() // before the connection can end on it: see diedAsked
	c.wakeAt(s.asked + clock.Ticks(knownWithin))
	c.ping() // when it can't, calls are under way whose answers will tell as well
	return true
}

// askFirst asks on a new connection of a client that has a handler, though it may know already: the peer waits for a first frame before
// it sends values.
func (c *conn) askFirst() {
	if c.cfg.router == nil || !c.cfg.envelope || c.cfg.server {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.peer.Load(); (k == peerUnknown || k == peerOurs) && !c.cfg.notify && c.err == nil {
		c.ask()
	}
}

// checkKnown takes a peer that does not show who it is for NewLife's.
func (c *conn) checkKnown(now int64) int64 {
	if c.calls.side == nil || c.calls.side.asked == 0 || c.peer.Load() != peerUnknown {
		return clock.Never
	}
	due := c.calls.side.asked + clock.Ticks(knownWithin)
	if now < due {
		return due
	}
	c.cfg.assume.Store(true)
	c.peer.Store(peerAssumed)
	c.signal()
	return clock.Never
}

// diedAsked notes that a connection ended on the question: the next one counts as NewLife's, unless there was one of ours.
func (c *conn) diedAsked(reason error) {
	if c.calls.side != nil && c.calls.side.asked != 0 && c.peer.Load() == peerUnknown && !ours(reason) && !c.cfg.seen.Load() {
		c.cfg.assume.Store(true)
	}
}

// ping asks for a sign of life; any answer is one. It is false when it can't. mu is held.
func (c *conn) ping() bool {
	if c.calls.tab == nil {
		c.calls.tab = new(table)
	}
	if c.calls.tab.Full(c.cfg.lim.InFlight, c.callSide().granted) || c.ready() != nil {
		return false
	}
	n, s := c.calls.tab.Put()
	c.calls.side.pinging, c.calls.tab.Keep(n).until = true, true
	s.fn = func([]byte, error) {
		c.mu.Lock()
		c.calls.side.pinging = false
		c.mu.Unlock()
	}
	k := c.write.open()
	k.b = remoting.AppendControl(k.b, remoting.Ping, n, remoting.Tail{})
	if c.read.role == readNobody {
		c.give()
	}
	c.flush(false, false)
	return true
}
