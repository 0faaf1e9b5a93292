package rpc

import (
	"context"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// PassThrough marks a handler that takes whatever bodies come and looks into none: a proxy, a recorder. It gets span bodies, which
// other handlers without types do not; [Request.Tail] says what they are, and [Client.Forward] hands them on. When that returns that
// the layout is another, and the handler returns the same, its caller learns it as if there was nobody between. Middleware around a whole Mux may be marked as well: its handlers compare the
// layouts, and without the mark all their calls travel as lossless JSON.
func PassThrough(h Handler) Handler { return passHandler{h} }

type passHandler struct{ Handler }

// Forward makes the call, or sends the one-way message, of a request that a [PassThrough] handler got, as it came: body, metadata and
// trace. The answer is appended to dst for the handler to return, and what kind of body it is, and its metadata, goes into r's answer.
// A body that only a peer of this package reads is not sent to another.
func (cl *Client) Forward(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	c := Call{Action: string(r.wire), Raw: true, Body: r.Body, Dst: dst, forward: r}
	if r.OneWay {
		c.Kind = CallOneWay
	}
	invoke := cl.invoke
	if invoke == nil {
		invoke = cl.makeAny
	}
	if err := invoke(ctx, &c); err != nil {
		return nil, err
	}
	return c.Dst, nil
}

// forwarded makes a request of one that came.
func (c *conn) forwarded(ctx context.Context, r *Request, m *outgoing) error {
	m.init(ctx, string(r.wire), r.Body)
	m.enc = r.tail.Body()
	m.argPrint, m.resultPrint, m.layouts = r.tail.Layouts()
	if m.enc != remoting.Plain || m.layouts {
		if err := c.know(ctx); err != nil {
			return err
		}
		if !c.ours() {
			return &Error{Code: remoting.Mismatch, Text: "the body is one that only peers of package rpc read, and it would go to another"}
		}
	}
	more := outgoingMore{trace: string(r.tail.Trace())}
	if m.more != nil {
		more.reply = m.more.reply
		more.meta = append(more.meta, m.more.meta...)
	}
	more.meta.addTail(r.tail)
	m.more = &more
	return nil
}

// forward makes the call of a request that came.
func (c *conn) forward(ctx context.Context, call *Call) error {
	var m outgoing
	r := call.forward
	if err := c.forwarded(ctx, r, &m); err != nil {
		return named(err, call.Action)
	}
	if call.Kind == CallOneWay {
		m.mode = oneWayMode
		return named(c.tell(ctx, &m, true), call.Action)
	}
	ca := c.cfg.getCall()
	defer c.cfg.putCall(ca)
	var meta Metadata
	ca.dst, ca.meta, m.born = call.Dst, &meta, call.born
	err := c.do(ctx, &m, ca)
	call.born = m.born
	if err != nil {
		return named(err, call.Action)
	}
	r.enc, r.reply = ca.enc, append(r.reply, meta...)
	if m.more.reply != nil {
		*m.more.reply = append(*m.more.reply, meta...)
	}
	if call.Dst = ca.dst; ca.null {
		call.Dst = nil
	} else if call.Dst == nil {
		call.Dst = []byte{}
	}
	return nil
}
