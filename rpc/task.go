package rpc

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// task is a request, or a one-way message, that does not run on the reader.
type task struct {
	c      *conn
	m      *method
	r      Request
	buf    []byte // what r points into
	out    []byte // for the reply
	reply  []byte // which may be somewhere else
	err    error
	ctx    *callContext
	credit int64 // of a stream
	done   bool  // waits for its place in the order of replies
	seq    byte  // of the request
	prev   *task // among those under way
	next   *task
	after  *task // among those that have not begun
}

var tasks = sync.Pool{}

// workSide is what requests need that do not run on the reader.
type workSide struct {
	tasks     *task // under way
	running   int
	first     *task // of those that have not begun, in their order
	last      *task
	coming    bool    // a worker that takes the first of them has been started
	start     func()  // worker, as a value that exists once
	streaming int     // those of them that answer with streams
	queue     []*task // in the order of their replies, for codecs without numbers
	oneway    []*task // one-way messages that wait for their turn
	serial    bool    // a goroutine works on them
	told      *task   // the one that runs
	fault     error   // why an answer could not be given where they have an order: the end, behind those before it
	endBy     int64   // tick at which the requests of a peer that has closed its side are ended
}

// works returns the work side.
func (c *conn) works() *workSide {
	if c.work == nil {
		c.work = &workSide{start: c.worker}
	}
	return c.work
}

// newTask copies a request out of the read buffer.
func newTask(c *conn, m *method, r *Request) *task {
	t, _ := tasks.Get().(*task)
	if t == nil {
		t = &task{buf: []byte{}} // not nil: a body without bytes is one
	}
	t.c, t.m, t.r, t.credit, t.seq = c, m, *r, creditWindow, r.seq
	b := append(slices.Grow(t.buf[:0], len(r.Body)+len(r.wire)+len(r.tail)+len(r.Header)), r.Body...)
	at := len(b)
	b = append(b, r.wire...)
	end := len(b)
	b = append(b, r.tail...)
	tail := len(b)
	b = append(b, r.Header...)
	t.buf = b
	if r.Body != nil {
		t.r.Body = b[:at:at]
	}
	t.r.wire = b[at:end:end]
	if r.tail != nil {
		t.r.tail = b[end:tail:tail]
	}
	if r.Header != nil {
		t.r.Header = b[tail:]
	}
	return t
}

// free gives t back, but no large buffer.
func (t *task) free() {
	buf, out := t.buf, t.out
	spoil(buf)
	spoil(out)
	if cap(buf) > keptBuffer {
		buf = []byte{}
	}
	if cap(out) > keptBuffer {
		out = nil
	}
	*t = task{buf: buf[:0], out: out[:0]}
	tasks.Put(t)
}

// spawn lets a request run beside all others. At the limit the reader waits, unless this side has calls under way itself.
func (c *conn) spawn(m *method, r *Request) {
	if c.refusing(r) {
		return
	}
	c.mu.Lock()
	c.works()
	if c.work.running >= c.cfg.lim.InFlight || c.crowded() || m.stream != nil && c.work.streaming >= c.cfg.lim.Streams {
		if m.stream != nil && c.work.streaming >= c.cfg.lim.Streams || !c.waitForRoom() {
			dead := c.err != nil
			c.mu.Unlock()
			if !dead {
				c.cfg.rare.busy.Add(1)
				r.refusal = remoting.NotBegun
				c.refuse(r, errTooMany)
			}
			return
		}
	}
	if c.err != nil { // nobody would end its context
		c.mu.Unlock()
		return
	}
	t := newTask(c, m, r)
	if c.cfg.envelope {
		t.ctx = c.newCallContext(r)
	}
	c.enlist(t)
	if !c.cfg.numbered {
		c.work.queue = append(c.work.queue, t)
	}
	if c.work.last == nil {
		c.work.first = t
	} else {
		c.work.last.after = t
	}
	c.work.last = t
	c.summon()
	c.mu.Unlock()
}

// summon sees to it that there is a worker for the first request that has not begun.
func (c *conn) summon() {
	if w := c.work; w.first != nil && !w.coming {
		w.coming = true
		go w.start()
	}
}

// A worker runs requests one after another until all have begun. No request waits for another: whoever takes one while more are
// there has summoned the next worker before. But handlers that are done quickly leave nothing for it to do, and many of them
// need few goroutines.
func (c *conn) worker() {
	c.mu.Lock()
	w := c.work
	w.coming = false
	if c.queued() { // what was answered by a worker that went on
		c.flush(false, false)
	}
	for w.first != nil {
		t := w.first
		if w.first, t.after = t.after, nil; w.first == nil {
			w.last = nil
		}
		c.summon()
		c.mu.Unlock()
		t.work()
		c.mu.Lock()
		c.answered(t)
	}
	c.spareLater()
	c.mu.Unlock()
}

// enlist counts t among the tasks under way.
func (c *conn) enlist(t *task) {
	if t.next = c.work.tasks; t.next != nil {
		t.next.prev = t
	}
	c.work.tasks = t
	c.work.running++
	if t.m.stream != nil {
		c.work.streaming++
	}
	if t.ctx != nil && t.ctx.due != 0 {
		c.wakeAt(t.ctx.due)
	}
}

func (c *conn) delist(t *task) {
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		c.work.tasks = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	}
	t.prev, t.next = nil, nil
	c.work.running--
	if t.m.stream != nil {
		c.work.streaming--
	}
	if c.work.running == c.cfg.lim.InFlight-1 || c.ended || c.closing {
		c.signal()
	}
}

// waitForRoom makes the reader wait until another request may run. It is false when that must not be waited for.
func (c *conn) waitForRoom() bool {
	if c.tab != nil && c.tab.n > 0 {
		return false
	}
	c.flushFirst()
	for c.err == nil && (c.work.running >= c.cfg.lim.InFlight || c.crowded()) {
		if c.tab != nil && c.tab.n > 0 { // a handler has made a call meanwhile
			return false
		}
		c.waitChange()
	}
	return c.err == nil
}

// flushFirst sends what was answered inline, which must not wait as well, and tells whether there was any.
func (c *conn) flushFirst() bool {
	k := c.batch.out
	if k == nil || len(k.b) == 0 {
		return false
	}
	c.mu.Unlock()
	c.flushOut()
	c.mu.Lock()
	return true
}

// newCallContext makes the context of a request.
func (c *conn) newCallContext(r *Request) *callContext {
	x := &callContext{c: c, mute: r.OneWay || r.tail == nil}
	if len(r.tail) == 0 {
		return x
	}
	if d, ok := r.tail.Timeout(); ok {
		x.deadline = time.Now().Add(d)
		if n := ticks(d); n < never {
			x.due = c.cfg.clock.now() + n
		}
	}
	for range r.tail.Metadata() { // read when it is asked for: it may take twenty times its bytes
		x.tail = slices.Clone(r.tail)
		break
	}
	x.trace = string(r.tail.Trace())
	return x
}

// context is what t's handler runs under.
func (t *task) context() context.Context {
	if t.ctx != nil {
		return t.ctx
	}
	return &t.c.base
}

// cancel ends t's context.
func (t *task) cancel(reason error) {
	if t.ctx != nil {
		t.ctx.end(reason)
	}
}

var errCancelled = context.Canceled

// work runs the handler. When that ends its goroutine (runtime.Goexit) the request is answered all the same.
func (t *task) work() {
	c, done := t.c, false
	defer func() {
		if done {
			return
		}
		t.err = &Error{Code: remoting.Internal, Text: "internal error"}
		t.cancel(context.Canceled)
		c.mu.Lock()
		c.answered(t)
		c.mu.Unlock()
	}()
	if t.m.stream != nil {
		t.err = c.runStream(t)
	} else {
		var out []byte
		out, t.err = c.run(t.context(), t.m, t.out[:0], &t.r)
		t.keep(out)
	}
	if t.ctx != nil {
		t.settleContext()
	}
	done = true
}

// answered queues the reply of t, and writes it unless there is a worker that is about to.
func (c *conn) answered(t *task) {
	for c.crowded() && c.err == nil {
		c.waitChange()
	}
	if c.cfg.numbered {
		if err := c.send(t); err != nil {
			c.failLocked(err)
		}
	} else {
		t.done = true
		c.sendInOrder()
	}
	if c.err == nil && c.queued() && !c.work.coming {
		c.flush(c.work.running > 0, true)
	}
}

// keep notes the reply. A buffer of the handler's own is not ours to use again; one as large is made for the next time.
func (t *task) keep(out []byte) {
	t.reply = out
	if n := len(out); n > cap(t.out) && n <= keptBuffer {
		t.out = make([]byte, 0, n)
	}
}

// settleContext ends the request's context and takes from it what belongs to the answer.
func (t *task) settleContext() {
	x := t.ctx
	x.replyMu.Lock()
	t.r.reply = append(t.r.reply, x.reply...)
	x.replyMu.Unlock()
	t.c.mu.Lock()
	if x.asked {
		t.err = &Error{Code: remoting.Cancelled, Text: "cancelled"}
	}
	t.c.mu.Unlock()
	x.end(context.Canceled)
}

// send appends the reply of t and ends it. An error is of one that can't be given.
func (c *conn) send(t *task) (err error) {
	c.delist(t)
	t.r.conn, t.r.seq = c, t.seq // whatever the handler has done to the request
	if c.err == nil {
		k := c.buf()
		b, m := c.startReply(k.b, &t.r)
		k.b, err = c.finishReply(b, m, &t.r, t.reply, t.err)
	}
	t.free()
	return err
}

// sendInOrder appends the replies that are next in order. One that can't be given ends the connection, after those before it:
// see written.
func (c *conn) sendInOrder() {
	w, n := c.work, 0
	for w.fault == nil && n < len(w.queue) && w.queue[n].done {
		w.fault = c.send(w.queue[n])
		n++
	}
	w.queue = dropFirst(w.queue, n)
	if w.fault != nil && !c.flushing && !c.queued() {
		c.failLocked(w.fault)
	}
}

// dropFirst takes the first n tasks off a queue, which keeps its memory.
func dropFirst(q []*task, n int) []*task {
	left := copy(q, q[n:])
	clear(q[left:])
	return q[:left]
}
