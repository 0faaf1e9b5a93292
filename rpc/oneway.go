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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.works()
	for len(c.work.oneway) >= c.cfg.lim.InFlight && c.err == nil {
		if c.tab != nil && c.tab.n > 0 {
			c.cfg.rare.dropped.Add(1)
			return
		}
		if !c.flushFirst() {
			c.waitChange()
		}
	}
	if c.err != nil {
		return
	}
	if m.stream != nil && r.tail != nil { // a peer of ours would take the items for answers of whoever has the number then
		c.cfg.rare.dropped.Add(1)
		return
	}
	t := newTask(c, m, r)
	if c.cfg.envelope {
		t.ctx = c.newCallContext(r)
	}
	c.work.oneway = append(c.work.oneway, t)
	if !c.work.serial {
		c.work.serial = true
		go c.runOneWay()
	}
}

// runOneWay runs one-way messages one after another.
func (c *conn) runOneWay() {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.work
	for len(w.oneway) > 0 && c.err == nil {
		t := w.oneway[0]
		w.oneway = dropFirst(w.oneway, 1)
		if len(w.oneway) == c.cfg.lim.InFlight-1 {
			c.signal()
		}
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
	clear(w.oneway)
	w.oneway, w.serial = w.oneway[:0], false
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
