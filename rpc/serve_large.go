package rpc

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// A large reply is not copied: the handler's bytes are written as they are, between what stands around them. What a handler may make is charged
// before it begins, by what the last ones of its action have made, and put right when it has: see prospect.

// firstRuns are those of an action before any of them has been answered: nobody knows how large its replies are. A few may begin at once,
// and twice as many with every few ticks that pass.
type firstRuns struct {
	begun atomic.Int64
	since atomic.Int64 // the tick of the first
}

const (
	firstMost  = 8
	firstTicks = 2
)

func (f *firstRuns) most(now int64) int64 {
	return firstMost << min(max(now-f.since.Load(), 0)/firstTicks, 32)
}

// unready tells whether enough of an action that was never answered have begun.
func (c *conn) unready(m *method) bool {
	return !m.known.Load() && c.cfg.bytesHeld != nil && m.first.begun.Load() >= m.first.most(c.cfg.clock.Now())
}

// starts notes that one begins.
func (c *conn) starts(m *method) {
	if !m.known.Load() && m.first.begun.Add(1) == 1 {
		m.first.since.Store(c.cfg.clock.Now())
	}
}

// spared tells whether the next request may begin although its reply may be large: replies that handlers are about to give are not
// charged, but when much is held already those of one connection are made one after another.
func (c *conn) spared() bool {
	w := c.work
	if c.seen().large.Load() > int64(c.cfg.lim.Backlog) {
		return false
	}
	if c.unready(w.turn.m) {
		c.watchSoon() // see checkTasks
		return false
	}
	n := w.turn.m.large.expected(w.turn.cost)
	if n == 0 || w.running == 0 || c.cfg.bytesHeld == nil {
		return true
	}
	most := c.cfg.lim.Buffered / 4
	if n <= 2*keptBuffer {
		most *= 3
	}
	return c.cfg.bytesHeld.Load()+n <= most
}

// prospect is how many bytes more than their requests have the large replies of an action, and one; 0 while its replies are not large. Replies
// that are not after all make it smaller, so that a few of them do not hide what comes next.
type prospect struct{ atomic.Int64 }

// expected is what the reply to a request may be charged that is charged cost itself.
func (p *prospect) expected(cost int64) int64 {
	n := p.Load()
	if n == 0 {
		return 0
	}
	return replyCost(n + cost)
}

// replyCost is what a handler's reply is charged from when it is made until it is queued: twice its size where it is copied then.
func replyCost(size int64) int64 {
	switch {
	case size < chargeStep:
		return 0
	case size <= keptBuffer:
		return 2 * size
	}
	return size
}

// learn notes the size of a reply to a request that is charged cost, of which something else was expected.
func (p *prospect) learn(cost, size int64) {
	was, n := p.Load(), max(size-cost, 0)+1
	if size < chargeStep {
		if n = was / 2; n < 1<<10 {
			n = 0
		}
	} else if n < was {
		n = was - (was-n)/2
	}
	if n != was {
		p.Store(n)
	}
}

// expect charges what t, which begins, may answer.
func (t *task) expect() {
	t.c.starts(t.m)
	t.pledged = t.m.large.expected(t.cost)
	t.c.pledge(t.pledged)
}

// pledgeLarge charges a large reply, which is dropped when the connection is to end. It reports whether there is one.
func (t *task) pledgeLarge() bool {
	c := t.c
	if !t.m.known.Load() {
		t.m.known.Store(true)
	}
	expected, n := t.pledged, replyCost(int64(len(t.reply)))
	if t.m.h == nil {
		n = 0
	}
	if n != expected {
		t.m.large.learn(t.cost, int64(len(t.reply)))
	}
	t.pledged = n
	if n > 0 {
		c.noted().large.Add(n)
	}
	if c.pledge(n - expected); n > 0 && c.doomed.Load() {
		t.reply = nil
		c.fail(errShed) // before that can be sent
		return false
	}
	return len(t.reply) > keptBuffer && n > 0 && c.cfg.numbered
}

// around makes what stands around a large reply. One that is too large stays as it is, and is refused where all are.
func (t *task) around() {
	const head = 8 // of a frame with a long header
	c := t.c
	t.r.conn, t.r.seq = c, t.seq // whatever the handler has done to the request
	b := make([]byte, head, head+len(t.r.wire)+64)
	front := head
	if c.cfg.envelope {
		var at int
		b, at = remoting.StartData(remoting.AppendAction(b, t.r.wire))
		front = len(b)
		b, _ = remoting.FinishData(b, at, false, c.replyTail(&t.r)) // no data: cannot fail
		binary.LittleEndian.PutUint32(b[at:], uint32(len(t.reply)))
	}
	n := len(b) - head + len(t.reply)
	if n > c.cfg.most() {
		return
	}
	b[0], b[1], b[2], b[3] = frame.Head(frame.Response, t.r.Flag), t.seq, 0xFF, 0xFF
	binary.LittleEndian.PutUint32(b[4:], uint32(n))
	t.shell, t.front = b, front
}

// sendLarge queues a reply that is not copied.
func (c *conn) sendLarge(t *task) {
	k := c.write.open()
	k.b = append(k.b, t.shell[:t.front]...)
	c.addReplies(k, t.front, 1)
	c.write.shelve()
	for _, p := range [...][]byte{t.reply, t.shell[t.front:]} {
		if len(p) > 0 {
			c.write.buf = &buffer{b: p, part: true}
			c.addReplies(c.write.buf, len(p), 0)
			c.write.shelve()
		}
	}
}
