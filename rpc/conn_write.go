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
	in       uint64 // bytes that had come then
	since    int64  // the tick at which progress became what was seen, 0 before the first
}

func (c *conn) crowded() bool { return c.write.backlog() > c.cfg.lim.Backlog }

// flush writes what is queued unless somebody does already. With others the calling goroutine first lets those run that are
// about to append; mayBlock says that it may wait for a connection that is no socket.
func (c *conn) flush(others, mayBlock bool) {
	if c.write.flushing || c.err != nil {
		return
	}
	c.write.flushing = true
	if others {
		c.mu.Unlock()
		runtime.Gosched()
		c.mu.Lock()
	}
	c.push(mayBlock)
}

// push writes until nothing is queued. flushing is set, and was set by the calling goroutine.
func (c *conn) push(mayBlock bool) {
	for c.err == nil && c.write.queued() {
		if !c.onSock && !mayBlock {
			go c.writeLoop()
			return
		}
		k := c.write.next()
		c.write.cur, c.write.writing = k, true
		c.mu.Unlock()
		err := c.attempt(k)
		c.mu.Lock()
		c.write.writing = false
		c.count.bytesOut.Add(uint64(k.done))
		switch {
		case err != nil:
			c.failLocked(err)
		case k.done < len(k.b) && c.err == nil:
			c.account()
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
	c.write.flushing = false
	if c.work != nil && c.work.fault != nil {
		c.failLocked(c.work.fault)
	}
	if c.write.spare != nil && cap(c.write.spare.b) > keptBuffer {
		c.watchLater()
	}
}

// sent ends the writing of a buffer.
func (c *conn) sent(k *buffer) {
	crowded := c.crowded()
	c.write.cur = nil
	if c.err != nil {
		c.settleLimbo(k)
		c.write.replyBytes, c.write.replies = 0, 0
		c.account()
		return
	}
	if !k.part && c.write.spare == nil { // a large one until checkWrite looks
		c.write.spare = k
	}
	c.repliesSent(k)
	switch {
	case k.part:
	case c.write.spare == k:
		k.empty()
	default:
		k.free()
	}
	if crowded && !c.crowded() || c.write.waits {
		c.write.waits = false
		c.signal()
	}
}

// dropUnsent lets go of what nobody will write.
func (c *conn) dropUnsent() {
	c.write.buf, c.write.shelf, c.write.spare, c.write.replyBytes, c.write.replies = nil, nil, nil, 0, 0
	switch k := c.write.cur; {
	case !c.write.writing:
		c.write.cur = nil
	case k != nil: // until it is not used any more
		c.write.replyBytes, c.write.replies = k.replyBytes, int32(k.replies)
	}
}

// attempt writes once without blocking, if that is possible.
func (c *conn) attempt(k *buffer) error {
	if c.onSock {
		return c.writeSock(k)
	}
	c.mu.Lock()
	c.write.stall = new(stall)
	c.watchSoon()
	c.mu.Unlock()
	err := c.writeAll(k)
	c.mu.Lock()
	c.write.stall = nil
	c.mu.Unlock()
	return err
}

// writeLoop is the writer goroutine: it writes what the kernel has refused, and what was queued meanwhile.
func (c *conn) writeLoop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write.stall = new(stall)
	c.watchSoon()
	for c.err == nil {
		if c.write.cur == nil {
			if !c.write.queued() {
				break
			}
			c.write.cur = c.write.next()
		}
		k := c.write.cur
		before := k.done
		c.write.writing = true
		c.mu.Unlock()
		err := c.writeAll(k)
		c.mu.Lock()
		c.write.writing = false
		c.count.bytesOut.Add(uint64(k.done - before))
		if err != nil {
			c.failLocked(err)
		}
		c.sent(k)
	}
	c.write.stall = nil
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
		if c.write.stall != nil {
			c.write.stall.progress++
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
	if (c.work == nil || c.work.running == 0) && (c.calls.tab == nil || c.calls.tab.Len() == 0) { // else more is to be written soon
		if b := c.read.batch; b != nil && b.out == nil && len(b.in.Pending()) == 0 { // the batch takes it along
			b.out, c.write.spare = c.write.spare, nil
		}
		c.write.freeSpare()
		if b := c.read.batch; b != nil && large(b.out) > 0 && len(b.out.b) == 0 {
			b.out = nil
		}
	}
	if !c.write.queued() && c.write.buf != nil {
		c.write.buf.free()
		c.write.buf = nil
	}
	if l := c.seen(); l.known > 0 {
		l.kept = 0
		if b := c.read.batch; b == nil || large(b.out) == 0 {
			l.lent = 0
		}
		c.account()
	}
	c.mu.Unlock()
	c.detach()
}

// spareLater sees to it that the spare buffer is given back where no reader does: when nothing is written until then.
func (c *conn) spareLater() {
	if c.write.spare != nil && !c.write.flushing {
		c.watchLater()
	}
}
