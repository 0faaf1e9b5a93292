package span

import "sync"

// A counter is a Writer that nobody reads from: it takes the same way through a
// plan as any other and keeps but the number of bytes. So the size of a value is
// by construction the size of what is written.
type counter struct {
	Writer
	state writerState
	buf   [512]byte
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// counter returns a counter with the options of w and as deep as w.
func (w *Writer) counter() *counter {
	c := counters.Get().(*counter)
	c.b, c.x, c.nilAt = c.buf[:0], &c.state, 0
	c.st = w.st&(wSlow|wSeek|^(wOwn-1)) | wFlush | wCount
	if w.x != nil {
		c.state.opts = w.x.opts
	}
	return c
}

// release gives the counter back. Its error stays valid.
func (c *counter) release() {
	aside := c.state.aside[:0]
	c.Writer, c.state = Writer{}, writerState{aside: aside}
	counters.Put(c)
}
