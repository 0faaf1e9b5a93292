package rpc

import (
	"net"

	"github.com/spanwire/spanwire/rpc/internal/sock"
)

// Sockets are read and written without blocking: an idle connection has no memory to read to, and who writes leaves what the kernel
// refuses to a goroutine of its own. Connections of other kinds are read and written as they stand.

// openSock takes nc, if that is a socket.
func (c *conn) openSock(nc net.Conn) {
	if c.onSock = c.sock.Open(nc); c.onSock {
		c.sock.TryRead, c.sock.TryWrite = c.tryRead, c.tryWrite
	}
}

// tryRead reads what is there. When nothing is, the connection is idle and gives up its batch; woken without one the reader
// goroutine leaves the reading to who gets one, on a stack that is less deep. A leader's request is sent here: behind the
// point from which on the poller notes what comes, so that there is no need to look for an answer before one can be there.
func (c *conn) tryRead(fd uintptr) bool {
	if c.sendLed() {
		return false
	}
	b := c.read.batch
	if b == nil {
		if !c.read.leads || !c.leading() {
			return true
		}
		b = c.attach()
	}
	n, ok, err := sock.Read(fd, b.in.Space())
	if !ok {
		c.idle()
		return false
	}
	b.rn, b.rerr = n, err
	return true
}

// readSock waits for data and reads it to where space says.
func (c *conn) readSock() (int, error) {
	for {
		if !c.read.leads || !c.leading() {
			c.attach()
		}
		if err := c.sock.Read(); err != nil {
			c.sendLed() // in case there was not even an attempt to read
			return 0, err
		}
		if b := c.read.batch; b != nil {
			return b.rn, b.rerr
		}
	}
}

func (c *conn) tryWrite(fd uintptr) bool {
	k := c.write.tries
	n, err := sock.Write(fd, k.b[k.done:])
	k.done += n
	k.err = err
	return true
}

// writeSock makes one attempt; k.done tells how many bytes the kernel has taken.
func (c *conn) writeSock(k *buffer) error {
	c.write.tries, k.err = k, nil
	err := c.sock.Write()
	c.write.tries = nil
	if err != nil {
		return err
	}
	return k.err
}
