package rpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// errSpill: so many calls are under way on this connection that another should take it.
var errSpill = errors.New("rpc: connection is busy")

const (
	maxMoves  = 3 // times that a call goes to another connection before it was sent
	maxAgain  = 2 // times that a refused call is repeated
	againBase = 50 * time.Millisecond
)

// rawCall is Call without interceptors: the straight way first.
func (cl *Client) rawCall(ctx context.Context, dst []byte, action string, req []byte) ([]byte, error) {
	gen := 0
	if cl.o.Login != nil {
		gen = cl.logins()
	}
	if c := cl.first.Load(); c != nil && !c.spent.Load() {
		var m outgoing
		m.init(ctx, action, req)
		m.spill = cl.o.MaxConns > 1
		out, err := c.exchange(ctx, dst, &m)
		if err == nil {
			return out, nil
		}
		return cl.rawFailed(ctx, dst, action, req, err, gen, m.born)
	}
	return cl.rawAgain(ctx, dst, action, req, nil, gen, 0)
}

// rawFailed goes on with a call whose first try has failed.
func (cl *Client) rawFailed(ctx context.Context, dst []byte, action string, req []byte, err error, gen int, born int32) ([]byte, error) {
	if !cl.mayRepeat(err) {
		return dst, err
	}
	return cl.rawAgain(ctx, dst, action, req, err, gen, born)
}

// rawAgain goes on with a call that has failed with err, when the login was gen, or has not been tried.
func (cl *Client) rawAgain(ctx context.Context, dst []byte, action string, req []byte, err error, gen int, born int32) ([]byte, error) {
	c := Call{Action: action, Raw: true, Body: req, Dst: dst, born: born}
	err = cl.tries(ctx, &c, err, gen)
	return c.Dst, err
}

// makeCall is a call without interceptors.
func (cl *Client) makeCall(ctx context.Context, call *Call) error {
	call.born = 0 // an interceptor may make it several times
	if err := badReply(call.Reply); !call.Raw && err != nil {
		return named(notSent(err), call.Action)
	}
	return cl.tries(ctx, call, nil, 0)
}

// mayRepeat tells whether it is worth looking closer at an error.
func (cl *Client) mayRepeat(err error) bool {
	var e *Error
	if errors.As(err, &e) {
		return e.Code == remoting.Unauthorized && cl.o.Login != nil || OutcomeOf(err) == Refused
	}
	return true
}

// progress of one call over its tries.
type tried struct {
	moves, again int
	loggedIn     bool
	unknown      bool
	login        int // state of the login when last tried
}

// tries makes a call until it is answered or must not be repeated. err, when not nil, is of a first try, when the login was gen.
func (cl *Client) tries(ctx context.Context, call *Call, err error, gen int) error {
	t := tried{login: gen}
	for {
		if err == nil {
			if err = cl.try(ctx, call, &t); err == nil {
				return nil
			}
		}
		if !cl.repeat(ctx, err, &t) {
			return err
		}
		err = nil
	}
}

// try makes a call once.
func (cl *Client) try(ctx context.Context, call *Call, t *tried) error {
	c, err := cl.pick(ctx)
	if err != nil {
		return named(err, call.Action)
	}
	members, gen := cl.members()
	t.login = gen
	err = c.invoke(ctx, call, members, cl.o.MaxConns > 1)
	if errors.Is(err, errSpill) {
		if o := cl.other(c, !call.Raw); o != nil {
			c = o
		}
		err = c.invoke(ctx, call, members, false)
	}
	return err
}

// repeat tells whether a call that failed is to be made again, after what has to be done before.
func (cl *Client) repeat(ctx context.Context, err error, t *tried) bool {
	o := optionsOf(ctx)
	if o != nil && o.Once && !errors.Is(err, errSpill) {
		return false
	}
	var e *Error
	if errors.As(err, &e) && e.Code == remoting.Unauthorized {
		if cl.o.Login == nil || t.loggedIn || ctx.Value(loginKey{}) != nil {
			return false
		}
		t.loggedIn = true
		return cl.relogin(ctx, t.login) == nil
	}
	if errors.Is(err, errSpill) {
		return true
	}
	if ctx.Err() != nil || cl.network == "" {
		return false
	}
	switch OutcomeOf(err) {
	case NotSent:
		t.moves++
		return moves(err) && t.moves <= maxMoves
	case Refused:
		if otherLayout(err) { // and will be
			return false
		}
		if moves(err) { // the peer has gone
			t.moves++
			return t.moves <= maxMoves
		}
		t.again++
		if t.again > maxAgain {
			return false
		}
		d := againBase << t.again
		return cl.cfg.clock.Sleep(ctx, d/2+rand.N(d)) == nil
	case Unknown:
		if o == nil || !o.Idempotent || t.unknown {
			return false
		}
		t.unknown = true
		return true
	}
	return false
}

// loginState is the token, and the login that is under way.
type loginState struct {
	mu      sync.Mutex
	gen     int // counts logins that succeeded
	token   string
	set     bool // token was set since Dialer.Token
	running *attempt
}

type loginKey struct{}

// members are what the client adds to the arguments of a call.
func (cl *Client) members() ([]value.Member, int) {
	s := &cl.login
	s.mu.Lock()
	defer s.mu.Unlock()
	token := cl.o.Token
	if s.set {
		token = s.token
	}
	if token == "" {
		return cl.o.Headers, s.gen
	}
	return append([]value.Member{{Name: tokenMember, Value: token}}, cl.o.Headers...), s.gen
}

// logins counts those that succeeded.
func (cl *Client) logins() int {
	s := &cl.login
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gen
}

// SetToken sets the token that calls carry from now on.
func (cl *Client) SetToken(token string) {
	s := &cl.login
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.set = token, true
	s.gen++
}

// relogin runs the login hook, unless there was a login since gen; when one is under way its result counts.
func (cl *Client) relogin(ctx context.Context, gen int) error {
	s := &cl.login
	s.mu.Lock()
	if s.gen != gen {
		s.mu.Unlock()
		return nil
	}
	a := s.running
	if a == nil {
		a = &attempt{done: make(chan struct{})}
		s.running = a
		go cl.runLogin(context.WithValue(context.WithoutCancel(ctx), loginKey{}, true), a)
	}
	s.mu.Unlock()
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// runLogin runs the hook for all who wait for it.
func (cl *Client) runLogin(ctx context.Context, a *attempt) {
	ctx = context.WithValue(ctx, optionsKey{}, (*CallOptions)(nil)) // which are of the call that was refused
	if d := cl.cfg.lim.CallTimeout; d > 0 && d < 1<<62 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*d)
		defer cancel()
	}
	var token string
	defer func() {
		s := &cl.login
		s.mu.Lock()
		s.running = nil
		if a.err == nil {
			s.token, s.set = token, true
			s.gen++
		}
		s.mu.Unlock()
		close(a.done)
	}()
	a.err = errors.New("rpc: login panicked")
	defer func() {
		if v := recover(); v != nil {
			cl.cfg.log.Error("rpc: login panicked", "panic", v)
		}
	}()
	token, a.err = cl.o.Login(ctx, cl)
}
