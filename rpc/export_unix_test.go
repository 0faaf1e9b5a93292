//go:build unix

package rpc

import "runtime"

// EndsWithinWrite makes every write return only after the connection has ended, and all who wait have been told.
func (s *Session) EndsWithinWrite() {
	c := s.c
	write := c.sock.TryWrite
	c.sock.TryWrite = func(fd uintptr) bool {
		done := write(fd)
		for !c.letGo() {
			runtime.Gosched()
		}
		return done
	}
}

// letGo tells whether nobody reads any more.
func (c *conn) letGo() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read.role == readOver
}
