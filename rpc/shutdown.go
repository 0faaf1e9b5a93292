package rpc

import (
	"context"
	"errors"
	"time"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// Close closes listeners and connections at once. Handlers that run keep running, with their contexts ended.
func (s *Server) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Shutdown ends the server without breaking what is under way: it stops accepting, tells peers of ours to go elsewhere, answers
// new requests with code 503, lets running requests finish and their answers be sent, ends streams with ErrServerClosing,
// closes its side, and waits, up to Limits.Linger, for the peers to close theirs. When ctx ends before that everything is
// closed at once and its error returned. Serve returns afterwards. Without the envelope an answer has no code: callers cannot
// tell a refused request from one that failed.
func (s *Server) Shutdown(ctx context.Context) error {
	s.init()
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	for l := range s.listeners {
		_ = (*l).Close() // Accept tells
	}
	for c := range s.conns {
		if first {
			go s.retire(ctx, c)
		}
	}
	s.mu.Unlock()
	if first {
		go func() {
			s.gone.Wait()
			close(s.done)
		}()
	}
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for c := range s.conns {
		go c.fail(ErrServerClosed)
	}
	s.mu.Unlock()
	<-s.done
	return ctx.Err()
}

// retire shuts one connection down.
func (s *Server) retire(ctx context.Context, c *conn) {
	c.refuses.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	if c.cfg.envelope && c.peer.Load() == peerOurs && c.err == nil {
		k := c.buf()
		k.b = remoting.AppendControl(k.b, remoting.GoAway, c.passing(), remoting.Tail{})
		c.flush(false, false)
	}
	for c.err == nil {
		c.endStreams() // also those that began in this moment
		if c.idleLocked() {
			break
		}
		if c.await(ctx) != nil {
			return // Shutdown closes all
		}
	}
	if c.err != nil {
		return
	}
	half, ok := c.nc.(interface{ CloseWrite() error })
	if ok {
		c.shut = true
		c.mu.Unlock() // TLS has something to write
		ok = half.CloseWrite() == nil
		c.mu.Lock()
	}
	if !ok {
		c.failLocked(ErrServerClosed)
		return
	}
	c.linger(ctx)
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
func (c *conn) linger(ctx context.Context) {
	limit := c.cfg.lim.Linger
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	for c.err == nil && c.await(ctx) == nil {
	}
	c.failLocked(ErrServerClosed)
}

// Shutdown ends the client without breaking what is under way: new calls are refused, those under way are waited for. When ctx
// ends before that they fail and its error is returned.
func (cl *Client) Shutdown(ctx context.Context) error {
	cl.mu.Lock()
	cl.closing = true
	conns := append([]*conn(nil), cl.conns...)
	cl.mu.Unlock()
	var err error
	for _, c := range conns {
		c.mu.Lock()
		c.drain(ErrClosed)
		for c.err == nil && err == nil && (c.tab != nil && c.tab.n > 0 || c.flushing || c.queued()) {
			err = c.settled(ctx)
		}
		c.mu.Unlock()
	}
	_ = cl.Close() // cannot fail
	return err
}

// settled waits a little for calls under way to end.
func (c *conn) settled(ctx context.Context) error {
	c.mu.Unlock()
	defer c.mu.Lock()
	return sleep(ctx, c.cfg.clock, tick)
}

// sleep waits for d on the library's clock.
func sleep(ctx context.Context, k *clock, d time.Duration) error {
	s := sleeping{make(chan struct{})}
	a := alarm{of: s}
	k.join()
	defer k.leave(&a)
	k.set(&a, k.now()+ticks(d))
	select {
	case <-s.ch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type sleeping struct{ ch chan struct{} }

func (s sleeping) wake(int64) { close(s.ch) }
