package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// conn is one connection, of a client or a server: each side may call the other. An idle one is kept small; what it needs only
// while it works is in batch, callSide and workSide.
//
// Whoever has the read side (see role) may use batch; everything else is guarded by mu. User code never runs under mu, and
// nothing is written under it.
type conn struct {
	mu     sync.Mutex
	cfg    *config
	nc     net.Conn
	direct direct // when nc is a socket
	err    error  // why the connection ended
	wakeup chan struct{}

	// Writing: see write.go.
	wbuf    *buffer // frames to be written, nil when there are none
	spare   *buffer
	unsent  *buffer // what the kernel has not taken yet
	sending int     // bytes that are being written
	stall   *stall  // of the writer goroutine, nil when it does not wait

	// Reading: see read.go.
	batch  *batch
	offset int64         // bytes read while there was another batch
	late   *unfinished   // nil between frames
	take   chan struct{} // hands the read side to the reader goroutine; nil when it always has it

	side *callSide // calls of this side, nil before the first: see call.go
	tab  *table    // those under way
	ops  uint64    // counts them
	work *workSide // requests of the other side that do not run on the reader, nil before the first: see task.go

	alarm alarm

	base     connContext
	session  Session
	count    counters
	peer     atomic.Uint32 // a peerKind
	born     int32         // the tick when it began
	spent    atomic.Bool   // no new calls are taken
	handling atomic.Bool   // frames of a read are being handled, or their answers not queued yet
	refuses  atomic.Bool   // new requests are refused

	raw      bool // nc is a socket
	flushing bool // somebody writes, or is about to
	corked   bool // callbacks run: what they send is only queued
	waits    bool // somebody waits for what is being written
	role     role
	leads    bool // a lone caller may read
	kicked   bool // a past read deadline ends the leader
	fresh    bool // nothing but the beginning of another protocol's opening was read
	soon     bool // the alarm is set for the next tick
	later    bool // it is set for one of the next scanEvery
	closing  bool // the server shuts down
	shut     bool // it has closed its side: nothing more is written
	ended    bool // the peer has closed its side
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
	c := &conn{cfg: cfg, nc: nc}
	c.raw = c.direct.init(c, nc)
	c.alarm.of = c
	c.base.c, c.session.c = c, c
	c.role = readReader
	c.fresh = cfg.server && !cfg.foreign
	if !cfg.server {
		c.side = new(callSide)
		c.take = make(chan struct{}, 1)
		c.leads = cfg.router == nil && (c.raw || isTLS(nc))
	}
	cfg.clock.join()
	c.born = int32(cfg.clock.now())
	return c
}

// start lets the reader run.
func (c *conn) start() {
	c.mu.Lock()
	if c.cfg.server && c.cfg.lim.FirstByte > 0 {
		c.wakeAt(int64(c.born) + ticks(c.cfg.lim.FirstByte))
	}
	if c.take != nil {
		c.role = readNobody
		c.release()
	}
	c.mu.Unlock()
	go c.readLoop()
}

// addr is the peer's address as text.
func (c *conn) addr() string {
	if a := c.nc.RemoteAddr(); a != nil && a.String() != "" {
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
		reason = &ConnError{Peer: c.addr(), Reason: reason}
	}
	c.err = reason
	c.spent.Store(true)
	if n := c.held(); n != 0 && c.cfg.bytesHeld != nil {
		c.cfg.bytesHeld.Add(-n)
		c.late.held = 0
	}
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
	c.mu.Lock()
	for c.role == readLeader { // it sees the end as well
		c.waitChange()
	}
	c.failLocked(errors.New("rpc: a handler has ended the reader")) // nothing when it has ended
	err := c.err
	c.mu.Unlock()
	c.cfg.clock.leave(&c.alarm) // nobody sets it any more
	c.failGot(err)
	c.detach()
	if c.cfg.closed != nil {
		c.cfg.closed(c, err)
	}
}

// signal wakes everybody who waits for something of this connection to end: a task, a write, all of it.
func (c *conn) signal() {
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

// waitChange waits for the next signal. mu is held before and after.
func (c *conn) waitChange() {
	ch := c.change()
	c.mu.Unlock()
	<-ch
	c.mu.Lock()
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
