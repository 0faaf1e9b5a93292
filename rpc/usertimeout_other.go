//go:build !linux

package rpc

import "net"

// setUserTimeout has no counterpart here: keepalive and WriteTimeout do.
func setUserTimeout(net.Conn) {}
