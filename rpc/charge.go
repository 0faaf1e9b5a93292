package rpc

import (
	"fmt"
	"log/slog"
)

// Every request and one-way message that is held, and every answer that is not sent, is charged: its length and messageCost. A
// connection bounds its requests and messages by InFlightBytes, and starts no handler while more than Backlog of answers wait; a server
// bounds all charges of its connections, unfinished frames among them, by Buffered. A connection tells its server in steps of
// chargeStep, so that small requests cost it an addition.

const (
	messageCost = 512     // of a message beside its bytes
	chargeStep  = 4 << 10 // what a connection may hold before its server knows
	fairShare   = 64 << 10
)

// errShed is why the connection ends that is chosen when a server holds too much.
var errShed = fmt.Errorf("%w: %w", ErrSlowConsumer, ErrOverload)

// owed is what a connection holds. Requests that run count until they have ended, also when the connection has.
func (c *conn) owed() (n int64) {
	w := c.work
	if w != nil {
		n = w.held
	}
	if c.err == nil {
		n += int64(c.replies) + messageCost*int64(c.answers)
		if w == nil || !w.stopped {
			n += c.held()
		} else {
			n += max(c.held(), w.stoppedAt)
		}
	}
	return n
}

// account tells the server what has changed.
func (c *conn) account() {
	total := c.cfg.bytesHeld
	if total == nil {
		return
	}
	owed := c.owed()
	d := owed - c.charged
	if d == 0 || owed > 0 && c.err == nil && d > -chargeStep && d < chargeStep {
		return
	}
	c.charged = owed
	if total.Add(d) > c.cfg.lim.Buffered && d > 0 {
		c.cfg.overHeld()
	}
}

// addAnswers charges answers that were queued.
func (c *conn) addAnswers(k *buffer, bytes, n int) {
	k.replies += bytes
	k.answers += n
	c.replies += bytes
	c.answers += n
	if c.replies > c.cfg.lim.Backlog && c.cfg.envelope {
		c.stuffed.Store(true)
	}
}

// answersSent takes the charges of a buffer back that was written.
func (c *conn) answersSent(k *buffer) {
	if k.answers == 0 {
		return
	}
	c.replies -= k.replies
	c.answers -= k.answers
	if c.replies <= c.cfg.lim.Backlog && c.work != nil {
		if c.stuffed.Load() {
			c.stuffed.Store(false)
			c.work.direct = 0
		}
		c.summon()
	}
	c.account()
}

// shed ends connections until what the server holds is within its limit.
func (s *Server) shed() {
	if !s.shedding.CompareAndSwap(false, true) {
		return
	}
	go func() {
		for more := true; more; {
			for more = false; s.held.Load() > s.cfg.lim.Buffered; more = true {
				c := s.fattest()
				if c == nil {
					more = false
					break
				}
				s.cfg.rare.slow.Add(1)
				s.report(c, errShed)
				c.fail(errShed)
			}
		}
		s.shedding.Store(false)
	}()
}

// fattest returns the connection that is to end when too much is held: of those that hold more than their share the one with most
// unsent answers, if these are more than its backlog may be, else the one that holds most. It is nil when nobody does: when the rest
// is held by handlers of connections that have ended.
func (s *Server) fattest() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	type open struct {
		c    *conn
		held int64
		full int // bytes of unsent answers, where these are too many
	}
	var all []open
	sum := int64(0)
	for c := range s.conns {
		c.mu.Lock()
		if c.err == nil && c.charged > 0 {
			o := open{c, c.charged, 0}
			if c.replies > c.cfg.lim.Backlog {
				o.full = c.replies
			}
			all = append(all, o)
			sum += o.held
		}
		c.mu.Unlock()
	}
	if len(all) == 0 {
		return nil
	}
	rest := s.cfg.lim.Buffered - (s.held.Load() - sum) // what those that have ended leave
	fair := max(rest/int64(len(all)), min(fairShare, s.cfg.lim.Buffered))
	var best open
	for _, o := range all {
		if o.held > fair && (o.full > best.full || o.full == best.full && o.held > best.held) {
			best = o
		}
	}
	return best.c
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
