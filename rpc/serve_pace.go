package rpc

import (
	"sync/atomic"
	"time"
)

// Memory that is let go is there until it has been collected. When connections end because a server holds too much, and others take their place, it
// would make more of it than the collector takes away. So while much is held, what is about to be made of some size waits for its turn: as
// much as may be held takes a quarter of a second, and nothing waits for long.

const (
	paced     = 16 << 10 // what is made of less never waits
	paceTime  = time.Second / 4
	paceLimit = time.Second / 2
)

// pacer gives turns to who is about to make something.
type pacer struct{ next atomic.Int64 }

// take returns the time at which n bytes may be made by who may hold most of them.
func (p *pacer) take(n, most int64) time.Time {
	for {
		now, next := time.Now(), p.next.Load()
		wait := min(max(time.Duration(next-now.UnixNano()), 0), paceLimit)
		took := time.Duration(float64(n) / float64(most) * float64(paceTime))
		if p.next.CompareAndSwap(next, now.Add(wait+took).UnixNano()) {
			return now.Add(wait)
		}
	}
}

// pressed tells whether much is held: then what is made waits, and nothing large is kept for the next time.
func (c *conn) pressed() bool {
	return c.cfg.bytesHeld != nil && c.cfg.bytesHeld.Load() > c.cfg.lim.Buffered/2
}

// pace waits until n bytes may be made that are charged already. It is false when the connection is to end instead.
func (c *conn) pace(n int64) bool {
	if n < paced || !c.pressed() {
		return !c.doomed.Load()
	}
	due := c.cfg.pacer.take(n, c.cfg.lim.Buffered)
	if d := time.Until(due); d > time.Millisecond {
		t := time.NewTimer(d)
		defer t.Stop()
		c.mu.Lock()
		for !c.dead() && c.sleep(t) {
		}
		c.mu.Unlock()
	}
	return !c.doomed.Load()
}

// sleep waits for the next signal, and is false when t has ended before. mu is held before and after.
func (c *conn) sleep(t *time.Timer) bool {
	ch := c.change()
	c.mu.Unlock()
	defer c.mu.Lock()
	select {
	case <-ch:
		return true
	case <-t.C:
		return false
	}
}
