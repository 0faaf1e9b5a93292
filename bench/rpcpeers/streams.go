package rpcpeers

import (
	"context"
	"io"
	"net"

	"connectrpc.com/connect"
	"github.com/containerd/ttrpc"
	"storj.io/drpc/drpcconn"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/peers/rpc/echo"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

// Streamer is one way of a server's stream: items of one size as fast as the
// caller takes them.
type Streamer struct {
	Name, Note string
	Serve      func(l net.Listener, s load.Service) (stop func(), err error)
	// Range asks for items like req and hands their lengths to yield until that
	// is false.
	Range func(dial func() (net.Conn, error), req []byte, yield func(n int) bool) error
}

// received ranges over what recv gives.
func received(recv func() (*echo.Message, error), yield func(int) bool) error {
	for {
		m, err := recv()
		if err != nil {
			return err
		}
		if !yield(len(m.Data)) {
			return nil
		}
	}
}

func rangeRaw(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	c, err := dial()
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Write(req[:1]); err != nil {
		return err
	}
	b := make([]byte, len(req))
	for {
		if _, err := io.ReadFull(c, b); err != nil {
			return err
		}
		if !yield(len(b)) {
			return nil
		}
	}
}

func rangeOurs(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	nc, err := dial()
	if err != nil {
		return err
	}
	cl := rpc.NewClient(nc)
	defer cl.Close()
	// The first answer tells the client that its peer knows credit.
	if _, err := cl.Call(context.Background(), nil, "Echo/Do", req[:1]); err != nil {
		return err
	}
	for item, err := range rpc.Stream[value.Packet](context.Background(), cl, "Echo/Repeat", value.Packet(req)) {
		if err != nil {
			return err
		}
		if !yield(len(item)) {
			break
		}
	}
	return nil
}

func rangeGRPC(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	cc, err := grpcConn(dial)
	if err != nil {
		return err
	}
	defer cc.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := echo.NewEchoClient(cc).Repeat(ctx, &echo.Message{Data: req})
	if err != nil {
		return err
	}
	return received(s.Recv, yield)
}

func rangeDRPC(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	nc, err := dial()
	if err != nil {
		return err
	}
	conn := drpcconn.New(nc)
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := echo.NewDRPCEchoClient(conn).Repeat(ctx, &echo.Message{Data: req})
	if err != nil {
		return err
	}
	return received(s.Recv, yield)
}

func rangeTTRPC(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	nc, err := dial()
	if err != nil {
		return err
	}
	conn := ttrpc.NewClient(nc)
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := echo.NewTTRPCEchoClient(conn).Repeat(ctx, &echo.Message{Data: req})
	if err != nil {
		return err
	}
	return received(s.Recv, yield)
}

func rangeConnect(dial func() (net.Conn, error), req []byte, yield func(int) bool) error {
	client, t := connectClient(dial)
	defer t.CloseIdleConnections()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := client.Repeat(ctx, connect.NewRequest(&echo.Message{Data: req}))
	if err != nil {
		return err
	}
	for s.Receive() {
		if !yield(len(s.Msg().Data)) {
			return nil
		}
	}
	return s.Err()
}

// Streamers returns every way of streams, for items of size bytes.
func Streamers(size int) []Streamer {
	raw := func(l net.Listener, _ load.Service) (func(), error) {
		return accept(l, func(c net.Conn) {
			b := make([]byte, size)
			if _, err := io.ReadFull(c, b[:1]); err != nil {
				return
			}
			for {
				if _, err := c.Write(b); err != nil {
					return
				}
			}
		})
	}
	return []Streamer{
		{"raw", "net.Conn, one write an item", raw, rangeRaw},
		{"spanwire", "HandleStream and Stream with a packet of bytes; credit of 256 KiB", ours{envelope: true}.serve, rangeOurs},
		{"grpc-go", "", serveGRPC, rangeGRPC},
		{"connect-go", "", serveConnect, rangeConnect},
		{"drpc", "", serveDRPC, rangeDRPC},
		{"ttrpc", "no flow control of its own: the caller's queue grows", serveTTRPC, rangeTTRPC},
	}
}
