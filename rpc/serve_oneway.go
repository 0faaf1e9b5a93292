package rpc

import "context"

// busyOneWay tells whether one-way messages wait for their turn.
func (c *conn) busyOneWay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.work != nil && c.work.serial
}

// spawnOneWay lets a one-way message run when those before it have.
func (c *conn) spawnOneWay(m *method, r *Request) {
	if m.stream != nil && r.tail != nil { // a peer of ours would take the items for answers of whoever has the number then
		c.drop(r, "asks for a stream")
		return
	}
	t := c.taskOf(m, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if t == nil || !c.holds(r) {
		t.discard()
		if !c.dead() { // it can be neither kept nor refused
			if c.cfg.failed != nil {
				go c.cfg.failed(c, ErrOverload)
			}
			c.failLocked(ErrOverload)
		}
		return
	}
	w := c.work
	w.oneway.add(t)
	c.hold(t)
	if !w.serial {
		w.serial = true
		go c.runOneWay()
	}
}

// runOneWay runs one-way messages one after another.
func (c *conn) runOneWay() {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.work
	for t := w.oneway.first; t != nil && c.err == nil; t = w.oneway.first {
		w.oneway.remove(t)
		w.told = t
		if t.ctx != nil && t.ctx.due != 0 {
			c.wakeAt(t.ctx.due)
		}
		if c.base.Err() != nil {
			t.cancel(context.Canceled)
		}
		c.mu.Unlock()
		c.runTold(t)
	}
	w.serial = false
	c.signal()
}

// runTold runs a one-way message, and leaves with the lock held. When the handler ends its goroutine (runtime.Goexit) another
// goes on with what is left.
func (c *conn) runTold(t *task) {
	done := false
	defer func() {
		t.cancel(context.Canceled)
		c.mu.Lock()
		c.work.told = nil
		c.unhold(t)
		t.free()
		if !done {
			go c.runOneWay()
		}
	}()
	if t.m.stream != nil {
		c.streamUnasked(t)
	} else {
		_, _ = c.run(t.context(), t.m, t.out[:0], &t.r) // nobody waits for what it returns
	}
	done = true
}

// dropQueue lets go of what has come and not begun, and tells how many one-way messages there were: requests have a caller that
// learns of the end. The pool of tasks gets none of them: there may be many, and nobody is charged for what it keeps.
func (c *conn) dropQueue() (told int) {
	w := c.work
	if w == nil {
		return 0
	}
	for t := w.list.first; t != nil; {
		next := t.next
		if !t.begun || t.done {
			c.delist(t)
		}
		t = next
	}
	for t := w.oneway.first; t != nil; t = w.oneway.first {
		w.oneway.remove(t)
		c.unhold(t)
		told++
	}
	return told
}
