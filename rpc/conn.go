package rpc

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/frame"
)

// conn is one connection, of a client or a server: each side may call the other.
//
// Whoever has the read side (see role) may use in, got, out and req; everything else is guarded by mu. User code never runs
// under mu, and nothing is written under it.
type conn struct {
	mu   sync.Mutex
	cfg  *config
	nc   net.Conn
	raw  *direct // nil when nc is of another kind
	err  error   // why the connection ended
	addr string

	// Writing: see write.go.
	wbuf     *buffer // frames to be written, nil when there are none
	spare    *buffer
	unsent   *buffer // being written when the kernel took no more
	rest     []byte  // what is left of it
	sending  int     // bytes of that buffer
	flushing bool    // somebody writes, or is about to
	blocked  bool    // the writer goroutine waits for the kernel
	progress uint32  // its writes
	seen     uint32  // progress at the tick blockedAt
	since    int64
	room     sync.Cond     // something of this connection ended: a task, a write, all of it
	wakeup   chan struct{} // the same for those that wait under a context; made when needed

	// Reading: see read.go.
	in      *frame.Reader
	got     []answer
	out     *buffer // replies of inline handlers in this batch
	req     Request // of inline handlers
	partial bool    // the last batch ended in a frame
	role    role
	leads   bool          // a lone caller may read
	take    chan struct{} // hands the read side to the reader goroutine; nil when it always has it
	leader  *call         // who reads
	led     bool          // the leader's answer was among those read
	kicked  bool          // a past read deadline ends the leader
	turn    uint32        // counts leaders
	asked   uint64        // requests in this batch
	told    uint64        // one-way messages in this batch

	// Calls of this side: see call.go.
	tab      *table
	waiting  *call // callers that wait for a number, in their order
	waitTail *call
	granted  int           // numbers promised to some of them
	draining error         // why no new calls are taken
	spent    atomic.Bool   // no new calls are taken, for that or because the connection has ended
	ops      uint64        // counts calls
	opsSeen  uint64        // ops when the reader last gave the read side up
	opsTick  uint64        // ops at the last tick
	peer     atomic.Uint32 // a peerKind
	tail     []byte        // memory for extension tails

	// Requests of the other side: see task.go.
	streams   int   // of this side
	tasks     *task // under way
	running   int
	streaming int         // those of them that answer with streams
	queue     []*task     // in the order of their replies, for codecs without numbers
	oneway    []*task     // one-way messages that wait for their turn
	serial    bool        // a goroutine works on them
	closing   bool        // the server shuts down
	refuses   atomic.Bool // new requests are refused
	ended     bool        // no more requests come: the peer has closed its side
	endBy     int64       // tick at which the requests of such a peer are ended

	watch    frame.Watch
	place    frame.Progress
	held     int64
	alarm    alarm
	due      int64 // the tick for which the alarm is set
	soon     bool  // it is set for the next
	scanned  int64
	contexts bool   // some callbacks have a context that can end
	turnSeen uint32 // turn at the last tick
	pinged   uint64 // bytes received when last looked
	pingTick int64
	pings    bool // a ping is under way
	born     int64

	base    connContext
	inner   inlineContext
	session Session
	count   counters
	refused bool          // by OnConnect
	reader  chan struct{} // closed when the reader goroutine has ended
}

// role tells who reads.
type role byte

const (
	readNobody role = iota
	readLeader      // a caller that waits for its own answer
	readReader      // the reader goroutine
)

// peerKind is what is known of the other side.
type peerKind = uint32

const (
	peerUnknown peerKind = iota
	peerOurs             // it has shown an extension tail
	peerOther
)

// newConn makes the connection and starts its reader.
func newConn(cfg *config, nc net.Conn) *conn {
	c := &conn{cfg: cfg, nc: nc, addr: addrOf(nc)}
	c.room.L = &c.mu
	c.in = frame.NewReader(cfg.codec)
	if cfg.lim.ReadBuffer > 0 {
		_ = c.in.SetStart(cfg.lim.ReadBuffer) // before any data: cannot fail
	}
	c.raw = newDirect(nc, c.in.Space, c.idle)
	c.watch = cfg.lim.watch()
	c.alarm.of = c
	c.base.c, c.inner.c, c.session.c = c, c, c
	c.reader = make(chan struct{})
	c.role = readReader
	if !cfg.server {
		c.take = make(chan struct{}, 1)
		c.leads = cfg.router == nil && (c.raw != nil || isTLS(nc))
	}
	cfg.clock.join()
	c.born = cfg.clock.now()
	return c
}

// start lets the reader run.
func (c *conn) start() {
	c.mu.Lock()
	if c.cfg.server && c.cfg.lim.FirstByte > 0 {
		c.wakeAt(c.born + ticks(c.cfg.lim.FirstByte))
	}
	if c.take != nil {
		c.role = readNobody
		c.release()
	}
	c.mu.Unlock()
	go c.readLoop()
}

func addrOf(nc net.Conn) string {
	if a := nc.RemoteAddr(); a != nil && a.String() != "" {
		return a.String()
	}
	return "peer"
}

func isTLS(nc net.Conn) bool { _, ok := nc.(*tls.Conn); return ok }

// fail ends the connection: every call that waits gets the reason, the socket is closed.
func (c *conn) fail(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failLocked(reason)
}

func (c *conn) failLocked(reason error) {
	if c.err != nil {
		return
	}
	if _, ok := reason.(*ConnError); !ok {
		reason = &ConnError{Peer: c.addr, Reason: reason}
	}
	c.err = reason
	c.spent.Store(true)
	if c.held != 0 && c.cfg.bytesHeld != nil {
		c.cfg.bytesHeld.Add(-c.held)
	}
	c.held = 0
	c.failCalls(reason)
	c.endRequests()
	if c.take != nil {
		close(c.take)
	}
	c.signal()
	go c.closeSocket()
}

// closeSocket closes without writing anything, as TLS would. It waits for those who read or write at this moment, who may
// wait for mu: it must not be called under it.
func (c *conn) closeSocket() {
	nc := c.nc
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	_ = nc.Close() // the connection is over in any case
}

// finish is the reader goroutine's last act.
func (c *conn) finish() {
	c.cfg.clock.leave(&c.alarm)
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	c.in.Release()
	if c.cfg.closed != nil {
		c.cfg.closed(c, err)
	}
	close(c.reader)
}

// signal wakes everybody who waits for something of this connection to end.
func (c *conn) signal() {
	c.room.Broadcast()
	if c.wakeup != nil {
		close(c.wakeup)
		c.wakeup = nil
	}
}

// change returns a channel that is closed by the next signal.
func (c *conn) change() <-chan struct{} {
	if c.wakeup == nil {
		c.wakeup = make(chan struct{})
	}
	return c.wakeup
}

// await waits for the next signal, or until ctx ends. mu is held before and after.
func (c *conn) await(ctx context.Context) error {
	ch := c.change()
	c.mu.Unlock()
	defer c.mu.Lock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
