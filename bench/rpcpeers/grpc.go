package rpcpeers

import (
	"context"
	"io"
	"net"
	"net/http"

	"connectrpc.com/connect"
	"github.com/containerd/ttrpc"
	"github.com/sirupsen/logrus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"storj.io/drpc/drpcconn"
	"storj.io/drpc/drpcmux"
	"storj.io/drpc/drpcserver"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/peers/rpc/echo"
	"github.com/spanwire/spanwire/bench/peers/rpc/echo/echoconnect"
)

// echoServer is the service for gRPC; those of DRPC, ttrpc and Connect differ in
// their streams.
type echoServer struct {
	echo.UnimplementedEchoServer
	s load.Service
}

type drpcServer struct{ echoServer }

type ttrpcServer struct{ echoServer }

func (e *echoServer) Do(_ context.Context, m *echo.Message) (*echo.Message, error) {
	pause(e.s.Wait)
	return m, nil
}

func (e *echoServer) Repeat(m *echo.Message, out grpc.ServerStreamingServer[echo.Message]) error {
	return repeat(m, out.Send)
}

func (e *drpcServer) Repeat(m *echo.Message, out echo.DRPCEcho_RepeatStream) error {
	return repeat(m, out.Send)
}

func (e *ttrpcServer) Repeat(_ context.Context, m *echo.Message, out echo.TTRPCEcho_RepeatServer) error {
	return repeat(m, out.Send)
}

// repeat sends until the caller has left.
func repeat(m *echo.Message, send func(*echo.Message) error) error {
	for {
		if err := send(m); err != nil {
			return err
		}
	}
}

type connectServer struct{ s load.Service }

func (e connectServer) Repeat(_ context.Context, m *connect.Request[echo.Message], out *connect.ServerStream[echo.Message]) error {
	return repeat(m.Msg, out.Send)
}

func (e connectServer) Do(_ context.Context, m *connect.Request[echo.Message]) (*connect.Response[echo.Message], error) {
	pause(e.s.Wait)
	return connect.NewResponse(m.Msg), nil
}

// stub is a caller made of a client's method.
type stub struct {
	do    func(*echo.Message) (*echo.Message, error)
	close func() error
}

func (c stub) Call(dst, req []byte) ([]byte, error) {
	m, err := c.do(&echo.Message{Data: req})
	if err != nil {
		return nil, err
	}
	return append(dst, m.Data...), nil
}

func (c stub) Close() error { return c.close() }

// warm makes a call, for clients that connect with their first one.
func warm(c load.Caller) (any, error) {
	_, err := c.Call(nil, make([]byte, 4))
	return c, err
}

func serveGRPC(l net.Listener, s load.Service) (func(), error) {
	srv := grpc.NewServer()
	echo.RegisterEchoServer(srv, &echoServer{s: s})
	go srv.Serve(l)
	return srv.Stop, nil
}

func grpcConn(dial func() (net.Conn, error)) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:///echo", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return dial() }))
}

func dialGRPC(dial func() (net.Conn, error), _ string) (any, error) {
	cc, err := grpcConn(dial)
	if err != nil {
		return nil, err
	}
	client := echo.NewEchoClient(cc)
	return warm(stub{func(m *echo.Message) (*echo.Message, error) { return client.Do(context.Background(), m) }, cc.Close})
}

func serveDRPC(l net.Listener, s load.Service) (func(), error) {
	mux := drpcmux.New()
	if err := echo.DRPCRegisterEcho(mux, &drpcServer{echoServer{s: s}}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go drpcserver.New(mux).Serve(ctx, l)
	return cancel, nil
}

func dialDRPC(c net.Conn) any {
	conn := drpcconn.New(c)
	client := echo.NewDRPCEchoClient(conn)
	return stub{func(m *echo.Message) (*echo.Message, error) { return client.Do(context.Background(), m) }, conn.Close}
}

func serveTTRPC(l net.Listener, s load.Service) (func(), error) {
	logrus.SetOutput(io.Discard) // it logs every caller that leaves
	srv, err := ttrpc.NewServer()
	if err != nil {
		return nil, err
	}
	echo.RegisterTTRPCEchoService(srv, &ttrpcServer{echoServer{s: s}})
	go srv.Serve(context.Background(), l)
	return func() { srv.Close() }, nil
}

func dialTTRPC(c net.Conn) any {
	conn := ttrpc.NewClient(c)
	client := echo.NewTTRPCEchoClient(conn)
	return stub{func(m *echo.Message) (*echo.Message, error) { return client.Do(context.Background(), m) }, conn.Close}
}

func http2() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}

func serveConnect(l net.Listener, s load.Service) (func(), error) {
	mux := http.NewServeMux()
	mux.Handle(echoconnect.NewEchoHandler(connectServer{s}))
	return serveHTTP(l, mux, http2())
}

// connectClient is a client on a transport of its own.
func connectClient(dial func() (net.Conn, error)) (echoconnect.EchoClient, *http.Transport) {
	t := oneConn(dial)
	t.MaxConnsPerHost = 0 // the limit is not for connections that carry several calls
	t.Protocols = http2()
	return echoconnect.NewEchoClient(&http.Client{Transport: t}, "http://localhost", connect.WithAcceptCompression("gzip", nil, nil)), t
}

func dialConnect(dial func() (net.Conn, error), _ string) (any, error) {
	client, t := connectClient(dial)
	return warm(stub{func(m *echo.Message) (*echo.Message, error) {
		r, err := client.Do(context.Background(), connect.NewRequest(m))
		if err != nil {
			return nil, err
		}
		return r.Msg, nil
	}, func() error { t.CloseIdleConnections(); return nil }})
}

func grpcPeers() []*load.Peer {
	return []*load.Peer{
		{Name: "grpc-go", Module: "google.golang.org/grpc", Mux: true, Blocks: true, Note: "protobuf over HTTP/2; at most 4 MiB", Max: 4 << 20, Serve: serveGRPC, Dial: dialGRPC},
		{Name: "connect-go", Module: "connectrpc.com/connect", Mux: true, Blocks: true, NoTLS: true, Note: "Connect protocol over HTTP/2 without TLS, gzip off; at most 100 calls in flight on a connection", Window: 100, Serve: serveConnect, Dial: dialConnect},
		{Name: "drpc", Module: "storj.io/drpc", Blocks: true, Note: "one call at a time on a connection", Serve: serveDRPC, Dial: dialed(dialDRPC)},
		{Name: "ttrpc", Module: "containerd/ttrpc", Mux: true, Blocks: true, Note: "at most 4 MiB", Max: 4 << 20, Serve: serveTTRPC, Dial: dialed(dialTTRPC)},
	}
}
