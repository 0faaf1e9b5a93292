package rpc

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// Close closes listeners and connections at once. It waits for no handlers and hooks: those that run keep running, with the contexts
// of their requests ended. Serve returns when the hooks are through.
func (s *Server) Close() error {
	closeAll(s.beginClosing(nil))
	return nil
}

// closeAll closes connections, and waits until nobody reads from them but those who run handlers.
func closeAll(conns []*conn) {
	for _, c := range conns {
		c.close(ErrServerClosed)
	}
	for _, c := range conns {
		c.mu.Lock()
		for c.read.role != readOver && !c.read.handling.Load() {
			c.waitChange()
		}
		c.mu.Unlock()
	}
}

// Shutdown ends the server without breaking what is under way: it stops accepting, tells peers of ours to go elsewhere, refuses
// new requests with code 503, lets those that were accepted finish and their answers be sent, ends streams with ErrServerClosing,
// tells peers of ours that all that was accepted is answered - calls that they have not seen an answer to have not run, and may be
// repeated elsewhere -, closes its side, and waits, up to Limits.Linger, for the peers to close theirs. When ctx ends before that
// everything is closed at once and its error returned. Inside a hook or a handler, which it waits for, it returns only then: ctx must
// end. Serve returns when all hooks have. Without the envelope an answer has no code: callers cannot tell a refused request from one
// that failed.
func (s *Server) Shutdown(ctx context.Context) error {
	s.beginClosing(func(c *conn, in bool) {
		if !in {
			c.fail(ErrServerClosed)
			return
		}
		_ = c.retire(ctx, ErrServerClosed) // its error is that of ctx: see below
	})
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	conns := slices.Collect(maps.Keys(s.conns))
	s.mu.Unlock()
	closeAll(conns)
	return ctx.Err()
}

// beginClosing stops accepting and returns the connections. The first time end, when not nil, is started for each of them.
func (s *Server) beginClosing(end func(c *conn, in bool)) []*conn {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closing
	s.closing = true
	for l := range s.listeners {
		_ = (*l).Close() // Accept tells
	}
	if first {
		for c, in := range s.conns {
			if end != nil {
				go end(c, in)
			}
		}
		go func() {
			s.gone.Wait()
			close(s.done)
		}()
	}
	return slices.Collect(maps.Keys(s.conns))
}

// retire ends a connection when all that was accepted is answered. The gate closes here: what the reader handles from now on is
// refused. In the hold of the lock in which nothing is found to be left the last frame is queued, which tells the peer so.
func (c *conn) retire(ctx context.Context, reason error) error {
	c.refuses.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.goAway(remoting.Tail{})
	if c.read.take != nil && c.read.role == readNobody {
		c.give() // somebody must see the peer's end
	}
	for c.err == nil {
		c.endStreams() // also those that began in this moment
		if c.idleLocked() {
			break
		}
		if err := c.await(ctx); err != nil {
			return err
		}
	}
	c.goAway(remoting.AppendLast(remoting.Tail{}))
	for c.err == nil && (c.write.flushing || c.write.queued()) {
		if err := c.await(ctx); err != nil {
			return err
		}
	}
	switch {
	case c.err != nil:
	case c.closeWrite():
		c.linger(ctx, reason)
	default:
		c.failLocked(reason)
	}
	return nil
}

// goAway tells a peer of ours that no more of its requests are taken. With the mark of the last frame nothing is sent behind it.
func (c *conn) goAway(t remoting.Tail) {
	if c.err != nil {
		return
	}
	if c.cfg.envelope && c.peer.Load() == peerOurs {
		k := c.write.open()
		k.b = remoting.AppendControl(k.b, remoting.GoAway, c.passing(), t)
	}
	c.shut = t.Last()
	c.flush(false, false)
}

// endStreams ends the streams under way for a server that closes.
func (c *conn) endStreams() {
	for t := c.under(); t != nil; t = t.next {
		if t.m.stream != nil {
			t.cancel(ErrServerClosing)
		}
	}
	if c.work != nil && c.work.told != nil && c.work.told.m.stream != nil {
		c.work.told.cancel(ErrServerClosing)
	}
}

// linger waits for the peer to close its side.
func (c *conn) linger(ctx context.Context, reason error) {
	limit := c.cfg.lim.Linger
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	for c.err == nil && c.await(ctx) == nil {
	}
	c.failLocked(reason)
}

// Shutdown ends the client without breaking what is under way: new calls are refused, those under way are waited for, and so are requests
// of the server; one that comes later is refused. When ctx ends before that they fail and its error is returned.
func (cl *Client) Shutdown(ctx context.Context) error {
	cl.mu.Lock()
	cl.closing = true
	conns := append([]*conn(nil), cl.conns...)
	cl.mu.Unlock()
	var err error
	for _, c := range conns {
		c.mu.Lock()
		c.drain(ErrClosed)
		for c.err == nil && err == nil && (c.calling() || c.write.flushing || c.write.queued()) {
			err = c.settled(ctx)
		}
		c.mu.Unlock()
	}
	errs := make([]error, len(conns))
	var leaving sync.WaitGroup
	for i, c := range conns {
		if err == nil && cl.cfg.envelope && c.peer.Load() == peerOurs {
			leaving.Go(func() { errs[i] = c.retire(ctx, ErrClosed) })
		}
	}
	leaving.Wait()
	for _, e := range errs {
		if err == nil {
			err = e
		}
	}
	_ = cl.Close() // cannot fail
	return err
}

// settled waits a little for calls under way to end.
func (c *conn) settled(ctx context.Context) error {
	c.mu.Unlock()
	defer c.mu.Lock()
	return c.cfg.clock.Sleep(ctx, clock.Tick)
}
