package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/value"
)

const oneWayMode = frame.OneWay

// Call is a call as interceptors see it: of values (Arg, Reply) or of bytes.
type Call struct {
	Action string
	Kind   CallKind
	Arg    any    // what is sent, unless Raw
	Reply  any    // pointer to where the answer goes, nil if nowhere
	Raw    bool   // Body is sent as it is, and the answer appended to Dst
	Body   []byte // nil is no data
	Dst    []byte

	fn      func(body []byte, err error) // of Go
	stream  *stream                      // of Stream, once it is open
	item    reflect.Type                 // of Stream: a pointer to an item
	forward *Request                     // of Forward
	born    int32                        // see outgoing
}

// CallKind tells what sort of message a Call is.
type CallKind byte

// The kinds of calls.
const (
	CallWaits    CallKind = iota // Call and Invoke: next returns when the answer is there
	CallAsync                    // Go: next returns when the call is sent; the answer is the callback's
	CallOneWay                   // Notify: next returns when the message is queued; there is no answer
	CallStreamed                 // Stream: next returns when the request is sent; the items are the loop's
)

// String names the kind by the function that makes such calls.
func (k CallKind) String() string {
	switch k {
	case CallAsync:
		return "Go"
	case CallOneWay:
		return "Notify"
	case CallStreamed:
		return "Stream"
	}
	return "Call"
}

var background = context.Background()

// init makes m, which is zero, a request out of bytes and what ctx says.
func (m *outgoing) init(ctx context.Context, action string, body []byte) {
	m.mode, m.flag, m.action, m.body, m.null = frame.Request, packetFlag, action, body, body == nil
	if isBackground(ctx) {
		return // which says nothing
	}
	m.until, m.ends = ctx.Deadline()
	m.alive = ctx.Done() != nil
	if o := optionsOf(ctx); o != nil {
		m.more = &outgoingMore{o.Metadata, o.Trace, o.ReplyMetadata}
		if o.Flag != nil {
			m.flag = *o.Flag
		}
	}
	if m.more == nil || m.more.trace == "" {
		m.forward(requestTrace(ctx))
	}
}

// forward makes a call that a handler makes part of the trace that its request is part of.
func (m *outgoing) forward(trace string) {
	switch {
	case trace == "":
	case m.more == nil:
		m.more = &outgoingMore{trace: trace}
	default:
		m.more.trace = trace
	}
}

// call makes a call with bytes.
func (c *conn) call(ctx context.Context, dst []byte, action string, req []byte) ([]byte, error) {
	var m outgoing
	m.init(ctx, action, req)
	return c.exchange(ctx, dst, &m)
}

// exchange makes a call and appends the answer to dst.
func (c *conn) exchange(ctx context.Context, dst []byte, m *outgoing) ([]byte, error) {
	ca := c.cfg.getCall()
	ca.dst = dst
	if m.more != nil {
		ca.meta = m.more.reply
	}
	err := c.do(ctx, m, ca)
	out := ca.dst
	c.cfg.putCall(ca)
	if err != nil {
		return dst, named(err, m.action)
	}
	return out, nil
}

// named puts the action into the error of a call.
func named(err error, action string) error {
	if err == nil || action == "" {
		return err
	}
	var e *CallError // behind the usual case: it costs an allocation
	if !errors.As(err, &e) || e.Action != "" {
		return err
	}
	return &CallError{Action: action, Outcome: e.Outcome, Err: e.Err}
}

// invoke makes a call with values. The members are those that the client adds.
func (c *conn) invoke(ctx context.Context, call *Call, members []value.Member, spill bool) error {
	if call.forward != nil {
		return c.forward(ctx, call)
	}
	if call.Raw {
		var m outgoing
		m.init(ctx, call.Action, call.Body)
		m.spill, m.born = spill, call.born
		out, err := c.exchange(ctx, call.Dst, &m)
		call.Dst, call.born = out, m.born
		return err
	}
	return named(c.invokeValue(ctx, call, members, spill), call.Action)
}

// invokeValue makes a call with values: once more as lossless JSON when the peer says that its layout is another.
func (c *conn) invokeValue(ctx context.Context, call *Call, members []value.Member, spill bool) error {
	if c.cfg.envelope && c.peer.Load() == peerUnknown {
		if call.born == 0 {
			call.born = int32(c.cfg.clock.Now()) | 1 // the time that it takes to know the peer counts
		}
		if err := c.know(ctx); err != nil {
			return err
		}
	}
	json, v := false, verdict{call.Action, reflect.TypeOf(call.Arg), reflect.TypeOf(call.Reply)}
	if c.cfg.envelope && c.ours() {
		json = c.verdicts().has(&v)
	}
	err := c.invokeAs(ctx, call, members, spill, json)
	if json || err == nil || !otherLayout(err) {
		return err
	}
	c.judge(v, err)
	return c.invokeAs(ctx, call, members, spill, true)
}

// judge notes that the peer has another layout for a call.
func (c *conn) judge(v verdict, err error) {
	c.cfg.rare.mismatches.Add(1)
	if c.verdicts().add(v) {
		c.cfg.log.Warn("rpc: another layout: the call travels as JSON", "action", v.action, "peer", c.addr(), "argument", layoutOf(v.arg),
			"result", layoutOf(elemOf(v.reply)), "error", err)
	}
}

// invokeAs makes a call with values once. With json they travel as lossless JSON.
func (c *conn) invokeAs(ctx context.Context, call *Call, members []value.Member, spill, json bool) error {
	k := newBuffer()
	defer k.free()
	m, err := c.encode(ctx, k, call.Action, call.Arg, reflect.TypeOf(call.Reply), members, json)
	if err != nil {
		return notSent(err)
	}
	m.spill, m.born = spill, call.born
	answer := newBuffer()
	defer answer.free()
	ca := c.cfg.getCall()
	ca.dst = answer.b
	if m.more != nil {
		ca.meta = m.more.reply
	}
	err = c.do(ctx, &m, ca)
	call.born = m.born
	answer.b = ca.dst
	enc := ca.enc
	c.cfg.putCall(ca)
	if err != nil {
		return err
	}
	if err := c.decode(answer.b, enc, call.Reply); err != nil {
		return &CallError{Outcome: Answered, Err: fmt.Errorf("the answer: %w", err)}
	}
	return nil
}

// callable tells why a session cannot be called.
func (s *Session) callable() error {
	if s.entering() { // nothing is read before OnConnect returns
		return notSent(ErrWouldDeadlock)
	}
	if s.c.cfg.server && s.c.cfg.envelope && s.c.peer.Load() != peerOurs || s.c.cfg.server && !s.c.cfg.numbered {
		return notSent(errNoCallBack)
	}
	return nil
}
