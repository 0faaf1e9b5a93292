package rpcpeers

import (
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/spanwire/spanwire/bench/load"
)

type natsCaller struct{ *nats.Conn }

func (c natsCaller) Call(dst, req []byte) ([]byte, error) {
	m, err := c.Request("echo", req, 10*time.Second)
	if err != nil {
		return nil, err
	}
	return append(dst, m.Data...), nil
}

func (c natsCaller) Close() error {
	c.Conn.Close()
	return nil
}

func serveNATS(l net.Listener, s load.Service) (func(), error) {
	host, port, err := net.SplitHostPort(reuse(l))
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(&server.Options{Host: host, Port: n, NoLog: true, NoSigs: true, MaxConn: 1 << 17, MaxPayload: 2 << 20})
	if err != nil {
		return nil, err
	}
	go srv.Start()
	if !srv.ReadyForConnections(5 * time.Second) {
		return nil, errors.New("the broker does not start")
	}
	nc, err := nats.Connect(srv.ClientURL())
	if err != nil {
		return nil, err
	}
	_, err = nc.Subscribe("echo", func(m *nats.Msg) {
		if s.Wait == 0 {
			m.Respond(m.Data)
			return
		}
		go func() {
			pause(s.Wait)
			m.Respond(m.Data)
		}()
	})
	return func() { nc.Close(); srv.Shutdown() }, err
}

func natsPeers() []*load.Peer {
	return []*load.Peer{{
		Name: "nats request", Module: "nats-io/nats.go", Mux: true, TCP: true, Blocks: true, Max: 2 << 20,
		Note:  "through a broker, which is embedded in the server's process with one responder: twice the hops",
		Serve: serveNATS,
		Dial: func(_ func() (net.Conn, error), addr string) (any, error) {
			nc, err := nats.Connect("nats://" + addr)
			return natsCaller{nc}, err
		},
	}}
}
