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
		c.waitChange()
	}
	if c.err != nil {
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
	for len(c.work.oneway) > 0 && c.err == nil {
		t := c.work.oneway[0]
		c.work.oneway = dropFirst(c.work.oneway, 1)
		if len(c.work.oneway) == c.cfg.lim.InFlight-1 {
			c.signal()
		}
		c.mu.Unlock()
		if t.m.stream != nil {
			c.streamUnasked(t)
		} else {
			_, _ = c.run(t.context(), t.m, t.out[:0], &t.r) // nobody waits for what it returns
		}
		t.cancel(context.Canceled)
		t.free()
		c.mu.Lock()
	}
	clear(c.work.oneway)
	c.work.oneway, c.work.serial = c.work.oneway[:0], false
	c.signal()
}
