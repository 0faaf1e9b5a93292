package rpc

import "github.com/spanwire/spanwire/rpc/frame"

// batch is what reading needs: the receive buffer, and what was made of the frames of one read. Connections have one while there
// is something to be read or unfinished, out of a pool of their owner.
type batch struct {
	in      *frame.Reader
	skew    int64   // the connection's place in its stream, less that of in
	req     Request // of inline handlers
	out     *buffer // replies of inline handlers
	got     []answer
	headers [][]byte // of those, where they must be those of the requests
	given   int      // how many of them were given to their calls
	async   bool     // some of those are of calls with callbacks
	corked  bool     // what callbacks send is only queued
	stray   error    // why the stream ends behind those
	frames  uint64   // frames, without those of usual requests
	usual   uint64   // usual requests
	charged uint64   // those of them that are charged
	replies int      // other replies in out
	asked   uint64   // other requests
	told    uint64   // one-way messages
	running *method  // what runs on the reader, nil while nothing does
	pledged int64    // what is charged for what that makes
	begun   int      // where in out its reply begins
	cut     int      // bytes of usual frames that in does not know to be taken yet
	unasked bool     // nobody waits for a reply
	over    bool     // nothing more of the stream is handled
	rn      int      // what the read gave
	rerr    error
}

// keptReader is the largest receive buffer that stays with a batch in the pool.
const keptReader = 16 << 10

// attach sees to it that there is a batch.
func (c *conn) attach() *batch {
	if c.read.batch != nil {
		return c.read.batch
	}
	b, ok := c.cfg.batches.Get().(*batch)
	if !ok {
		b = &batch{in: frame.NewReader(c.cfg.codec)}
		if n := c.cfg.lim.ReadBuffer; n > 0 {
			_ = b.in.SetStart(n) // before any data: cannot fail
		}
	}
	b.in.SkipLong(c.skips())
	b.skew = c.read.offset - b.in.Offset()
	c.read.batch = b
	return b
}

// space is where to read to.
func (c *conn) space() []byte { return c.attach().in.Space() }

// detach gives the batch back, unless there is an unfinished frame in it.
func (c *conn) detach() {
	b := c.read.batch
	if b == nil || len(b.in.Pending()) > 0 || b.in.Skip() {
		return
	}
	c.read.batch = nil
	if b.in.Err() != nil || b.over || b.out != nil && len(b.out.b) > 0 || len(b.got) > 0 {
		return // it belongs to a connection that has ended
	}
	c.read.offset = b.in.Offset() + b.skew
	if b.out != nil && cap(b.out.b) > keptBuffer {
		b.out = nil
	}
	if raceEnabled && b.in.Held() > 0 {
		spoil(b.in.Space())
	}
	if b.in.Held() > keptReader || !b.in.Suits() {
		b.in.Release() // its next buffer is as large as this one should have been
	}
	b.req = Request{}
	c.cfg.batches.Put(b)
}

// took lets the receive buffer know of the usual frames that were taken.
func (b *batch) took() {
	b.in.Took(b.cut)
	b.cut = 0
}

// buffer is where replies of this batch are appended to.
func (b *batch) buffer() *buffer {
	if b.out == nil {
		b.out = newBuffer()
	}
	return b.out
}

// progress is how far the stream is.
func (b *batch) progress() frame.Progress {
	p := b.in.Progress()
	p.Start += b.skew
	return p
}

// fault is an error of the receive buffer with its place in the connection's stream.
func (b *batch) fault(err error) error {
	if e, ok := err.(*frame.Error); ok {
		moved := *e
		moved.Offset += b.skew
		return &moved
	}
	return err
}

// unfinished is a frame that has begun to come.
type unfinished struct {
	place frame.Progress
	watch frame.Watch
	held  int64 // bytes of the buffer that it is in
}
