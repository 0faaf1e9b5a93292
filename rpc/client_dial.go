package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/internal/sock"
)

const (
	backOffMin = 100 * time.Millisecond
	backOffMax = 5 * time.Second
)

// attempt is a dial that several calls may wait for.
type attempt struct {
	done chan struct{}
	err  error
}

// pick returns the connection that calls go to, and makes one when there is none.
func (cl *Client) pick(ctx context.Context) (*conn, error) {
	if c := cl.first.Load(); c != nil {
		if !c.spent.Load() {
			return c, nil
		}
		cl.passOver(c)
	}
	o := optionsOf(ctx)
	return cl.connect(ctx, o != nil && o.WaitReady)
}

// connect dials, or waits for the dial that is under way. With wait it outlasts failures.
func (cl *Client) connect(ctx context.Context, wait bool) (*conn, error) {
	for {
		a, pause, err := cl.begin()
		switch {
		case err != nil:
			return nil, notSent(err)
		case a == nil && pause == 0:
			if c := cl.first.Load(); c != nil {
				return c, nil
			}
			continue
		case a == nil && !wait:
			cl.mu.Lock()
			err = cl.lastErr
			cl.mu.Unlock()
			return nil, notSent(err)
		case a == nil:
			if err := cl.rest(ctx, pause); err != nil {
				return nil, notSent(err)
			}
			continue
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, notSent(ctx.Err())
		}
		if a.err != nil && !wait {
			return nil, notSent(a.err)
		}
	}
}

// rest waits before the next dial, or until the client is closed.
func (cl *Client) rest(ctx context.Context, d time.Duration) error {
	while, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(cl.life, cancel)()
	_ = cl.cfg.clock.Sleep(while, d) // Close is found by begin
	return ctx.Err()
}

// begin starts a dial: one at a time, and not before the client has backed off (pause). Neither is returned when there is a
// connection.
func (cl *Client) begin() (a *attempt, pause time.Duration, err error) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	switch {
	case cl.closing:
		return nil, 0, ErrClosed
	case cl.first.Load() != nil:
		return nil, 0, nil
	case cl.network == "":
		return nil, 0, cl.lastErr
	case cl.dialing != nil:
		return cl.dialing, 0, nil
	}
	if d := time.Until(cl.retryAt); d > 0 {
		return nil, d, nil
	}
	return cl.dial(), 0, nil
}

// dial starts a dial. mu is held.
func (cl *Client) dial() *attempt {
	a := &attempt{done: make(chan struct{})}
	cl.dialing = a
	go func() {
		nc, err := cl.open()
		if err == nil {
			cl.adopt(nc)
		}
		cl.mu.Lock()
		cl.dialing = nil
		if err != nil {
			if cl.closing {
				err = ErrClosed // and not that of the context
			}
			a.err, cl.lastErr = err, err
			cl.backOff()
		}
		cl.mu.Unlock()
		close(a.done)
	}()
	return a
}

// backOff puts the next dial off. mu is held.
func (cl *Client) backOff() {
	cl.fails++
	d := min(backOffMin<<min(cl.fails-1, 10), backOffMax)
	cl.retryAt = time.Now().Add(d/2 + rand.N(d))
}

// open makes a connection to the server.
func (cl *Client) open() (net.Conn, error) {
	ctx := cl.life
	if d := cl.cfg.lim.FirstByte; d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	dial := cl.o.NetDial
	if dial == nil {
		dial = (&net.Dialer{KeepAliveConfig: sock.KeepAlive}).DialContext
	}
	nc, err := dial(ctx, cl.network, cl.address)
	if err != nil || cl.o.TLS == nil {
		return nc, err
	}
	return cl.secure(ctx, nc)
}

// secure begins TLS on a connection.
func (cl *Client) secure(ctx context.Context, nc net.Conn) (net.Conn, error) {
	config := cl.o.TLS
	if config.ServerName == "" {
		config = config.Clone()
		config.ServerName, _, _ = net.SplitHostPort(cl.address)
	}
	t := tls.Client(nc, config)
	if err := t.HandshakeContext(ctx); err != nil {
		_ = nc.Close() // it was never used
		return nil, err
	}
	return t, nil
}

// adopt takes a connection in use.
func (cl *Client) adopt(nc net.Conn) {
	sock.SetUserTimeout(nc)
	cl.mu.Lock()
	if cl.closing {
		cl.mu.Unlock()
		_ = nc.Close() // it was never used
		return
	}
	c := newConn(&cl.cfg, nc)
	cl.conns = append(cl.conns, c)
	cl.past.Accepted++
	cl.first.CompareAndSwap(nil, c)
	cl.mu.Unlock()
	c.start()
	c.askFirst()
}

// passOver sends no new calls to a connection.
func (cl *Client) passOver(c *conn) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	cl.promote(c)
}

// promote makes another connection the first when c was it.
func (cl *Client) promote(c *conn) {
	if cl.first.Load() != c {
		return
	}
	cl.first.Store(nil)
	if err := c.reason(); err != nil {
		cl.lastErr = err
	}
	for _, other := range cl.conns {
		if other == c {
			continue
		}
		other.mu.Lock()
		ok := other.ready() == nil
		other.mu.Unlock()
		if ok {
			cl.first.Store(other)
			return
		}
	}
}

// ended forgets a connection.
func (cl *Client) ended(c *conn, reason error) {
	cl.mu.Lock()
	for i, other := range cl.conns {
		if other == c {
			cl.conns = append(cl.conns[:i], cl.conns[i+1:]...)
			break
		}
	}
	cl.lastErr = reason
	if c.count.bytesIn.Load() == 0 && !ours(reason) && clock.Age(cl.cfg.clock.Now(), c.born) < clock.Ticks(time.Second) { // as good as refused
		cl.backOff()
	} else {
		cl.fails = 0
	}
	c.addTo(&cl.past)
	cl.promote(c)
	cl.mu.Unlock()
	if cl.o.OnClose != nil {
		cl.o.OnClose(&c.session, reason)
	}
}

// ours reports whether this side ended a connection: the client was closed, a call given up where answers come in order, or there were no
// numbers left.
func ours(reason error) bool {
	return errors.Is(reason, ErrClosed) || errors.Is(reason, ErrExhausted) || errors.Is(reason, context.Canceled) || errors.Is(reason, context.DeadlineExceeded)
}

// other returns a connection for calls that are too many for c, and has one dialed when there is none. One for values must know its
// peer: else that is asked, and c goes on until it has answered.
func (cl *Client) other(c *conn, values bool) *conn {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	var best *conn
	asked := false
	least := secondConn
	for _, o := range cl.conns {
		if o == c {
			continue
		}
		o.mu.Lock()
		if values && o.peer.Load() == peerUnknown && cl.cfg.envelope && o.ready() == nil {
			o.ask()
			o.mu.Unlock()
			asked = true
			continue
		}
		n := 0
		if o.calls.tab != nil {
			n = o.calls.tab.Len()
		}
		if o.ready() == nil && n < least {
			best, least = o, n
		}
		o.mu.Unlock()
	}
	if best == nil && !asked && cl.network != "" && !cl.closing && cl.dialing == nil && len(cl.conns) < cl.o.MaxConns && time.Now().After(cl.retryAt) {
		cl.dial()
	}
	return best
}

// reason tells why c takes no calls.
func (c *conn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ready()
}

// moves tells whether an error is of a connection that takes no calls, so that another may.
func moves(err error) bool {
	var ce *ConnError
	return errors.As(err, &ce) || errors.Is(err, ErrGoingAway) || errors.Is(err, ErrExhausted)
}
