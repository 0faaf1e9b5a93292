//go:build unix

package rpc

import "runtime"

// EndsWithinWrite makes every write return only after the connection has ended.
func (s *Session) EndsWithinWrite() {
	c := s.c
	write := c.direct.writeFn
	c.direct.writeFn = func(fd uintptr) bool {
		done := write(fd)
		for !c.over() {
			runtime.Gosched()
		}
		return done
	}
}
