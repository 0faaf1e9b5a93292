package rpc

import (
	"context"
	"errors"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
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

	fn     func(body []byte, err error) // of Go
	stream *stream                      // of Stream, once it is open
	born   int32                        // see outgoing
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
	if call.Raw {
		var m outgoing
		m.init(ctx, call.Action, call.Body)
		m.spill, m.born = spill, call.born
		out, err := c.exchange(ctx, call.Dst, &m)
		call.Dst, call.born = out, m.born
		return err
	}
	k := newBuffer()
	defer k.free()
	m, err := c.encode(ctx, k, call.Action, call.Arg, members)
	if err != nil {
		return named(notSent(err), call.Action)
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
		return named(err, call.Action)
	}
	return c.decode(answer.b, enc, call.Reply)
}

// decode reads an answer into reply, a pointer, or nowhere when it is nil.
func (c *conn) decode(data []byte, enc remoting.Encoding, reply any) error {
	if reply == nil {
		return nil
	}
	return c.cfg.dialect.ReadBody(data, enc == remoting.Span, reply)
}

// encode writes a value into k as the peer understands it and makes a request of it.
func (c *conn) encode(ctx context.Context, k *buffer, action string, arg any, members []value.Member) (m outgoing, err error) {
	var kind value.Kind
	ours := c.cfg.envelope && c.peer.Load() == peerOurs
	if ours {
		k.b, kind, err = c.cfg.dialect.AppendBody(k.b[:0], arg)
	} else {
		k.b, kind, err = c.cfg.dialect.Append(k.b[:0], arg)
	}
	if err != nil {
		return outgoing{}, err
	}
	m.init(ctx, action, nil)
	if len(members) > 0 && c.cfg.envelope {
		body, err := value.AppendMembers(k.b, 0, kind, members...)
		switch {
		case err == nil:
			k.b = body
		case ours && errors.Is(err, value.ErrNoObject): // beside the body, then
			more := outgoingMore{}
			if m.more != nil {
				more = *m.more
			}
			more.meta = append(Metadata(nil), more.meta...)
			for _, p := range members {
				more.meta = append(more.meta, Pair{p.Name, p.Value})
			}
			m.more = &more
		default:
			return outgoing{}, err
		}
	}
	m.body, m.null = k.b, kind == value.Absent
	if !c.cfg.envelope {
		m.flag = kindFlag(m.flag, kind)
	}
	if kind == value.Span || ours && kind == value.Absent {
		m.enc = remoting.Span
	}
	return m, nil
}

// The kinds of a payload in the low two bits of a Standard frame's flag.
const (
	textFlag = 0
	jsonFlag = 3
)

// kindFlag sets the kind in a flag.
func kindFlag(flag byte, kind value.Kind) byte {
	switch kind {
	case value.JSON:
		return flag&^jsonFlag | jsonFlag
	case value.Text:
		return flag&^jsonFlag | textFlag
	}
	return flag
}

// callable tells why a session cannot be called.
func (s *Session) callable() error {
	s.c.mu.Lock()
	entering := s.c.entering
	s.c.mu.Unlock()
	if entering { // nothing is read before OnConnect returns
		return notSent(ErrWouldDeadlock)
	}
	if s.c.cfg.server && s.c.cfg.envelope && s.c.peer.Load() != peerOurs || s.c.cfg.server && !s.c.cfg.numbered {
		return notSent(errors.ErrUnsupported)
	}
	return nil
}
