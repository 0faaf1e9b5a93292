package rpc

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// One-way messages with values. Nobody answers them, so a span body goes out only when the peer has said that it would be read.

// NotifyValue is Notify with a value, which travels as the argument of Invoke does. Before the first message of an action and a type on
// a connection the peer is asked whether it has the same layout: it waits for that, and for knowing who the peer is, under ctx.
func (cl *Client) NotifyValue(ctx context.Context, action string, arg any) error {
	c := Call{Action: action, Kind: CallOneWay, Arg: arg}
	if cl.invoke != nil {
		return cl.invoke(ctx, &c)
	}
	return cl.tellCall(ctx, &c)
}

// tellCall makes a one-way call without interceptors.
func (cl *Client) tellCall(ctx context.Context, call *Call) error {
	if call.Raw && call.forward == nil {
		return cl.tellAny(ctx, call.Action, call.Body)
	}
	c, err := cl.pick(ctx)
	switch {
	case err != nil:
	case call.forward != nil:
		return c.forward(ctx, call)
	default:
		k := newBuffer()
		defer k.free()
		members, _ := cl.members()
		var m outgoing
		if m, err = c.encodeOneWay(ctx, k, call.Action, call.Arg, members...); err == nil {
			err = c.tell(ctx, &m, true)
		}
	}
	return named(err, call.Action)
}

// NotifyValue is Notify with a value: see [Client.NotifyValue]. Once it is known how the value is to travel it does not wait: a full
// backlog is ErrBusy. Until the peer's first frame has shown who it is it waits, under ctx; inside OnConnect that is ErrWouldDeadlock.
func (s *Session) NotifyValue(ctx context.Context, action string, arg any) error {
	k := newBuffer()
	defer k.free()
	m, err := s.c.encodeOneWay(ctx, k, action, arg)
	if err == nil {
		err = s.c.tell(ctx, &m, false)
	}
	return named(err, action)
}

// BroadcastValue sends a one-way message with a value to every open connection, and returns how many took it: see [Session.NotifyValue].
// Connections whose peer must be asked first are asked at the same time, under ctx. One whose backlog is full is closed with
// ErrSlowConsumer. The error is of a value that cannot be written.
func (s *Server) BroadcastValue(ctx context.Context, action string, arg any) (n int, err error) {
	b := broadcast{s: s, action: action, arg: arg}
	defer b.free()
	var wait sync.WaitGroup
	for _, p := range s.Sessions() {
		if json, known := p.c.agreed(action, reflect.TypeOf(arg)); known {
			b.send(ctx, p, json)
			continue
		}
		wait.Go(func() {
			if json, err := p.c.agree(ctx, action, reflect.TypeOf(arg)); err == nil {
				b.send(ctx, p, json)
			}
		})
	}
	wait.Wait()
	return b.n, b.err
}

// broadcast is a message for many, written once for each way in which it travels.
type broadcast struct {
	s      *Server
	action string
	arg    any

	mu    sync.Mutex
	forms [3]struct {
		made bool
		k    *buffer
		m    outgoing
		err  error
	}
	n   int
	err error
}

// send sends the message to one peer.
func (b *broadcast) send(ctx context.Context, p *Session, json bool) {
	i := 0
	switch {
	case p.c.ours() && json:
		i = 2
	case p.c.ours():
		i = 1
	}
	b.mu.Lock()
	f := &b.forms[i]
	if !f.made {
		f.made, f.k = true, newBuffer()
		f.m, f.err = p.c.encode(ctx, f.k, b.action, b.arg, nil, nil, json)
		f.m.mode = oneWayMode
	}
	m, err := f.m, f.err
	if err != nil {
		b.err = named(notSent(err), b.action)
	}
	b.mu.Unlock()
	if err != nil {
		return
	}
	err = p.c.tell(ctx, &m, false)
	b.s.pushed(p, err)
	if err == nil {
		b.mu.Lock()
		b.n++
		b.mu.Unlock()
	}
}

func (b *broadcast) free() {
	for i := range b.forms {
		if k := b.forms[i].k; k != nil {
			k.free()
		}
	}
}

// pushed closes a connection that did not take a broadcast message since its backlog is full.
func (s *Server) pushed(p *Session, err error) {
	if errors.Is(err, ErrBusy) {
		s.cfg.rare.slow.Add(1)
		s.report(p.c, ErrSlowConsumer)
		p.Close(ErrSlowConsumer)
	}
}

// encodeOneWay writes a one-way message with a value into k.
func (c *conn) encodeOneWay(ctx context.Context, k *buffer, action string, arg any, members ...value.Member) (outgoing, error) {
	json, err := c.agree(ctx, action, reflect.TypeOf(arg))
	if err != nil {
		return outgoing{}, err
	}
	m, err := c.encode(ctx, k, action, arg, nil, members, json)
	if err != nil {
		return m, notSent(err)
	}
	m.mode = oneWayMode
	return m, nil
}

// oneWays are the one-way messages of which is known how they travel: as span bodies, or as lossless JSON (true).
type oneWays map[oneWay]bool

// oneWay is a one-way message as far as its layout goes.
type oneWay struct {
	action string
	arg    reflect.Type
}

// oneWaysMost bounds them; then they are all asked for anew.
const oneWaysMost = 1024

// agreed tells how values of t travel one way with an action, and whether that is known.
func (c *conn) agreed(action string, t reflect.Type) (json, known bool) {
	switch {
	case !c.cfg.envelope:
		return false, true
	case c.peer.Load() == peerUnknown:
		return false, false
	case !c.ours() || t == nil || formOf(t).print == wantedJSON:
		return false, true
	case c.cfg.notify: // nobody can be asked
		return true, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	json, known = c.callSide().oneWays[oneWay{action, t}]
	return json, known
}

// agree is agreed, and asks the peer when it is not known.
func (c *conn) agree(ctx context.Context, action string, t reflect.Type) (json bool, err error) {
	if err := c.know(ctx); err != nil {
		return false, err
	}
	json, known := c.agreed(action, t)
	if known {
		return json, nil
	}
	m := outgoing{action: layoutAction, body: []byte(action), layouts: true, argPrint: formOf(t).print, alive: ctx.Done() != nil, flag: packetFlag}
	m.until, m.ends = ctx.Deadline()
	_, err = c.exchange(ctx, nil, &m)
	var e *Error
	switch {
	case errors.As(err, &e) && (e.refusal == remoting.OtherLayout || e.Code == remoting.NotFound):
		json = true
		c.judge(verdict{action: action, arg: t}, err)
	case err != nil:
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.callSide()
	if s.oneWays == nil || len(s.oneWays) >= oneWaysMost {
		s.oneWays = make(oneWays)
	}
	s.oneWays[oneWay{action, t}] = json
	return json, nil
}

const layoutAction = "$layout"
