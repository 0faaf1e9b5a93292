//go:build !unix

package sock

import "net"

// Sock is not available here: connections are read and written through net.Conn.
type Sock struct {
	TryRead, TryWrite func(fd uintptr) bool
}

// Open is false.
func (*Sock) Open(net.Conn) bool { return false }

// Read and Write are for sockets that were opened.
func (*Sock) Read() error { return net.ErrClosed }

// Write is for sockets that were opened.
func (*Sock) Write() error { return net.ErrClosed }

// Read is for sockets that were opened.
func Read(uintptr, []byte) (n int, ok bool, err error) { return 0, true, net.ErrClosed }

// Write is for sockets that were opened.
func Write(uintptr, []byte) (n int, err error) { return 0, net.ErrClosed }
