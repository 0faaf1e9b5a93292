package rpc

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/internal/sock"
)

// conn is one connection, of a client or a server: each side may call the other. An idle one is kept small; what it needs only
// while it works is in batch, callSide and workSide.
//
// Whoever has the read side (see role) may use the batch; everything else is guarded by mu. User code never runs under mu, and
// nothing is written under it.
type conn struct {
	mu     sync.Mutex
	cfg    *config
	nc     net.Conn
	sock   sock.Sock // when nc is a socket
	err    error     // why the connection ended
	wakeup chan struct{}

	write writeSide // see conn_queue.go, conn_write.go
	read  readSide  // see conn_read.go
	calls calls     // of this side: see call.go
	work  *workSide // requests of the other side that do not run on the reader, nil before the first: see serve_task.go

	alarm clock.Alarm

	base    connContext
	session Session
	count   counters
	peer    atomic.Uint32 // a peerKind
	born    int32         // the tick when it began
	spent   atomic.Bool   // no new calls are taken
	doomed  atomic.Bool   // the server holds too much, and this connection is to end
	refuses atomic.Bool   // new requests are refused
	stuffed atomic.Bool   // so many replies are not sent that no handler starts: with the envelope only

	onSock   bool // nc is a socket
	soon     bool // the alarm is set for the next tick
	later    bool // it is set for one of the next scanEvery
	entering bool // OnConnect has not let it in yet
	closing  bool // this side shuts down
	shut     bool // it has sent its last frame
	ended    bool // nothing more is read: the peer has closed its side, or broken the protocol
}

// peerKind is what is known of the other side.
type peerKind = uint32

const (
	peerUnknown peerKind = iota
	peerOurs             // it has shown an extension tail
	peerOther
	peerAssumed // as good as NewLife's, until an answer tells: it has not shown who it is
)

// newConn makes the connection and starts its reader.
func newConn(cfg *config, nc net.Conn) *conn {
	c := &conn{cfg: cfg, nc: nc}
	c.openSock(nc)
	c.alarm.Of = c
	c.base.c, c.session.c = c, c
	c.peer.Store(cfg.firstKind())
	c.read.role = readReader
	c.read.fresh = cfg.server && !cfg.foreign
	if !cfg.server {
		c.calls.side = new(callSide)
		c.read.take = make(chan struct{}, 1)
		c.read.leads = cfg.router == nil && (c.onSock || sock.IsTLS(nc))
	}
	cfg.clock.Join()
	c.born = int32(cfg.clock.Now())
	return c
}

// start lets the reader run.
func (c *conn) start() {
	c.mu.Lock()
	if c.cfg.server && c.cfg.lim.FirstByte > 0 { // for OnConnect, and, anew, for the first byte
		c.wakeAt(c.cfg.clock.Now() + clock.Ticks(c.cfg.lim.FirstByte))
	}
	if c.read.take != nil {
		c.read.role = readNobody
		c.release()
	}
	c.mu.Unlock()
	go c.readLoop()
}

// letIn lets frames be read.
func (c *conn) letIn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entering = false
	c.born = int32(c.cfg.clock.Now())
	if c.cfg.lim.FirstByte > 0 {
		c.wakeAt(c.cfg.clock.Now() + clock.Ticks(c.cfg.lim.FirstByte))
	}
	c.signal()
}

// admitted waits until the connection is let in; it is false when it has ended before.
func (c *conn) admitted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.entering && c.err == nil {
		c.waitChange()
	}
	return c.err == nil
}

// addr is the peer's address as text.
func (c *conn) addr() string {
	if a := c.nc.RemoteAddr(); a != nil && a.String() != "" {
		return a.String()
	}
	return "peer"
}

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
	if e, ok := reason.(*ConnError); ok { // of another connection, maybe, and known to others
		copied := *e
		reason = &copied
	} else {
		reason = &ConnError{Peer: c.addr(), Reason: reason}
	}
	c.diedAsked(reason)
	c.err = reason
	c.spent.Store(true)
	if n := c.dropQueue(); n > 0 {
		reason.(*ConnError).Dropped = n
		c.cfg.rare.dropped.Add(uint64(n))
	}
	c.failCalls(reason)
	c.endRequests()
	c.dropUnsent()
	c.account()
	if c.read.take != nil {
		close(c.read.take)
	}
	c.signal()
	if c.work != nil && c.work.parts {
		go c.part()
		return
	}
	var bye []byte
	if c.calls.side != nil {
		bye = c.calls.side.bye
	}
	go c.closeSocket(bye)
}

// closeSocket closes without writing anything, as TLS would. It waits for those who read or write at this moment, who may
// wait for mu: it must not be called under it.
func (c *conn) closeSocket(bye []byte) {
	if bye != nil {
		c.sayBye(bye)
	}
	_ = sock.Under(c.nc).Close() // the connection is over in any case
}

// finish is the reader goroutine's last act.
func (c *conn) finish() {
	c.mu.Lock()
	for c.read.role == readLeader { // it sees the end as well
		c.waitChange()
	}
	c.failLocked(errors.New("rpc: a handler has ended the reader")) // nothing when it has ended
	err := c.err
	c.mu.Unlock()
	c.cfg.clock.Leave(&c.alarm) // nobody sets it any more
	c.failGot(err)
	c.detach()
	c.mu.Lock()
	c.doneReading()
	c.read.role = readOver
	c.signal()
	c.mu.Unlock()
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
