package rpcpeers

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/rpc"
	"sync"
	"time"

	"github.com/spanwire/spanwire/bench/load"
)

// Echo is the service of net/rpc.
type Echo struct{ wait time.Duration }

// Do answers with the request.
func (e *Echo) Do(req []byte, resp *[]byte) error {
	pause(e.wait)
	*resp = req
	return nil
}

func pause(d time.Duration) {
	if d > 0 {
		time.Sleep(d)
	}
}

type netRPC struct{ *rpc.Client }

func (c netRPC) Call(dst, req []byte) ([]byte, error) {
	var resp []byte
	err := c.Client.Call("Echo.Do", req, &resp)
	return append(dst, resp...), err
}

// body is the request and answer of HTTP.
type body struct {
	Data []byte `json:"data"`
}

type httpCaller struct {
	client *http.Client
	url    string
	resp   body
}

func (c *httpCaller) Call(dst, req []byte) ([]byte, error) {
	b, err := json.Marshal(body{req})
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Post(c.url, "application/json", bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	c.resp.Data = c.resp.Data[:0]
	if err := json.NewDecoder(resp.Body).Decode(&c.resp); err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	return append(dst, c.resp.Data...), err
}

func (c *httpCaller) Close() error {
	c.client.CloseIdleConnections()
	return nil
}

// oneConn is a transport on one connection.
func oneConn(dial func() (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:     func(context.Context, string, string) (net.Conn, error) { return dial() },
		MaxConnsPerHost: 1, MaxIdleConnsPerHost: 1,
	}
}

func serveHTTP(l net.Listener, h http.Handler, p *http.Protocols) (func(), error) {
	s := &http.Server{Handler: h, Protocols: p, ReadHeaderTimeout: 10 * time.Second}
	go s.Serve(l)
	return func() { s.Close() }, nil
}

func stdPeers() []*load.Peer {
	return []*load.Peer{
		{
			Name: "net/rpc", Module: "net/rpc", Mux: true, Blocks: true, Note: "gob",
			Serve: func(l net.Listener, s load.Service) (func(), error) {
				srv := rpc.NewServer()
				if err := srv.Register(&Echo{s.Wait}); err != nil {
					return nil, err
				}
				return accept(l, func(c net.Conn) { srv.ServeConn(c) })
			},
			Dial: dialed(func(c net.Conn) any { return netRPC{rpc.NewClient(c)} }),
		},
		{
			Name: "net/http JSON", Module: "net/http", Blocks: true, Note: "HTTP/1.1: one call at a time on a connection; bytes as base64",
			Serve: func(l net.Listener, s load.Service) (func(), error) {
				pool := sync.Pool{New: func() any { return new(body) }}
				return serveHTTP(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					m := pool.Get().(*body)
					defer pool.Put(m)
					m.Data = m.Data[:0]
					if err := json.NewDecoder(r.Body).Decode(m); err != nil {
						http.Error(w, err.Error(), http.StatusBadRequest)
						return
					}
					pause(s.Wait)
					w.Header().Set("Content-Type", "application/json")
					json.NewEncoder(w).Encode(m)
				}), nil)
			},
			Dial: func(dial func() (net.Conn, error), _ string) (any, error) {
				return warm(&httpCaller{client: &http.Client{Transport: oneConn(dial)}, url: "http://localhost/echo"})
			},
		},
	}
}
