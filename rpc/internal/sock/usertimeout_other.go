//go:build !linux

package sock

import "net"

// SetUserTimeout has no counterpart here: keepalive and WriteTimeout do.
func SetUserTimeout(net.Conn) {}
