//go:build !unix

package rpc

import "net"

// direct is not available here: connections are read and written through net.Conn.
type direct struct{}

func (*direct) init(*conn, net.Conn) bool { return false }
func (*direct) read(*conn) (int, error)   { return 0, net.ErrClosed }
func (*direct) write(*buffer) error       { return net.ErrClosed }
