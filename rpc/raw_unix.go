//go:build unix

package rpc

import (
	"io"
	"net"
	"os"
	"syscall"
)

// direct reads and writes a tcp or unix connection without blocking: reading takes a buffer only when there is something to
// read, and writing tells what the kernel refuses. One goroutine at a time may read, one write.
type direct struct {
	rc      syscall.RawConn
	readFn  func(fd uintptr) bool
	writeFn func(fd uintptr) bool
	cur     *buffer // what to write
}

// init is false for connections of other kinds, also those that wrap one of these.
func (d *direct) init(c *conn, nc net.Conn) bool {
	var sc syscall.Conn
	switch c := nc.(type) {
	case *net.TCPConn:
		sc = c
	case *net.UnixConn:
		sc = c
	default:
		return false
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	d.rc, d.readFn, d.writeFn = rc, c.tryRead, d.tryWrite
	return true
}

// tryRead reads what is there. When nothing is, the connection is idle and gives up its batch; woken without one the reader
// goroutine leaves the reading to who gets one, on a stack that is less deep. A leader's request is sent here: behind the
// point from which on the poller notes what comes, so that there is no need to look for an answer before one can be there.
func (c *conn) tryRead(fd uintptr) bool {
	if c.sendLed() {
		return false
	}
	b := c.batch
	if b == nil {
		if !c.leads || !c.leading() {
			return true
		}
		b = c.attach()
	}
	for {
		n, err := syscall.Read(int(fd), b.in.Space())
		switch err {
		case nil:
			b.rn, b.rerr = n, nil
			if n <= 0 {
				b.rn, b.rerr = 0, io.EOF
			}
			return true
		case syscall.EAGAIN:
			c.idle()
			return false
		case syscall.EINTR:
		default:
			b.rn, b.rerr = 0, os.NewSyscallError("read", err)
			return true
		}
	}
}

func (d *direct) tryWrite(fd uintptr) bool {
	k := d.cur
	for {
		n, err := syscall.Write(int(fd), k.b[k.done:])
		switch err {
		case nil:
			k.done += n
		case syscall.EAGAIN:
		case syscall.EINTR:
			continue
		default:
			k.err = os.NewSyscallError("write", err)
		}
		return true
	}
}

// read waits for data and reads it to where space says.
func (d *direct) read(c *conn) (int, error) {
	for {
		if !c.leads || !c.leading() {
			c.attach()
		}
		if err := d.rc.Read(d.readFn); err != nil {
			c.sendLed() // in case there was not even an attempt to read
			return 0, err
		}
		if b := c.batch; b != nil {
			return b.rn, b.rerr
		}
	}
}

// write makes one attempt; k.done tells how many bytes the kernel has taken.
func (d *direct) write(k *buffer) error {
	d.cur, k.err = k, nil
	err := d.rc.Write(d.writeFn)
	d.cur = nil
	if err != nil {
		return err
	}
	return k.err
}
