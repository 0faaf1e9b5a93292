package rpc

import (
	"crypto/tls"
	"net"
	"syscall"
)

const (
	tcpUserTimeout   = 0x12 // TCP_USER_TIMEOUT
	userTimeoutMilli = 60_000
)

// setUserTimeout lets a TCP connection fail when what was sent is not acknowledged for a minute.
func setUserTimeout(nc net.Conn) {
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	c, ok := nc.(*net.TCPConn)
	if !ok {
		return
	}
	if rc, err := c.SyscallConn(); err == nil {
		_ = rc.Control(func(fd uintptr) { // without it keepalive and WriteTimeout do
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, userTimeoutMilli)
		})
	}
}
