package sock

import (
	"net"
	"syscall"
)

const (
	tcpUserTimeout   = 0x12 // TCP_USER_TIMEOUT
	userTimeoutMilli = 60_000
)

// SetUserTimeout lets a TCP connection, also one under TLS, fail when what was sent is not acknowledged for a minute.
func SetUserTimeout(nc net.Conn) {
	c, ok := Under(nc).(*net.TCPConn)
	if !ok {
		return
	}
	if rc, err := c.SyscallConn(); err == nil {
		_ = rc.Control(func(fd uintptr) { // without it keepalive and WriteTimeout do
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, userTimeoutMilli)
		})
	}
}
