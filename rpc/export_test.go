package rpc

import (
	"context"
	"reflect"

	"github.com/spanwire/spanwire/rpc/internal/clock"
)

// Timers is the number of alarms that are set, Users the number of connections that may set one.
func Timers() int { return clock.Process.Alarms() }

func Users() int { return clock.Process.Users() }

// Pending is how many calls are under way on a client, and how many numbers are retired.
func (cl *Client) Pending() (calls, retired int) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, c := range cl.conns {
		c.mu.Lock()
		if c.calls.tab != nil {
			calls += c.calls.tab.Len()
			retired += c.calls.tab.Retired()
		}
		c.mu.Unlock()
	}
	return calls, retired
}

// Waiting is how many calls of a client wait in line for a number.
func (cl *Client) Waiting() (n int) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, c := range cl.conns {
		c.mu.Lock()
		if c.calls.side != nil {
			n += c.calls.side.line.Len()
		}
		c.mu.Unlock()
	}
	return n
}

// Conns is how many connections a client has.
func (cl *Client) Conns() int {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	return len(cl.conns)
}

// Held is what a session holds of buffers to be written, in bytes.
func (s *Session) Held() (write int) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	for _, k := range []*buffer{s.c.write.buf, s.c.write.spare, s.c.write.cur} {
		if k != nil {
			write += cap(k.b)
		}
	}
	return write
}

// Refusing tells whether all connections of a server refuse new requests.
func (s *Server) Refusing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if !c.refuses.Load() {
			return false
		}
	}
	return s.closing
}

// EchoType adds a typed handler for a type that only reflection knows: it answers with its argument.
func EchoType(x *Mux, action string, t reflect.Type) {
	y := newTyped("", t, t, nil)
	h := HandlerFunc(func(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
		arg := reflect.New(t)
		if y.points != nil {
			arg.Elem().Set(reflect.New(y.points))
			if err := y.read(ctx, r, arg.Elem().Interface()); err != nil {
				return nil, err
			}
		} else if err := y.read(ctx, r, arg.Interface()); err != nil {
			return nil, err
		}
		return r.write(dst, arg.Elem().Interface())
	})
	m := newMethod(action, h)
	m.types = &y.layouts
	x.add(m)
}

// Peer is what is known of the peer.
func (s *Session) PeerIs() uint32 { return s.c.peer.Load() }

// Known kinds of peers.
const (
	PeerUnknown = peerUnknown
	PeerOurs    = peerOurs
	PeerOther   = peerOther
	PeerAssumed = peerAssumed
)

// TheHandler is the handler of an action.
func TheHandler(x *Mux, action string) Handler {
	m := x.find([]byte(action))
	return typedFunc{m.h.(HandlerFunc), m.types}
}

// Charged is what a server's connections are charged.
func (s *Server) Charged() int64 { return s.held.Load() }
