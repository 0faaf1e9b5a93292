package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/spanwire/spanwire/rpc/value"
)

// A Dialer makes clients. The zero value has the defaults. Its methods keep a copy: what is changed later changes no client.
type Dialer struct {
	// Codec draws the border between frames; nil is frame.Standard. See the package documentation for what each can carry.
	Codec frame.Codec
	// Raw leaves out the Remoting envelope: payloads of Standard frames are the caller's alone, and action is "".
	Raw bool
	// Peer says who the server is: it decides how values travel. See "Values" in the package documentation.
	Peer PeerKind
	// NotifyOnly: nothing is answered. It makes one-way messages possible with codecs other than Standard.
	NotifyOnly bool
	// Limits bound memory and time; the zero value has the defaults.
	Limits Limits
	// Dialect is how values are written and read.
	Dialect value.Dialect
	// Log gets panics of handlers and calls that travel as JSON, since the server has another layout; nil is slog.Default().
	Log *slog.Logger
	// Handler gets what the server sends on its own: one-way messages, and calls between our own peers.
	Handler Handler
	// MaxConns is how many connections the client opens (4): a second one when 192 calls are under way on the first. One-way
	// messages stay on the first, which keeps their order.
	MaxConns int
	// TLS, when not nil, is what connections are encrypted with.
	TLS *tls.Config
	// NetDial makes connections instead of a net.Dialer.
	NetDial func(ctx context.Context, network, address string) (net.Conn, error)
	// Header makes the header bytes of a request on the LengthField codec. The reply must repeat them; one that does not
	// closes the connection with ErrMismatch.
	Header func(payload []byte) []byte
	// Login gets a token when a call was answered with code 401, which is then repeated once. One login runs at a time; calls
	// that waited for it use its result. It may make calls with the client: these are not repeated.
	Login func(ctx context.Context, cl *Client) (token string, err error)
	// Token is sent with every call that can carry it, as the member Token of the argument object.
	Token string
	// Headers are further members, behind the token.
	Headers []value.Member
	// Intercept is put around every call, the first outermost.
	Intercept []Interceptor
	// OnClose is called when a connection has ended, with the reason.
	OnClose func(s *Session, reason error)

	clock *clock.Clock // tests
}

// Interceptor puts something around everything that a client sends: calls of all kinds, streams and one-way messages; Call.Kind tells
// which it is, and so what next waits for. It may change the call, make it several times, or not at all.
type Interceptor func(ctx context.Context, call *Call, next func(ctx context.Context, call *Call) error) error

// Client makes calls. Its methods may be used by any number of goroutines.
type Client struct {
	cfg     config
	o       Dialer
	network string // "" when there is no dialing
	address string
	invoke  func(ctx context.Context, call *Call) error // with the interceptors around it, nil without any
	spill   int                                         // calls under way at which another connection is used

	first   atomic.Pointer[conn] // the one that calls go to
	mu      sync.Mutex
	conns   []*conn
	past    Stats
	closing bool
	dialing *attempt
	fails   int // dials that failed in a row
	retryAt time.Time
	lastErr error
	login   loginState
	life    context.Context // of dials: ends with Close
	end     context.CancelFunc
}

// Dial connects to a server with the defaults of [Dialer].
func Dial(ctx context.Context, network, address string) (*Client, error) {
	return Dialer{}.Dial(ctx, network, address)
}

// NewClient makes a client of the defaults of [Dialer] on a connection that exists.
func NewClient(nc net.Conn) *Client { return Dialer{}.NewClient(nc) }

// Dial connects to a server. Later the client connects anew whenever a call needs a connection and there is none. Settings that the
// codec refuses are frame.ErrConfig.
func (d Dialer) Dial(ctx context.Context, network, address string) (*Client, error) {
	cl := d.client(network, address)
	if err := cl.cfg.misconfigured(); err != nil {
		return nil, err
	}
	if _, err := cl.connect(ctx, false); err != nil {
		_ = cl.Close() // the dial may still be under way
		return nil, err
	}
	return cl, nil
}

// NewClient makes a client on a connection that exists. It does not open others. With settings that the codec refuses the connection
// is closed, and calls fail with frame.ErrConfig.
func (d Dialer) NewClient(nc net.Conn) *Client {
	cl := d.client("", "")
	if err := cl.cfg.misconfigured(); err != nil {
		cl.lastErr = err
		_ = nc.Close() // it was never used
		return cl
	}
	cl.adopt(nc)
	return cl
}

// client makes one without connections.
func (d Dialer) client(network, address string) *Client {
	cl := &Client{network: network, address: address, lastErr: ErrClosed, o: d}
	cl.life, cl.end = context.WithCancel(context.Background())
	orInt(&cl.o.MaxConns, 4)
	if cl.spill = maxNumbers + 1; cl.o.MaxConns > 1 {
		cl.spill = secondConn
	}
	g := &cl.cfg
	g.setCodec(cl.o.Codec, cl.o.Raw, cl.o.NotifyOnly)
	g.peers = cl.o.Peer
	g.setLimits(cl.o.Limits)
	g.dialect = cl.o.Dialect
	g.log = orLog(cl.o.Log)
	g.redials = network != ""
	g.clock = &clock.Process
	if cl.o.clock != nil {
		g.clock = cl.o.clock
	}
	if g.length != nil {
		g.header = cl.o.Header
	}
	switch h := cl.o.Handler.(type) {
	case nil:
	case *Mux:
		g.router = h
	default:
		m := newMethod("", h)
		m.wild = g.envelope
		g.router, g.only = single{m}, m
	}
	g.setBare()
	g.closed, g.spent = cl.ended, cl.passOver
	cl.compose()
	return cl
}

// compose puts the interceptors around the call itself.
func (cl *Client) compose() {
	if len(cl.o.Intercept) == 0 {
		return
	}
	next := cl.makeAny
	for i := len(cl.o.Intercept) - 1; i >= 0; i-- {
		in, inner := cl.o.Intercept[i], next
		next = func(ctx context.Context, call *Call) error { return in(ctx, call, inner) }
	}
	cl.invoke = next
}

// makeAny is what the interceptors stand around.
func (cl *Client) makeAny(ctx context.Context, call *Call) error {
	switch call.Kind {
	case CallAsync:
		return cl.goAny(ctx, call.Action, call.Body, call.fn)
	case CallOneWay:
		return cl.tellCall(ctx, call)
	case CallStreamed:
		if call.stream != nil {
			call.stream.close() // of a try before
		}
		s, err := cl.openStream(ctx, call.Action, call.Arg, call.item)
		call.stream = s
		return err
	}
	return cl.makeCall(ctx, call)
}

// Call calls an action with bytes, nil for none, and appends the answer to dst. Without the envelope action is "". req is not
// used any more when Call returns, also when ctx ended before the answer came. An error is an *Error when the peer answered
// with one, else a *CallError.
func (cl *Client) Call(ctx context.Context, dst []byte, action string, req []byte) ([]byte, error) {
	c := cl.first.Load()
	if c == nil || action != "" || !isBackground(ctx) || cl.invoke != nil {
		return cl.callAny(ctx, dst, action, req)
	}
	ca, wait := c.callBare(dst, req, cl.spill)
	if ca == nil {
		return cl.callAny(background, dst, "", req)
	}
	if wait {
		<-ca.ch // here, where little of a stack is in use: callers are many
	}
	if ca.err != nil {
		return cl.bareFailed(ca, req)
	}
	dst, ca.dst = ca.dst, nil // all that a bare answer has set
	cl.cfg.calls.Put(ca)
	return dst, nil
}

// bareFailed ends a bare call that has failed, or goes on with it.
func (cl *Client) bareFailed(ca *call, req []byte) ([]byte, error) {
	dst, err := ca.dst, ca.err
	cl.cfg.putCall(ca)
	return cl.rawFailed(background, dst, "", req, err, 0, 0) // there is no code 401 here
}

func (cl *Client) callAny(ctx context.Context, dst []byte, action string, req []byte) ([]byte, error) {
	if cl.invoke == nil {
		return cl.rawCall(ctx, dst, action, req)
	}
	c := Call{Action: action, Raw: true, Body: req, Dst: dst}
	err := cl.invoke(ctx, &c)
	return c.Dst, err
}

// Invoke calls an action with a value and reads the answer into reply, a pointer, or nowhere when it is nil. See
// "Values" in the package documentation for how they travel. A reply that is a *[]byte or a *value.Packet gets the body as it stands.
func (cl *Client) Invoke(ctx context.Context, action string, arg, reply any) error {
	c := Call{Action: action, Arg: arg, Reply: reply}
	if cl.invoke != nil {
		return cl.invoke(ctx, &c)
	}
	return cl.makeCall(ctx, &c)
}

// Go calls an action and gives the answer to fn: exactly once, also when the call fails or the client is closed. body is valid
// inside fn only. fn runs on the goroutine that reads the connection and must not block; it may call Go, and Notify, which
// waits while the backlog is full. When Go itself
// returns an error fn is not called: ErrBusy when too many calls are under way or the backlog is full. Login is not used, and
// nothing is repeated.
func (cl *Client) Go(ctx context.Context, action string, req []byte, fn func(body []byte, err error)) error {
	if cl.invoke != nil {
		return cl.invoke(ctx, &Call{Action: action, Kind: CallAsync, Raw: true, Body: req, fn: fn})
	}
	c := cl.first.Load()
	if c == nil || action != "" || !isBackground(ctx) {
		return cl.goAny(ctx, action, req, fn)
	}
	if c.goBare(req, fn) {
		return nil
	}
	return cl.goAny(background, "", req, fn)
}

func (cl *Client) goAny(ctx context.Context, action string, req []byte, fn func(body []byte, err error)) error {
	c, err := cl.pick(ctx)
	if err != nil {
		return named(err, action)
	}
	var m outgoing
	m.init(ctx, action, req)
	err = c.goCall(ctx, &m, fn)
	if errors.Is(err, ErrBusy) {
		if o := cl.other(c, false); o != nil {
			err = o.goCall(ctx, &m, fn)
		}
	}
	return named(err, action)
}

// Notify sends a one-way message: it returns when that is queued to be written, together with others that come in the same
// moment. While the backlog is full it waits under ctx; under the context of a handler of the same connection it does not wait, which
// both sides could do for ever: ErrBusy. On codecs without one-way messages it is errors.ErrUnsupported.
func (cl *Client) Notify(ctx context.Context, action string, body []byte) error {
	if cl.invoke != nil {
		return cl.invoke(ctx, &Call{Action: action, Kind: CallOneWay, Raw: true, Body: body})
	}
	c := cl.first.Load()
	if c == nil || action != "" || !isBackground(ctx) {
		return cl.tellAny(ctx, action, body)
	}
	if c.tellBare(body) {
		return nil
	}
	return cl.tellAny(background, "", body)
}

func (cl *Client) tellAny(ctx context.Context, action string, body []byte) error {
	c, err := cl.pick(ctx)
	if err != nil {
		return named(err, action)
	}
	var m outgoing
	m.init(ctx, action, body)
	m.mode = oneWayMode
	return named(c.tell(ctx, &m, true), action)
}

// Session is the connection that calls go to, nil when there is none at the moment.
func (cl *Client) Session() *Session {
	if c := cl.first.Load(); c != nil {
		return &c.session
	}
	return nil
}

// Close ends all connections at once; calls under way fail. It returns nil.
func (cl *Client) Close() error {
	cl.mu.Lock()
	cl.closing = true
	conns := append([]*conn(nil), cl.conns...)
	cl.mu.Unlock()
	cl.end()
	for _, c := range conns {
		c.close(ErrClosed)
	}
	return nil
}

// Stats returns the counters of all connections, those that have ended too.
func (cl *Client) Stats() Stats {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	t := cl.past
	t.Open = len(cl.conns)
	cl.cfg.rare.addTo(&t)
	for _, c := range cl.conns {
		c.addTo(&t)
	}
	return t
}
