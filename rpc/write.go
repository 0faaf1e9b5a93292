package rpc

import (
	"errors"
	"io"
	"runtime"
)

// Frames are appended to one buffer while another is being written. Whoever appends and finds that nobody writes does so: one
// attempt that cannot block, on sockets. What the kernel refuses goes to a writer goroutine, the only one that waits for the
// peer; it ends when nothing is left. Readers never wait for a writer.

// stall is a write that may wait for the peer.
type stall struct {
	progress uint32 // counts pieces that were taken
	seen     uint32
	since    int64 // the tick at which progress became what was seen, 0 before the first
}

// buf returns the buffer to append frames to.
func (c *conn) buf() *buffer {
	if c.wbuf == nil {
		if c.wbuf = c.spare; c.wbuf != nil {
			c.spare = nil
		} else {
			c.wbuf = newBuffer()
		}
	}
	return c.wbuf
}

// queued tells whether there are frames to write.
func (c *conn) queued() bool { return c.wbuf != nil && len(c.wbuf.b) > 0 }

// backlog is how many bytes wait for the peer.
func (c *conn) backlog() int {
	n := c.sending
	if c.wbuf != nil {
		n += len(c.wbuf.b)
	}
	return n
}

func (c *conn) crowded() bool { return c.backlog() > c.cfg.lim.Backlog }

// flush writes what is queued unless somebody does already. With others the calling goroutine first lets those run that are
// about to append; mayBlock says that it may wait for a connection that is no socket.
func (c *conn) flush(others, mayBlock bool) {
	if c.flushing || c.err != nil {
		return
	}
	c.flushing = true
	if others {
		c.mu.Unlock()
		runtime.Gosched()
		c.mu.Lock()
	}
	c.push(mayBlock)
}

// push writes until nothing is queued. flushing is set, and was set by the calling goroutine.
func (c *conn) push(mayBlock bool) {
	for c.err == nil && !c.shut && c.queued() {
		if !c.raw && !mayBlock {
			go c.writeLoop()
			return
		}
		k := c.wbuf
		c.wbuf = nil
		c.sending = len(k.b)
		c.mu.Unlock()
		err := c.attempt(k)
		c.mu.Lock()
		c.count.bytesOut.Add(uint64(k.done))
		switch {
		case err != nil:
			c.failLocked(err)
		case k.done < len(k.b):
			c.unsent = k
			go c.writeLoop()
			return
		}
		c.sent(k)
	}
	c.written()
	if c.ended || c.closing {
		c.signal()
	}
}

// written notes that nothing is left to be written.
func (c *conn) written() {
	c.flushing = false
	if c.work != nil && c.work.fault != nil {
		c.failLocked(c.work.fault)
	}
	if c.spare != nil && cap(c.spare.b) > keptBuffer {
		c.watchLater()
	}
}

// sent ends the writing of a buffer.
func (c *conn) sent(k *buffer) {
	crowded := c.crowded()
	c.sending = 0
	if c.spare == nil { // a large one until checkWrite looks
		k.b, k.done = k.b[:0], 0
		c.spare = k
	} else {
		k.free()
	}
	if crowded && !c.crowded() || c.waits {
		c.waits = false
		c.signal()
	}
}

// attempt writes once without blocking, if that is possible.
func (c *conn) attempt(k *buffer) error {
	if c.raw {
		return c.direct.write(k)
	}
	c.mu.Lock()
	c.stall = new(stall)
	c.watchSoon()
	c.mu.Unlock()
	err := c.writeAll(k)
	c.mu.Lock()
	c.stall = nil
	c.mu.Unlock()
	return err
}

// writeLoop is the writer goroutine: it writes what the kernel has refused, and what was queued meanwhile.
func (c *conn) writeLoop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stall = new(stall)
	c.watchSoon()
	for c.err == nil {
		k := c.unsent
		c.unsent = nil
		if k == nil {
			if !c.queued() {
				break
			}
			k, c.wbuf = c.wbuf, nil
			c.sending = len(k.b)
		}
		before := k.done
		c.mu.Unlock()
		err := c.writeAll(k)
		c.mu.Lock()
		c.count.bytesOut.Add(uint64(k.done - before))
		if err != nil {
			c.failLocked(err)
		}
		c.sent(k)
	}
	c.stall = nil
	c.written()
	c.signal()
}

// writeAll writes k in pieces: each must be taken within WriteTimeout, which the clock sees to.
func (c *conn) writeAll(k *buffer) error {
	for k.done < len(k.b) {
		p := k.b[k.done:]
		n, err := c.nc.Write(p[:min(len(p), writeChunk)])
		if n < 0 || n > len(p) {
			return errors.New("rpc: invalid count from Write")
		}
		k.done += n
		c.mu.Lock()
		if c.stall != nil {
			c.stall.progress++
		}
		c.mu.Unlock()
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrShortWrite
		}
	}
	return nil
}

// idle gives back what an idle connection does not need. It is called by whoever reads, before waiting for data.
func (c *conn) idle() {
	c.mu.Lock()
	if (c.work == nil || c.work.running == 0) && (c.tab == nil || c.tab.n == 0) { // else more is to be written soon
		if b := c.batch; b != nil && b.out == nil && len(b.in.Pending()) == 0 { // the batch takes it along
			b.out, c.spare = c.spare, nil
		}
		c.freeSpare()
	}
	if !c.queued() && c.wbuf != nil {
		c.wbuf.free()
		c.wbuf = nil
	}
	c.mu.Unlock()
	c.detach()
}

// freeSpare gives the buffer back that is kept for what is queued next.
func (c *conn) freeSpare() {
	if c.spare != nil {
		c.spare.free()
		c.spare = nil
	}
}

// spareLater sees to it that the spare buffer is given back where no reader does: when nothing is written until then.
func (c *conn) spareLater() {
	if c.spare != nil && !c.flushing {
		c.watchLater()
	}
}
