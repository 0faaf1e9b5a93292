package rpc

import (
	"context"
	"crypto/tls"
	"net"
)

// Session is one open connection as user code sees it. Its methods may be called by any goroutine.
type Session struct {
	c    *conn
	data *sessionData // nil while there is none; guarded by the connection's lock
}

type sessionData struct {
	token  string
	values map[any]any
}

// hold locks the session's data.
func (s *Session) hold() (*sessionData, func()) {
	s.c.mu.Lock()
	if s.data == nil {
		s.data = new(sessionData)
	}
	return s.data, s.c.mu.Unlock
}

// Peer returns the connection on which the request came that ctx belongs to, nil for other contexts.
func Peer(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// RemoteAddr is the address of the peer.
func (s *Session) RemoteAddr() net.Addr { return s.c.nc.RemoteAddr() }

// LocalAddr is the address on this side.
func (s *Session) LocalAddr() net.Addr { return s.c.nc.LocalAddr() }

// TLS returns the state of the TLS connection, false without TLS.
func (s *Session) TLS() (tls.ConnectionState, bool) {
	if t, ok := s.c.nc.(*tls.Conn); ok {
		return t.ConnectionState(), true
	}
	return tls.ConnectionState{}, false
}

// Context ends when the connection does.
func (s *Session) Context() context.Context { return &s.c.base }

// Err tells why the connection ended, nil while it is open: a *ConnError.
func (s *Session) Err() error {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.c.err
}

// Ours reports that the peer has shown that it is of this package; NewLife and unknown peers are not.
func (s *Session) Ours() bool { return s.c.peer.Load() == peerOurs }

// Close ends the connection; nil is ErrClosed.
func (s *Session) Close(reason error) {
	if reason == nil {
		reason = ErrClosed
	}
	s.c.close(reason)
}

// entering tells whether OnConnect has not let the connection in yet.
func (s *Session) entering() bool {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.c.entering
}

// Stats returns the counters of the connection.
func (s *Session) Stats() Stats {
	t := Stats{Accepted: 1}
	s.c.addTo(&t)
	if s.Err() == nil {
		t.Open = 1
	}
	return t
}

// Set keeps a value with the session, Value returns it.
func (s *Session) Set(key, value any) {
	d, release := s.hold()
	defer release()
	if d.values == nil {
		d.values = make(map[any]any)
	}
	d.values[key] = value
}

// Value returns what Set has kept under key, nil without.
func (s *Session) Value(key any) any {
	d, release := s.hold()
	defer release()
	return d.values[key]
}

// SetToken sets the session's token, as a login action does.
func (s *Session) SetToken(token string) {
	d, release := s.hold()
	defer release()
	d.token = token
}

// Token returns the session's token.
func (s *Session) Token() string {
	d, release := s.hold()
	defer release()
	return d.token
}

// Notify sends a one-way message. It does not wait: a full backlog is ErrBusy. On codecs without one-way messages it is
// errors.ErrUnsupported.
func (s *Session) Notify(ctx context.Context, action string, body []byte) error {
	var m outgoing
	m.init(ctx, action, body)
	m.mode = oneWayMode
	return s.c.tell(ctx, &m, false)
}

// Call calls the peer and appends the answer to dst. With the envelope the peer must have shown that it is of this package;
// others do not answer: errors.ErrUnsupported. Codecs without numbers cannot carry calls of a server.
func (s *Session) Call(ctx context.Context, dst []byte, action string, req []byte) ([]byte, error) {
	if err := s.callable(); err != nil {
		return dst, err
	}
	return s.c.call(ctx, dst, action, req)
}

// Invoke is Call with values: see Client.Invoke. Until the peer's first frame has shown who it is it waits, under ctx; inside OnConnect
// that is ErrWouldDeadlock.
func (s *Session) Invoke(ctx context.Context, action string, arg, reply any) error {
	if err := badReply(reply); err != nil {
		return named(notSent(err), action)
	}
	if err := s.c.know(ctx); err != nil {
		return named(err, action)
	}
	if err := s.callable(); err != nil {
		return err
	}
	return s.c.invoke(ctx, &Call{Action: action, Arg: arg, Reply: reply}, nil, false)
}
