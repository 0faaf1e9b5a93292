package rpcpeers

import (
	"context"
	"net"
	"time"

	"github.com/cloudwego/netpoll"
	"github.com/lesismal/nbio"
	"github.com/lesismal/nbio/logging"
	"github.com/panjf2000/gnet/v2"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/rpcfloor/srmp"
)

// reuse closes l, whose address a library wants to listen on itself.
func reuse(l net.Listener) string {
	addr := l.Addr().String()
	l.Close()
	return addr
}

// wait returns when addr is served.
func wait(addr string) error {
	var err error
	for range 200 {
		var c net.Conn
		if c, err = net.Dial("tcp", addr); err == nil {
			return c.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// quiet keeps gnet from writing to standard output.
type quiet struct{}

func (quiet) Debugf(string, ...any) {}
func (quiet) Infof(string, ...any)  {}
func (quiet) Warnf(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}

type gnetServer struct {
	gnet.BuiltinEventEngine
	eng gnet.Engine
}

func (s *gnetServer) OnBoot(eng gnet.Engine) gnet.Action {
	s.eng = eng
	return gnet.None
}

func (s *gnetServer) OnTraffic(c gnet.Conn) gnet.Action {
	b, err := c.Peek(c.InboundBuffered())
	if err != nil {
		return gnet.Close
	}
	out, _ := c.Context().([]byte)
	used, _, out, ok := srmp.Replies(b, out[:0], srmp.Echo)
	if !ok {
		return gnet.Close
	}
	c.SetContext(out)
	c.Discard(used)
	if _, err := c.Write(out); err != nil {
		return gnet.Close
	}
	return gnet.None
}

func serveGnet(l net.Listener, _ load.Service) (func(), error) {
	addr := reuse(l)
	s := &gnetServer{}
	go gnet.Run(s, "tcp://"+addr, gnet.WithMulticore(true), gnet.WithTCPNoDelay(gnet.TCPNoDelay), gnet.WithLogger(quiet{}))
	if err := wait(addr); err != nil {
		return nil, err
	}
	return func() { s.eng.Stop(context.Background()) }, nil
}

func serveNetpoll(l net.Listener, _ load.Service) (func(), error) {
	addr := reuse(l)
	nl, err := netpoll.CreateListener("tcp", addr)
	if err != nil {
		return nil, err
	}
	loop, err := netpoll.NewEventLoop(func(_ context.Context, c netpoll.Connection) error {
		r, w := c.Reader(), c.Writer()
		b, err := r.Peek(r.Len())
		if err != nil {
			return err
		}
		used, need, out, ok := srmp.Replies(b, nil, srmp.Echo)
		if !ok {
			return c.Close()
		}
		if used == 0 { // wait for the rest of the frame
			_, err := r.Peek(max(need, 4))
			return err
		}
		if err := r.Skip(used); err != nil {
			return err
		}
		if err := r.Release(); err != nil {
			return err
		}
		if _, err := w.WriteBinary(out); err != nil {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return nil, err
	}
	go loop.Serve(nl)
	return func() { loop.Shutdown(context.Background()) }, nil
}

// nbioSession keeps the frame that is cut.
type nbioSession struct{ in, out []byte }

func serveNbio(l net.Listener, _ load.Service) (func(), error) {
	logging.SetLevel(logging.LevelNone)
	e := nbio.NewEngine(nbio.Config{Network: "tcp", Addrs: []string{reuse(l)}})
	e.OnOpen(func(c *nbio.Conn) { c.SetSession(&nbioSession{}) })
	e.OnData(func(c *nbio.Conn, data []byte) {
		s := c.Session().(*nbioSession)
		if len(s.in) > 0 {
			s.in = append(s.in, data...)
			data = s.in
		}
		used, _, out, ok := srmp.Replies(data, s.out[:0], srmp.Echo)
		if !ok {
			c.Close()
			return
		}
		s.out = out
		s.in = append(s.in[:0], data[used:]...)
		if len(out) > 0 {
			c.Write(out)
		}
	})
	if err := e.Start(); err != nil {
		return nil, err
	}
	return e.Stop, nil
}

func loopPeers() []*load.Peer {
	const note = "echo on the library's event loops with the prototype's framing and client"

	adaptive := dialed(func(c net.Conn) any { return protoCaller{srmp.NewAClient(c)} })
	return []*load.Peer{
		{Name: "gnet", Module: "panjf2000/gnet", Mux: true, TCP: true, Loop: true, Max: 64 << 10, Note: note, Serve: serveGnet, Dial: adaptive},
		{Name: "netpoll", Module: "cloudwego/netpoll", Mux: true, TCP: true, Loop: true, Note: note, Serve: serveNetpoll, Dial: adaptive},
		{Name: "nbio", Module: "lesismal/nbio", Mux: true, TCP: true, Loop: true, Note: note, Serve: serveNbio, Dial: adaptive},
	}
}
