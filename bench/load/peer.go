package load

import (
	"crypto/tls"
	"net"
	"time"
)

// Service is what a server does with a request: wait, then answer with it.
type Service struct {
	Wait time.Duration
}

// Peer is one way of serving and calling.
type Peer struct {
	Name   string // of the row, unique
	Module string // as users name it
	Note   string // what differs from the other rows
	Mux    bool   // several calls at a time on one connection
	TCP    bool   // has its own listener: plain TCP only
	NoTLS  bool   // cannot be given a TLS listener
	Blocks bool   // a handler may wait
	Floor  bool   // a floor or a prototype, not a peer
	Loop   bool   // an event loop under the prototype's framing, not a library of calls
	Max    int    // largest message it can do, 0 any
	Window int    // most calls in flight on a connection, 0 any
	Async  bool   // calls with callbacks

	// Serve serves l until stop is called.
	Serve func(l net.Listener, s Service) (stop func(), err error)
	// Dial returns a Caller, an Async or a Runner on one connection, which it
	// gets from dial, or, when TCP is set, makes itself to addr.
	Dial func(dial func() (net.Conn, error), addr string) (any, error)
}

// Caller calls and waits. It appends the answer to dst. Several goroutines call
// at a time only when the peer has Mux.
type Caller interface {
	Call(dst, req []byte) ([]byte, error)
	Close() error
}

// Async calls without waiting: done gets the answer, which is valid inside only,
// and may call Go. A Flight is one place for a call, used again and again.
type Async interface {
	Flight(done func(resp []byte, err error)) Flight
	Close() error
}

// Flight starts a call.
type Flight interface {
	Go(req []byte) error
}

// Runner drives its connection itself.
type Runner interface {
	Run(sp Spec, s *Slot) error
	Close() error
}

// listen opens a listener of the spec's network.
func listen(network, dir string) (net.Listener, error) {
	switch network {
	case "unix":
		return net.Listen("unix", dir+"/echo.sock")
	case "tls":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		conf, err := serverTLS()
		if err != nil {
			return nil, err
		}
		return tls.NewListener(l, conf), nil
	default:
		return net.Listen("tcp", "127.0.0.1:0")
	}
}

func dialer(network, addr string) func() (net.Conn, error) {
	return func() (net.Conn, error) {
		switch network {
		case "unix":
			return net.Dial("unix", addr)
		case "tls": // the certificate is made for the run, and the server is our own
			return tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
		default:
			return net.Dial("tcp", addr)
		}
	}
}
