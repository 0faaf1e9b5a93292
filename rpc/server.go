package rpc

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/internal/sock"
	"github.com/spanwire/spanwire/rpc/value"
)

// Server answers requests on any number of connections. Set the fields, then call Serve; they must not change after that. The
// zero value answers 404 to everything.
type Server struct {
	// Handler answers: a *Mux, or one handler for everything.
	Handler Handler
	// Codec draws the border between frames; nil is frame.Standard. See the package documentation for what each can carry.
	Codec frame.Codec
	// Raw leaves out the Remoting envelope: payloads of Standard frames are the handler's alone. Other codecs never have it.
	Raw bool
	// Peer says who the clients are where there is no envelope, which would tell: values travel as lossless JSON unless it is NewLife.
	Peer PeerKind
	// NotifyOnly takes everything as one-way messages and never replies. It makes one-way messages possible with codecs
	// other than Standard.
	NotifyOnly bool
	// AllowForeign lets connections begin with what is the opening of HTTP, TLS or a proxy's header. Without it they are closed
	// with ErrForeign before any frame is handled: a web page can make a browser send such bytes, and with them a frame.
	AllowForeign bool
	// Limits bound memory and time; the zero value has the defaults.
	Limits Limits
	// Dialect is how values are written and read.
	Dialect value.Dialect
	// Log gets panics of handlers, peers that break the protocol or have another layout; nil is slog.Default().
	Log *slog.Logger
	// OnConnect is called before anything is read; an error refuses the connection, and so does a call that takes longer than
	// Limits.FirstByte. It runs for up to 256 connections at a time, beside accepting. Messages may be sent in it; calls are
	// ErrWouldDeadlock.
	OnConnect func(*Session) error
	// OnClose is called once for each connection that OnConnect has let in, with the reason, when it has ended.
	// Shutdown waits for it: called inside it takes a context that ends.
	OnClose func(s *Session, reason error)

	once      sync.Once
	cfg       config
	single    single
	mu        sync.Mutex
	conns     map[*conn]bool             // whether OnConnect has let it in
	listeners map[*net.Listener]struct{} // by address: a Listener need not be comparable
	closing   bool
	done      chan struct{} // closed when Shutdown or Close is through
	gone      sync.WaitGroup
	past      Stats // of connections that have ended
	held      atomic.Int64
	pushes    atomic.Uint32
	reports   limiter
	shedding  shedding
	hooks     int          // OnConnect runs so many times
	entering  []*conn      // those that wait for their turn
	ownClock  *clock.Clock // tests
}

// Listen announces on the network, "tcp" or "unix" and their kin, with TCP keepalive as the server's connections have it.
func Listen(ctx context.Context, network, address string) (net.Listener, error) {
	lc := net.ListenConfig{KeepAliveConfig: sock.KeepAlive}
	return lc.Listen(ctx, network, address)
}

func (s *Server) init() {
	s.once.Do(func() {
		s.conns = make(map[*conn]bool)
		s.listeners = make(map[*net.Listener]struct{})
		s.done = make(chan struct{})
		g := &s.cfg
		g.setCodec(s.Codec, s.Raw, s.NotifyOnly)
		g.server, g.foreign = true, s.AllowForeign
		g.peers = s.Peer
		g.setLimits(s.Limits)
		g.dialect = s.Dialect
		g.log = orLog(s.Log)
		g.pushes = &s.pushes
		g.bytesHeld, g.overHeld = &s.held, s.shed
		g.clock = &clock.Process
		if s.ownClock != nil {
			g.clock = s.ownClock
		}
		switch h := s.Handler.(type) {
		case nil:
		case *Mux:
			g.router = h
		default:
			s.single.m = newMethod("", h)
			if g.envelope {
				s.single.m.h = tokenFirst{s.single.m.h}
			}
			s.single.m.wild = g.envelope
			g.router, g.only = s.single, s.single.m
		}
		g.setBare()
		g.closed, g.failed = s.ended, s.report
	})
}

// Serve accepts connections of l until Shutdown or Close, and returns ErrServerClosed when these are through. Settings that the
// codec refuses are frame.ErrConfig, before anything is accepted; any other error is one of accepting. Several listeners may be served at a time.
func (s *Server) Serve(l net.Listener) error {
	s.init()
	if err := s.cfg.misconfigured(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		_ = l.Close() // nothing was accepted from it
		<-s.done
		return ErrServerClosed
	}
	s.listeners[&l] = struct{}{}
	s.mu.Unlock()
	err := s.accept(l)
	s.mu.Lock()
	delete(s.listeners, &l)
	closing := s.closing
	s.mu.Unlock()
	if closing {
		<-s.done
		return ErrServerClosed
	}
	_ = l.Close() // accepting has failed for good
	return err
}

// accept takes connections; passing troubles, such as too many open files, are waited out.
func (s *Server) accept(l net.Listener) error {
	var pause time.Duration
	for {
		nc, err := l.Accept()
		if err == nil {
			pause = 0
			s.ServeConn(nc)
			continue
		}
		var ne net.Error
		if errors.Is(err, net.ErrClosed) || !errors.As(err, &ne) || !sock.Temporary(ne) {
			return err
		}
		pause = min(max(2*pause, 5*time.Millisecond), time.Second)
		s.cfg.log.Warn("rpc: accept failed", "error", err, "pause", pause)
		if s.pause(pause) {
			return err
		}
	}
}

// pause waits, and is true when the server closes meanwhile.
func (s *Server) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return false
	case <-s.done:
		return true
	}
}

// ServeConn serves one connection that came from elsewhere. It returns at once; what becomes of the connection OnConnect and
// OnClose tell.
func (s *Server) ServeConn(nc net.Conn) {
	s.init()
	sock.SetUserTimeout(nc)
	c := newConn(&s.cfg, nc)
	c.entering = s.OnConnect != nil
	s.mu.Lock()
	if s.closing || len(s.conns) >= s.cfg.lim.Connections {
		s.past.Refused++
		full := !s.closing
		s.mu.Unlock()
		s.cfg.clock.Leave(&c.alarm)
		_ = nc.Close() // it was never used
		if full && s.reports.allow(time.Now()) {
			s.cfg.log.Warn("rpc: too many connections", "limit", s.cfg.lim.Connections)
		}
		return
	}
	s.conns[c] = !c.entering
	s.past.Accepted++
	s.gone.Add(1)
	switch {
	case !c.entering:
	case s.hooks < hooksMost:
		s.hooks++
		go s.hook(c)
	default:
		s.entering = append(s.entering, c)
	}
	s.mu.Unlock()
	c.start()
}

// hooksMost is how many connections OnConnect is asked for at a time.
const hooksMost = 256

// hook lets OnConnect decide over c, and then over who comes next.
func (s *Server) hook(c *conn) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.entering) == 0 {
			s.hooks--
			return
		}
		next := s.entering[0]
		s.entering[0] = nil
		s.entering = s.entering[1:]
		go s.hook(next)
	}()
	if c.session.Err() == nil {
		s.admit(c)
	}
}

// admit asks OnConnect, whose panic is a refusal.
func (s *Server) admit(c *conn) {
	returned := false
	defer func() {
		if !returned {
			c.fail(errors.Join(ErrRefused, c.panicked(&method{name: "OnConnect"}, recover())))
		}
	}()
	err := s.OnConnect(&c.session)
	returned = true
	if err != nil {
		c.fail(errors.Join(ErrRefused, err))
		return
	}
	s.mu.Lock()
	_, open := s.conns[c]
	if open {
		s.conns[c] = true
	}
	s.mu.Unlock()
	switch {
	case open:
		c.letIn()
	case s.OnClose != nil: // it has ended meanwhile, and was let in
		s.OnClose(&c.session, c.session.Err())
	}
}

// ended is called by a connection's reader as its last act.
func (s *Server) ended(c *conn, reason error) {
	s.mu.Lock()
	in := s.conns[c]
	if !in {
		delete(s.conns, c)
		s.past.Refused++
	}
	s.mu.Unlock()
	if in && s.OnClose != nil {
		s.OnClose(&c.session, reason)
	}
	var t Stats
	c.addTo(&t)
	s.mu.Lock()
	delete(s.conns, c)
	s.past.add(&t)
	s.mu.Unlock()
	s.gone.Done()
}

// report logs a peer that broke the protocol.
func (s *Server) report(c *conn, err error) {
	if ok, more := s.reports.take(time.Now()); ok {
		s.cfg.log.Warn("rpc: connection closed", "peer", c.addr(), "error", err, "more", more)
	}
}

// Sessions are the open connections, in no order.
func (s *Server) Sessions() []*Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*Session, 0, len(s.conns))
	for c, in := range s.conns {
		if in {
			list = append(list, &c.session)
		}
	}
	return list
}

// Broadcast sends a one-way message to every open connection and returns how many took it. It does not wait: a connection
// whose backlog is full is closed with ErrSlowConsumer.
func (s *Server) Broadcast(ctx context.Context, action string, body []byte) (n int) {
	for _, p := range s.Sessions() {
		err := p.Notify(ctx, action, body)
		s.pushed(p, err)
		if err == nil {
			n++
		}
	}
	return n
}

// Stats returns the counters of all connections, those that have ended too.
func (s *Server) Stats() Stats {
	s.init()
	s.mu.Lock()
	t := s.past
	t.Open = len(s.conns)
	conns := slices.Collect(maps.Keys(s.conns))
	s.mu.Unlock()
	s.cfg.rare.addTo(&t)
	for _, c := range conns { // whose locks are not taken under the server's
		c.addTo(&t)
	}
	return t
}
