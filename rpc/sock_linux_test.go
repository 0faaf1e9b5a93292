package rpc_test

import (
	"crypto/tls"
	"net"
	"syscall"
	"testing"

	"github.com/spanwire/spanwire/rpc"
)

// TestUserTimeoutIsSetUnderTLSToo: the kernel gives a connection up whose data is not acknowledged, under TLS as well.
func TestUserTimeoutIsSetUnderTLSToo(t *testing.T) {
	base(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, wrap := range []func(net.Conn) net.Conn{
		func(nc net.Conn) net.Conn { return nc },
		func(nc net.Conn) net.Conn { return tls.Client(nc, &tls.Config{InsecureSkipVerify: true}) },
	} {
		nc, err := net.DialTimeout("tcp", l.Addr().String(), guard)
		if err != nil {
			t.Fatal(err)
		}
		cl := rpc.NewClient(wrap(nc))
		rc, err := nc.(*net.TCPConn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := rc.Control(func(fd uintptr) { n, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, 0x12) }); err != nil || n != 60_000 {
			t.Errorf("%d ms %v", n, err)
		}
		cl.Close()
	}
}
