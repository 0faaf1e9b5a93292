// Package sock is what connections need of sockets beside net.Conn: reads and writes that do not block, settings that find dead
// peers, and which errors of accepting pass.
package sock

import (
	"crypto/tls"
	"errors"
	"net"
	"syscall"
	"time"
)

// KeepAlive finds dead peers within a minute.
var KeepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 3}

// Temporary reports whether an error of accepting passes.
func Temporary(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOBUFS) ||
		errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ECONNABORTED)
}

// IsTLS reports whether nc is a TLS connection.
func IsTLS(nc net.Conn) bool { _, ok := nc.(*tls.Conn); return ok }

// Under returns the connection that a TLS connection runs on, others as they are.
func Under(nc net.Conn) net.Conn {
	if t, ok := nc.(*tls.Conn); ok {
		return t.NetConn()
	}
	return nc
}
