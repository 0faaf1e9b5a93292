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
	space   func() []byte // where to read to
	idle    func()        // nothing is there to be read
	rn      int
	rerr    error
	p       []byte // what to write
	wn      int
	werr    error
}

// newDirect returns nil for connections of other kinds, also those that wrap one of these.
func newDirect(nc net.Conn, space func() []byte, idle func()) *direct {
	var sc syscall.Conn
	switch c := nc.(type) {
	case *net.TCPConn:
		sc = c
	case *net.UnixConn:
		sc = c
	default:
		return nil
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	d := &direct{rc: rc, space: space, idle: idle}
	d.readFn, d.writeFn = d.tryRead, d.tryWrite
	return d
}

func (d *direct) tryRead(fd uintptr) bool {
	for {
		n, err := syscall.Read(int(fd), d.space())
		switch err {
		case nil:
			d.rn, d.rerr = n, nil
			if n <= 0 {
				d.rn, d.rerr = 0, io.EOF
			}
			return true
		case syscall.EAGAIN:
			d.idle()
			return false
		case syscall.EINTR:
		default:
			d.rn, d.rerr = 0, os.NewSyscallError("read", err)
			return true
		}
	}
}

func (d *direct) tryWrite(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), d.p)
		switch err {
		case nil:
			d.wn, d.werr = n, nil
		case syscall.EAGAIN:
			d.wn, d.werr = 0, nil
		case syscall.EINTR:
			continue
		default:
			d.wn, d.werr = 0, os.NewSyscallError("write", err)
		}
		return true
	}
}

// read waits for data and reads it to where space says.
func (d *direct) read() (int, error) {
	if err := d.rc.Read(d.readFn); err != nil {
		return 0, err
	}
	return d.rn, d.rerr
}

// write makes one attempt, and tells how many bytes the kernel took.
func (d *direct) write(p []byte) (int, error) {
	d.p = p
	err := d.rc.Write(d.writeFn)
	d.p = nil
	if err != nil {
		return 0, err
	}
	return d.wn, d.werr
}
