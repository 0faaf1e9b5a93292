package rpc

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// A large answer is not copied: the handler's bytes are written as they are, between what stands around them. When many handlers answer
// so at a time, what each of them has made is charged at once, before it waits for anything.

// firstRuns are those of an action before any of them has been answered: nobody knows how large its answers are. A few may begin at once,
// and twice as many with every tick that passes.
type firstRuns struct {
	begun atomic.Int64
	since atomic.Int64 // the tick of the first
}

const firstMost = 16

func (f *firstRuns) most(now int64) int64 {
	return firstMost << min(max(now-f.since.Load(), 0), 32)
}

// spared tells whether the next request may begin although its answer may be large: answers that handlers are about to give are not
// charged, but when much is held already those of one connection are made one after another.
func (c *conn) spared() bool {
	w := c.work
	if c.seen().large.Load() > int64(c.cfg.lim.Backlog) {
		return false
	}
	if m := w.turn.m; c.cfg.bytesHeld != nil && !m.known.Load() && m.first.begun.Load() >= m.first.most(c.cfg.clock.now()) {
		c.watchSoon() // see checkTasks
		return false
	}
	n := w.turn.m.large.Load()
	return n == 0 || w.running == 0 || c.cfg.bytesHeld == nil || c.cfg.bytesHeld.Load()+c.cfg.expected.Load()+n <= c.cfg.lim.Buffered/4
}

// expect notes what t, which begins, may answer.
func (t *task) expect() {
	if t.expected = t.m.large.Load(); !t.m.known.Load() && t.m.first.begun.Add(1) == 1 {
		t.m.first.since.Store(t.c.cfg.clock.now())
	}
	t.c.cfg.expected.Add(t.expected)
}

// pledgeLarge charges a large answer, which is dropped when the connection is to end. It reports whether there is one.
func (t *task) pledgeLarge() bool {
	c := t.c
	c.cfg.expected.Add(-t.expected)
	if !t.m.known.Load() {
		t.m.known.Store(true)
	}
	if len(t.reply) <= keptBuffer || t.m.h == nil {
		if t.expected > 0 {
			t.m.large.Store(0)
		}
		return false
	}
	t.pledged = int64(len(t.reply))
	if t.expected != t.pledged {
		t.m.large.Store(t.pledged)
	}
	c.noted().large.Add(t.pledged)
	if c.pledge(t.pledged); c.doomed.Load() {
		t.reply = nil
		return false
	}
	return c.cfg.numbered
}

// around makes what stands around a large answer. One that is too large stays as it is, and is refused where all are.
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

// sendLarge queues an answer that is not copied.
func (c *conn) sendLarge(t *task) {
	k := c.buf()
	k.b = append(k.b, t.shell[:t.front]...)
	c.addAnswers(k, t.front, 1)
	c.shelve()
	for _, p := range [...][]byte{t.reply, t.shell[t.front:]} {
		if len(p) > 0 {
			c.wbuf = &buffer{b: p, part: true}
			c.addAnswers(c.wbuf, len(p), 0)
			c.shelve()
		}
	}
}
