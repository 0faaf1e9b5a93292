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

// buf returns the buffer to append frames to.
func (c *conn) buf() *buffer {
	if c.wbuf != nil && len(c.wbuf.b) >= bufferFull {
		c.shelve()
	}
	if c.wbuf == nil {
		if c.wbuf = c.spare; c.wbuf != nil {
			c.spare = nil
		} else {
			c.wbuf = newBuffer()
		}
	}
	return c.wbuf
}

// shelf is buffers that are full: what waits for the peer is not copied whenever more comes.
type shelf struct {
	full  []*buffer
	bytes int
}

// shelve puts the buffer that frames are appended to behind the full ones.
func (c *conn) shelve() {
	if c.shelf == nil {
		c.shelf = new(shelf)
	}
	c.shelf.full = append(c.shelf.full, c.wbuf)
	c.shelf.bytes += len(c.wbuf.b)
	c.wbuf = nil
}

// link queues a buffer of whole frames.
func (c *conn) link(k *buffer) {
	if c.wbuf != nil {
		if len(c.wbuf.b) > 0 {
			c.shelve()
		} else {
			c.wbuf.free()
		}
	}
	c.wbuf = k
}

// next takes the buffer that is to be written next.
func (c *conn) next() (k *buffer) {
	if s := c.shelf; s == nil {
		k, c.wbuf = c.wbuf, nil
	} else {
		k, s.full[0] = s.full[0], nil
		s.bytes -= len(k.b)
		if s.full = s.full[1:]; len(s.full) == 0 {
			c.shelf = nil
		}
	}
	return k
}

// queued tells whether there are frames to write.
func (c *conn) queued() bool { return c.wbuf != nil && len(c.wbuf.b) > 0 || c.shelf != nil }

// backlog is how many bytes wait for the peer.
func (c *conn) backlog() int {
	n := 0
	if c.cur != nil {
		n = len(c.cur.b)
	}
	if c.wbuf != nil {
		n += len(c.wbuf.b)
	}
	if c.shelf != nil {
		n += c.shelf.bytes
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
	for c.err == nil && c.queued() {
		if !c.onSock && !mayBlock {
			go c.writeLoop()
			return
		}
		k := c.next()
		c.cur, c.writing = k, true
		c.mu.Unlock()
		err := c.attempt(k)
		c.mu.Lock()
		c.writing = false
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
	c.cur = nil
	if c.err != nil {
		c.settleLimbo(k)
		c.replies, c.answers = 0, 0
		c.account()
		return
	}
	if !k.part && c.spare == nil { // a large one until checkWrite looks
		c.spare = k
	}
	c.answersSent(k)
	switch {
	case k.part:
	case c.spare == k:
		k.empty()
	default:
		k.free()
	}
	if crowded && !c.crowded() || c.waits {
		c.waits = false
		c.signal()
	}
}

// dropUnsent lets go of what nobody will write.
func (c *conn) dropUnsent() {
	c.wbuf, c.shelf, c.spare, c.replies, c.answers = nil, nil, nil, 0, 0
	switch k := c.cur; {
	case !c.writing:
		c.cur = nil
	case k != nil: // until it is not used any more
		c.replies, c.answers = k.replies, int32(k.answers)
	}
}

// attempt writes once without blocking, if that is possible.
func (c *conn) attempt(k *buffer) error {
	if c.onSock {
		return c.writeSock(k)
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
		if c.cur == nil {
			if !c.queued() {
				break
			}
			c.cur = c.next()
		}
		k := c.cur
		before := k.done
		c.writing = true
		c.mu.Unlock()
		err := c.writeAll(k)
		c.mu.Lock()
		c.writing = false
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
	if (c.work == nil || c.work.running == 0) && (c.tab == nil || c.tab.Len() == 0) { // else more is to be written soon
		if b := c.batch; b != nil && b.out == nil && len(b.in.Pending()) == 0 { // the batch takes it along
			b.out, c.spare = c.spare, nil
		}
		c.freeSpare()
		if b := c.batch; b != nil && large(b.out) > 0 && len(b.out.b) == 0 {
			b.out = nil
		}
	}
	if !c.queued() && c.wbuf != nil {
		c.wbuf.free()
		c.wbuf = nil
	}
	if l := c.seen(); l.known > 0 {
		l.kept = 0
		if b := c.batch; b == nil || large(b.out) == 0 {
			l.lent = 0
		}
		c.account()
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
