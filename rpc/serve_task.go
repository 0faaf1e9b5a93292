package rpc

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// task is a request, or a one-way message, that does not run on the reader.
type task struct {
	c       *conn
	m       *method
	r       Request
	buf     []byte // what r points into
	out     []byte // for the reply
	reply   []byte // which may be somewhere else
	shell   []byte // what stands around the reply, where that is sent as it is
	front   int    // how much of it before
	err     error
	ctx     *callContext
	credit  int64 // of a stream
	cost    int64 // what it is charged
	extra   int64 // what it takes beside that
	pledged int64 // what is charged for its copy until it is held, then for its reply until that is queued
	begun   bool  // by a worker
	own     bool  // r points into a buffer that the reader has left to it
	done    bool  // waits for its place in the order of replies
	seq     byte  // of the request
	prev    *task // in the order in which they came
	next    *task
}

var tasks = sync.Pool{}

// taskSize is what a task and its context take.
const taskSize = 640

// workSide is what requests need that do not run on the reader.
type workSide struct {
	list      taskList // requests that are held
	turn      *task    // the first of them that has not begun, nil when all have
	count     int      // all of them
	running   int      // those that have begun
	coming    bool     // a worker that takes the next of them has been started
	start     func()   // worker, as a value that exists once
	streaming int      // those of them that answer with streams
	oneway    taskList // one-way messages that wait for their turn
	serial    bool     // a goroutine works on them
	told      *task    // the one that runs
	held      int64    // what all of these are charged
	extra     int64    // what they take beside that: the server is to know of it
	stopped   bool     // the reader waits until less is held
	stoppedAt int64    // size of the buffer that it waits with
	aliveAt   int64    // tick at which the peer is told that this side lives
	direct    int      // bytes that the reader has answered while too many replies were not sent
	parts     bool     // what was sent is to arrive although the connection ends
	fault     error    // why a reply could not be given where they have an order: the end, behind those before it
	end       error    // why reading has ended while there was more to do
	endBy     int64    // tick at which what is left to do then is ended
}

// taskList is tasks in the order in which they came.
type taskList struct{ first, last *task }

func (l *taskList) add(t *task) {
	if t.prev = l.last; t.prev == nil {
		l.first = t
	} else {
		t.prev.next = t
	}
	l.last = t
}

func (l *taskList) remove(t *task) {
	if t.prev == nil {
		l.first = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		l.last = t.prev
	} else {
		t.next.prev = t.prev
	}
	t.prev, t.next = nil, nil
}

// works returns the work side.
func (c *conn) works() *workSide {
	if c.work == nil {
		c.work = &workSide{start: c.worker}
	}
	return c.work
}

// newTask is the task of a request, which keeps the buffer that it was read to when that is its own.
func newTask(c *conn, m *method, r *Request, own bool) *task {
	t, _ := tasks.Get().(*task)
	if t == nil {
		t = &task{buf: []byte{}} // not nil: a body without bytes is one
	}
	n := r.size()
	t.c, t.m, t.r, t.credit, t.seq, t.cost = c, m, *r, creditWindow, r.seq, int64(n)+messageCost
	if t.own = own; own {
		return t
	}
	b := append(slices.Grow(t.buf[:0], n), r.Body...)
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
	if t == nil {
		return
	}
	buf, out := t.buf, t.out
	if cap(buf) > keptBuffer { // it may be the reply, which is not written yet
		buf = []byte{}
	}
	if cap(out) > keptBuffer {
		out = nil
	}
	if max(cap(buf), cap(out)) >= chargeStep && t.c.pressed() { // nobody is charged for what a pool keeps
		return
	}
	spoil(buf)
	spoil(out)
	*t = task{buf: buf[:0], out: out[:0]}
	tasks.Put(t)
}

// size is how many bytes of a request are kept.
func (r *Request) size() int { return len(r.Body) + len(r.wire) + len(r.tail) + len(r.Header) }

// spawn lets a request run beside all others. At the limit it is parked, or refused where this side has calls under way itself.
func (c *conn) spawn(m *method, r *Request) {
	if c.refusing(r) {
		return
	}
	t := c.taskOf(m, r)
	c.mu.Lock()
	if t == nil || m.stream != nil && c.works().streaming >= c.cfg.lim.Streams || !c.holds(r) {
		dead := c.dead()
		c.mu.Unlock()
		t.discard()
		if !dead {
			c.cfg.rare.busy.Add(1)
			r.refusal = remoting.NotBegun
			c.refuseNow(r, errTooMany)
		}
		return
	}
	c.enlist(t)
	c.summon()
	c.mu.Unlock()
}

// summon sees to it that there is a worker for the first request that has not begun, if that may begin.
func (c *conn) summon() {
	if w := c.work; !w.coming && c.mayBegin() {
		w.coming = true
		go w.start()
	}
}

// mayBegin tells whether there is a request that may begin now.
func (c *conn) mayBegin() bool {
	w := c.work
	return w.turn != nil && w.running < c.cfg.lim.InFlight && c.write.replyBytes <= c.cfg.lim.Backlog && !c.dead() && c.spared()
}

// A worker runs requests one after another until all have begun. No request waits for another: whoever takes one while more are
// there has summoned the next worker before. But handlers that are done quickly leave nothing for it to do, and many of them
// need few goroutines.
func (c *conn) worker() {
	c.mu.Lock()
	w := c.work
	w.coming = false
	if c.write.queued() { // what was answered by a worker that went on
		c.flush(false, false)
	}
	for c.mayBegin() {
		t := w.turn
		w.turn, t.begun = t.next, true
		w.running++
		t.expect()
		c.summon()
		c.mu.Unlock()
		t.work()
		c.mu.Lock()
		c.replied(t)
	}
	c.spareLater()
	c.mu.Unlock()
}

// enlist holds a request.
func (c *conn) enlist(t *task) {
	w := c.work
	w.list.add(t)
	if w.turn == nil {
		w.turn = t
	}
	w.count++
	if t.m.stream != nil {
		w.streaming++
	}
	if t.ctx != nil && t.ctx.due != 0 {
		c.wakeAt(t.ctx.due)
	}
	c.hold(t)
}

// hold charges t, which may have been charged while it was copied, or read to the buffer that is its own now.
func (c *conn) hold(t *task) {
	size := taskSize + int64(cap(t.buf)+cap(t.out))
	if t.own {
		size += t.cost - messageCost
	}
	t.extra = max(size-t.cost, 0)
	c.work.held += t.cost
	c.work.extra += t.extra
	if t.pledged > 0 {
		c.noted().known += t.pledged
		t.pledged = 0
	}
	if l := c.seen(); t.own && l != &noLoad {
		l.kept = 0
	}
	if t.own && c.read.late != nil {
		c.read.late.held = 0
	}
	c.account()
}

func (c *conn) delist(t *task) {
	w := c.work
	if w.turn == t {
		w.turn = t.next
	}
	w.list.remove(t)
	w.count--
	if t.begun {
		w.running--
	}
	if t.m.stream != nil {
		w.streaming--
	}
	c.unhold(t)
	if c.ended || c.closing {
		c.signal()
	}
}

// unhold takes the charge of t back.
func (c *conn) unhold(t *task) {
	w := c.work
	w.held -= t.cost
	w.extra -= t.extra
	if w.stopped {
		c.signal()
	}
	c.account()
}

// taskOf makes a task of a message, without the lock: who makes something large may have to wait for the garbage collector. A large message
// keeps the buffer that it was read to, or is charged before it is copied. It is nil when it may not be held.
func (c *conn) taskOf(m *method, r *Request) *task {
	n := int64(r.size())
	if n < ownBuffer {
		return c.withContext(newTask(c, m, r, false))
	}
	c.mu.Lock()
	ok := c.holds(r)
	c.mu.Unlock()
	switch {
	case !ok:
		return nil
	case c.read.batch.in.Keep(int(n)):
		return c.withContext(newTask(c, m, r, true))
	}
	if c.pledge(n); !c.pace(n) {
		c.pledge(-n)
		return nil
	}
	t := newTask(c, m, r, false)
	t.pledged = n
	return c.withContext(t)
}

// discard frees a task that is not held.
func (t *task) discard() {
	if t == nil {
		return
	}
	t.c.pledge(-t.pledged)
	t.free()
}

func (c *conn) withContext(t *task) *task {
	if c.cfg.envelope {
		t.ctx = c.newCallContext(&t.r)
	}
	return t
}

// newCallContext makes the context of a request.
func (c *conn) newCallContext(r *Request) *callContext {
	x := &callContext{c: c, mute: r.OneWay || r.tail == nil}
	if len(r.tail) == 0 {
		return x
	}
	if d, ok := r.tail.Timeout(); ok {
		x.deadline = time.Now().Add(d)
		if n := clock.Ticks(d); n < clock.Never {
			x.due = c.cfg.clock.Now() + n
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
		t.ctx.End(reason)
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
		c.pledge(-t.pledged)
		t.pledged = 0
		c.mu.Lock()
		c.replied(t)
		c.summon() // this worker ends
		c.mu.Unlock()
	}()
	switch {
	case !c.pace(t.pledged): // maybe for what its reply would be
		c.fail(errShed)
	case t.m.stream != nil:
		t.err = c.runStream(t)
	case t.m.h != nil:
		var out []byte
		out, t.err = c.run(t.context(), t.m, t.out[:0], &t.r)
		t.keep(out)
	}
	large := t.pledgeLarge()
	if t.ctx != nil {
		t.settleContext()
	}
	if large && t.err == nil {
		t.around()
	}
	done = true
}

// appendReply appends the reply to k.
func (t *task) appendReply(k *buffer) (err error) {
	t.r.conn, t.r.seq = t.c, t.seq // whatever the handler has done to the request
	b, m := t.c.startReply(k.b, &t.r)
	k.b, err = t.c.finishReply(b, m, &t.r, t.reply, t.err)
	return err
}

// replied queues the reply of t, which waits for nothing, and writes it unless there is a worker that is about to.
func (c *conn) replied(t *task) {
	if c.cfg.numbered || c.err != nil {
		if err := c.send(t); err != nil {
			c.failLocked(err)
		}
	} else {
		t.done = true
		c.sendInOrder()
	}
	if !c.onSock { // the next may begin while this is written
		c.summon()
	}
	if c.err == nil && c.write.queued() && !c.work.coming {
		c.flush(c.work.running > 0, true)
	}
}

// keep notes the reply. A buffer of the handler's own is not ours to use again; one as large is made for the next time.
func (t *task) keep(out []byte) {
	t.reply = out
	if n := len(out); n > cap(t.out) && n <= keptBuffer && !t.c.pressed() {
		t.out = make([]byte, 0, n)
	}
}

// settleContext ends the request's context and takes from it what belongs to the reply.
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
	x.End(context.Canceled)
}

// send appends the reply of t and ends it. An error is of one that can't be given.
func (c *conn) send(t *task) (err error) {
	switch {
	case c.err != nil:
	case t.shell != nil:
		c.sendLarge(t)
	default:
		k := c.write.open()
		n := len(k.b)
		if n >= ownBuffer && n+len(t.reply) > cap(k.b) && c.pressed() { // growing would leave as much again to be collected
			c.write.shelve()
			k, n = c.write.open(), 0
		}
		err = t.appendReply(k)
		c.addReplies(k, len(k.b)-n, 1)
	}
	c.delist(t)
	if t.pledged > 0 { // it is charged with what is queued, or gone
		c.pledge(-t.pledged)
		c.noted().large.Add(-t.pledged)
	}
	t.free()
	return err
}

// sendInOrder appends the replies that are next in order. One that can't be given ends the connection, after those before it:
// see written.
func (c *conn) sendInOrder() {
	w := c.work
	for t := w.list.first; t != nil && t.done && w.fault == nil; t = w.list.first {
		w.fault = c.send(t)
	}
	if w.fault != nil && !c.write.flushing && !c.write.queued() {
		c.failLocked(w.fault)
	}
}
