package rpc

import (
	"fmt"
	"log/slog"
	"sync/atomic"
)

// Every request and one-way message that is held, and every reply that is not sent, is charged: its length and messageCost. A
// connection bounds its requests and messages by InFlightBytes, and starts no handler while more than Backlog of replies wait; a server
// bounds all charges of its connections, unfinished frames among them, by Buffered. A connection tells its server in steps of
// chargeStep, so that small requests cost it an addition.

const (
	messageCost = 512     // of a message beside its bytes
	chargeStep  = 4 << 10 // what a connection may hold before its server knows
	fairShare   = 64 << 10
)

// load is what is noted of the charges of a connection. Only those that have held more than a little have one.
type load struct {
	known   int64        // what the server was told by account
	kept    int64        // size of the receive buffer while no frame is unfinished, where that is large
	lent    int64        // size of the buffer for replies on the reader, where that is large
	charged atomic.Int64 // what the server was told in all
	large   atomic.Int64 // bytes of large replies that are not queued yet
	heavy   atomic.Int64 // bytes of replies that are not sent, where these are too many
}

// noted returns the load of a connection.
func (c *conn) noted() *load {
	if c.write.load.Load() == nil {
		c.write.load.CompareAndSwap(nil, new(load))
	}
	return c.write.load.Load()
}

// noLoad is that of connections without one. It is only read.
var noLoad load

// seen is noted for who only reads it.
func (c *conn) seen() *load {
	if l := c.write.load.Load(); l != nil {
		return l
	}
	return &noLoad
}

// errShed is why the connection ends that is chosen when a server holds too much.
var errShed = fmt.Errorf("%w: %w", ErrSlowConsumer, ErrOverload)

// owed is what a connection holds. Its end changes that no sooner than who uses it has let go: requests count until they have been handled, a reply
// until it is not being written any more, buffers of the reader until that has seen the end.
func (c *conn) owed() int64 {
	n, l := int64(c.write.replyBytes)+messageCost*int64(c.write.replies), c.seen()
	in := max(c.held(), l.kept)
	if w := c.work; w != nil {
		n += w.held + w.extra
		if w.stopped {
			in = max(in, w.stoppedAt)
		}
	}
	return n + in + large(c.write.spare) + l.lent
}

// large is what a buffer that nothing is in is charged: nothing unless it is too large for a pool.
func large(k *buffer) int64 {
	if k == nil || cap(k.b) <= keptBuffer {
		return 0
	}
	return int64(cap(k.b))
}

// doneReading gives up what the reader holds: it reads no more.
func (c *conn) doneReading() {
	c.read.batch, c.read.late = nil, nil
	if l := c.write.load.Load(); l != nil {
		l.kept, l.lent = 0, 0
	}
	c.account()
}

// account tells the server what has changed.
func (c *conn) account() {
	if c.cfg.bytesHeld == nil {
		return
	}
	owed := c.owed()
	d := owed - c.seen().known
	if d == 0 || owed > 0 && c.err == nil && d > -chargeStep && d < chargeStep {
		return
	}
	c.noted().known = owed
	c.pledge(d)
}

// pledge charges what is about to be held, or takes it back. It needs no lock: whoever makes something large is charged before.
func (c *conn) pledge(n int64) {
	total := c.cfg.bytesHeld
	if total == nil || n == 0 {
		return
	}
	c.noted().charged.Add(n)
	if all := total.Add(n); all > c.cfg.lim.Buffered && n > 0 {
		c.cfg.overHeld(c, all, n)
	}
}

// grownBody is what a body has at least whose argument's memory is counted: that of a shorter one is little beside messageCost.
const grownBody = 128

// grow charges what the argument of a request takes in memory, before it is made: JSON takes many times its bytes.
func (r *Request) grow(n int) error {
	r.grown += int64(n)
	if r.conn.pledge(int64(n)); !r.conn.pace(int64(n)) {
		return errShed
	}
	return nil
}

// letGo takes the charge of the argument back: the handler has returned.
func (r *Request) letGo() {
	if r.grown > 0 {
		r.conn.pledge(-r.grown)
		r.grown = 0
	}
}

// addReplies charges replies that were queued.
func (c *conn) addReplies(k *buffer, bytes, n int) {
	k.replyBytes += bytes
	k.replies += n
	c.write.replyBytes += bytes
	c.write.replies += int32(n)
	if c.write.replyBytes > c.cfg.lim.Backlog {
		c.noted().heavy.Store(int64(c.write.replyBytes))
		c.stuffed.Store(c.cfg.envelope)
	}
}

// repliesSent takes the charges of a buffer back that was written.
func (c *conn) repliesSent(k *buffer) {
	if k.replyBytes == 0 {
		return
	}
	c.write.replyBytes -= k.replyBytes
	c.write.replies -= int32(k.replies)
	if c.write.replyBytes <= c.cfg.lim.Backlog {
		if l := c.seen(); l.heavy.Load() != 0 {
			l.heavy.Store(0)
			c.stuffed.Store(false)
		}
		if c.work != nil {
			c.work.direct = 0
			c.summon()
		}
	}
	c.account()
}

// shedding is what a server notes of ending connections that hold too much.
type shedding struct {
	asked    atomic.Int32 // calls of shed that were not served yet
	resigned atomic.Int64 // what was held when nobody was to blame, 0 for never
}

// smallCharge is what a connection may hold however much others do: it is not the one to end while those that are doomed let go.
const smallCharge = 256 << 10

// shed dooms connections until what the others hold is within the limit: c has been charged n, and all is what all of them hold. It may be called under the lock of a connection, and waits
// for none: those who would let go of theirs may wait for memory.
func (s *Server) shed(c *conn, all, n int64) {
	most := s.cfg.lim.Buffered
	if all-n > most && all > most+most/16 && c.seen().charged.Load() > max(most/256, smallCharge) {
		s.doom(c) // those that are doomed already have not let go yet, and this one is not small
		return
	}
	if r := s.shedding.resigned.Load(); r > 0 && all <= r+most/64 {
		return
	}
	if s.shedding.asked.Add(1) > 1 {
		return // whoever is at it looks again
	}
	for {
		asked := s.shedding.asked.Load()
		for c := s.fattest(); c != nil; c = s.fattest() {
			s.doom(c)
		}
		if s.shedding.asked.CompareAndSwap(asked, 0) {
			return
		}
	}
}

// doom ends a connection as soon as that is possible.
func (s *Server) doom(c *conn) {
	if !c.doomed.CompareAndSwap(false, true) {
		return
	}
	s.cfg.rare.slow.Add(1)
	go func() {
		s.report(c, errShed)
		c.fail(errShed)
	}()
}

// fattest returns the connection that is to end when too much is held: of those that hold more than their share the one with most
// unsent replies, if these are more than its backlog may be, else the one that holds most. It is nil when nobody does: when the rest
// is held by handlers of connections that have ended.
func (s *Server) fattest() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := s.held.Load()
	n, open := int64(0), int64(0)
	for c := range s.conns {
		switch held := c.seen().charged.Load(); {
		case c.doomed.Load():
			total -= held
		case held > 0:
			n++
			open += held
		}
	}
	if total <= s.cfg.lim.Buffered {
		s.shedding.resigned.Store(0)
		return nil
	}
	var most *conn
	var heavy, held int64
	if n > 0 {
		left := s.cfg.lim.Buffered - (total - open) // by those that have ended
		fair := max(left/n, min(fairShare, s.cfg.lim.Buffered))
		for c := range s.conns {
			h, u := c.seen().charged.Load(), c.seen().heavy.Load()
			if h > fair && !c.doomed.Load() && (u > heavy || u == heavy && h > held) {
				most, heavy, held = c, u, h
			}
		}
	}
	if most == nil {
		s.shedding.resigned.Store(total)
	}
	return most
}

// drop notes a one-way message that is not handled although its connection lives.
func (c *conn) drop(r *Request, why string) {
	c.cfg.rare.dropped.Add(1)
	c.cfg.drops.log(c.cfg.log, slog.LevelWarn, "rpc: one-way message dropped", "action", clip(r.wire), "peer", c.addr(), "reason", why)
}

// clip keeps what a peer has sent from filling a log.
func clip(b []byte) string {
	const most = 64
	if len(b) > most {
		return fmt.Sprintf("%q...", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
