//go:build unix

package sock

import (
	"io"
	"net"
	"os"
	"syscall"
)

// Sock waits for a tcp or unix socket, and lets functions of its owner try to read and write: memory to read to is needed only when
// there is something to read, and what the kernel does not take at once can be left to somebody who waits. One goroutine at a time
// may read, one write.
type Sock struct {
	rc syscall.RawConn

	// TryRead and TryWrite are called with the descriptor, by Read and Write; they are false when that is to wait until there may be
	// something to read, or room, and to call them again. A connection that has ended calls neither.
	TryRead, TryWrite func(fd uintptr) bool
}

// Open takes a connection. It is false for those of other kinds, also those that wrap a socket.
func (s *Sock) Open(nc net.Conn) bool {
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
	s.rc = rc
	return true
}

// Read calls TryRead until that is true.
func (s *Sock) Read() error { return s.rc.Read(s.TryRead) }

// Write calls TryWrite until that is true.
func (s *Sock) Write() error { return s.rc.Write(s.TryWrite) }

// Read reads what is there: ok is false when nothing is. The end of the stream is io.EOF.
func Read(fd uintptr, p []byte) (n int, ok bool, err error) {
	for {
		switch n, err := syscall.Read(int(fd), p); err {
		case nil:
			if n <= 0 {
				return 0, true, io.EOF
			}
			return n, true, nil
		case syscall.EAGAIN:
			return 0, false, nil
		case syscall.EINTR:
		default:
			return 0, true, os.NewSyscallError("read", err)
		}
	}
}

// Write writes what the kernel takes at once, which may be nothing.
func Write(fd uintptr, p []byte) (n int, err error) {
	for {
		switch n, err := syscall.Write(int(fd), p); err {
		case nil:
			return n, nil
		case syscall.EAGAIN:
			return 0, nil
		case syscall.EINTR:
		default:
			return 0, os.NewSyscallError("write", err)
		}
	}
}
