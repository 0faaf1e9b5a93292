package rpcpeers

import (
	"bytes"
	"context"
	"iter"
	"net"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/value"
)

// oursCaller is a client of spanwire on one connection.
type oursCaller struct {
	*rpc.Client
	action string
}

func (c oursCaller) Call(dst, req []byte) ([]byte, error) {
	return c.Client.Call(context.Background(), dst, c.action, req)
}

type oursAsync struct{ oursCaller }

type oursFlight struct {
	c    *rpc.Client
	done func([]byte, error)
}

func (f *oursFlight) Go(req []byte) error { return f.c.Go(context.Background(), "", req, f.done) }

func (c oursAsync) Flight(done func([]byte, error)) load.Flight {
	return &oursFlight{c.Client, done}
}

// typed calls with a generated struct.
type typed struct{ *rpc.Client }

func (c typed) Call(dst, req []byte) ([]byte, error) {
	var resp Message
	err := c.Invoke(context.Background(), "Echo/Do", &Message{req}, &resp)
	return append(dst, resp.Data...), err
}

func echoOf(s load.Service) rpc.HandlerFunc {
	return func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		pause(s.Wait)
		return append(dst, r.Body...), nil
	}
}

// ours is one way of serving and calling.
type ours struct {
	codec          frame.Codec
	inline, async  bool
	envelope, args bool
	pool           bool // the client may open more connections
}

func (o ours) serve(l net.Listener, s load.Service) (func(), error) {
	var h rpc.Handler = echoOf(s)
	if o.inline {
		h = rpc.Inline(h)
	}
	if o.envelope {
		mux := new(rpc.Mux)
		rpc.HandleStream(mux, "Echo/Repeat", func(_ context.Context, req value.Packet) iter.Seq2[value.Packet, error] {
			req = bytes.Clone(req) // it is the frame's
			return func(yield func(value.Packet, error) bool) {
				for yield(req, nil) {
				}
			}
		})
		if o.args {
			rpc.Handle(mux, "Echo/Do", func(_ context.Context, req *Message) (*Message, error) {
				pause(s.Wait)
				return req, nil
			})
		} else {
			mux.Handle("Echo/Do", h)
		}
		h = mux
	}
	srv := &rpc.Server{Handler: h, Codec: o.codec, Raw: !o.envelope}
	go srv.Serve(l)
	return func() { srv.Close() }, nil
}

func (o ours) dial(dial func() (net.Conn, error), addr string) (any, error) {
	opts := rpc.Dialer{Codec: o.codec, Raw: !o.envelope}
	var cl *rpc.Client
	if o.pool {
		opts.NetDial = func(context.Context, string, string) (net.Conn, error) { return dial() }
		var err error
		if cl, err = opts.Dial(context.Background(), "tcp", addr); err != nil {
			return nil, err
		}
	} else {
		nc, err := dial()
		if err != nil {
			return nil, err
		}
		cl = opts.NewClient(nc)
	}
	c := oursCaller{Client: cl}
	switch {
	case o.args:
		return typed{cl}, nil
	case o.envelope:
		c.action = "Echo/Do"
	case o.async:
		return oursAsync{c}, nil
	}
	return c, nil
}

// productPeers returns the ways of spanwire.
func productPeers() []*load.Peer {
	length := frame.LengthField{Size: 4}
	var ps []*load.Peer
	for _, r := range []struct {
		name, note string
		o          ours
	}{
		{"goroutine blocking", "handlers in goroutines, none waits for another; callers wait: the usual way", ours{}},
		{"inline blocking", "handler on the connection's reader", ours{inline: true}},
		{"goroutine callbacks", "Client.Go", ours{async: true}},
		{"inline callbacks", "Client.Go, handler on the connection's reader", ours{inline: true, async: true}},
		{"length-field blocking", "LengthField codec: answers in order", ours{codec: length}},
		{"length-field callbacks", "LengthField codec: answers in order; handler on the connection's reader", ours{codec: length, inline: true, async: true}},
		{"remoting", "with the Remoting envelope: action, deadline, errors", ours{envelope: true}},
		{"typed", "Handle and Invoke with a generated struct: typed calls, as the libraries' are", ours{envelope: true, args: true}},
		{"pooled", "as goroutine blocking; the client opens up to 4 connections when many calls are in flight", ours{pool: true}},
	} {
		ps = append(ps, &load.Peer{
			Name: "spanwire " + r.name, Module: "spanwire", Note: r.note, Mux: true, Blocks: !r.o.inline && !r.o.async, Async: r.o.async,
			Serve: r.o.serve, Dial: r.o.dial,
		})
	}
	return ps
}
