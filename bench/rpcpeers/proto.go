package rpcpeers

import (
	"net"
	"slices"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/rpcfloor/srmp"
)

// served runs a prototype's accept loop.
func served(f func(net.Listener)) func(net.Listener, load.Service) (func(), error) {
	return func(l net.Listener, _ load.Service) (func(), error) {
		go f(l)
		return func() { l.Close() }, nil
	}
}

// dialed makes a connection's client.
func dialed(f func(net.Conn) any) func(func() (net.Conn, error), string) (any, error) {
	return func(dial func() (net.Conn, error), _ string) (any, error) {
		c, err := dial()
		if err != nil {
			return nil, err
		}
		return f(c), nil
	}
}

type copying interface {
	Call(req, resp []byte) (int, error)
	Close() error
}

// protoCaller appends what the prototypes copy. Echoes are as long as requests.
type protoCaller struct{ copying }

func (c protoCaller) Call(dst, req []byte) ([]byte, error) {
	dst = slices.Grow(dst, len(req))[:len(req)]
	n, err := c.copying.Call(req, dst)
	return dst[:n], err
}

type going interface {
	Go(*srmp.AsyncCall, []byte) error
	Close() error
}

type protoAsync struct{ going }

type protoFlight struct {
	c  going
	ac srmp.AsyncCall
}

func (f *protoFlight) Go(req []byte) error { return f.c.Go(&f.ac, req) }

func (c protoAsync) Flight(done func([]byte, error)) load.Flight {
	f := &protoFlight{c: c.going}
	f.ac.Set(done)
	return f
}

func protoPeers() []*load.Peer {
	std := served(func(l net.Listener) { srmp.ServeStd(l, srmp.Echo) })
	goroutine := served(func(l net.Listener) { srmp.ServeGo(l, srmp.Echo, true) })
	length := served(func(l net.Listener) { srmp.ServeLen(l, srmp.Echo) })
	adaptive := dialed(func(c net.Conn) any { return protoCaller{srmp.NewAClient(c)} })
	async := dialed(func(c net.Conn) any { return protoAsync{srmp.NewClient(c, srmp.Combine, false)} })
	const lacks = "the framing without contexts, limits or a message's envelope"
	const short = 64<<10 - 8
	return []*load.Peer{
		{Name: "prototype inline blocking", Module: "prototype", Note: lacks, Mux: true, Floor: true, Serve: std, Dial: adaptive},
		{Name: "prototype inline callbacks", Async: true, Module: "prototype", Note: lacks, Mux: true, Floor: true, Serve: std, Dial: async},
		{Name: "prototype goroutine blocking", Module: "prototype", Note: lacks, Mux: true, Floor: true, Max: short, Serve: goroutine, Dial: adaptive},
		{Name: "prototype goroutine callbacks", Async: true, Module: "prototype", Note: lacks, Mux: true, Floor: true, Max: short, Serve: goroutine, Dial: async},
		{
			Name: "prototype length-field blocking", Module: "prototype", Window: 1000, Note: lacks + "; answers in order", Mux: true, Floor: true, Max: short, Serve: length,
			Dial: dialed(func(c net.Conn) any { return protoCaller{srmp.NewLClient(c)} }),
		},
		{
			Name: "prototype length-field callbacks", Async: true, Module: "prototype", Note: lacks + "; answers in order", Mux: true, Floor: true, Max: short, Serve: length,
			Dial: dialed(func(c net.Conn) any { return protoAsync{srmp.NewLClient(c)} }),
		},
	}
}
