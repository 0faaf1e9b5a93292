package rpc

import (
	"errors"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// marks are the places in a buffer where a reply was begun.
type marks struct{ frame, data int }

// startReply writes what stands before the data of a reply.
func (c *conn) startReply(b []byte, r *Request) ([]byte, marks) {
	k := marks{frame: len(b)}
	switch {
	case c.cfg.numbered:
		b, _ = frame.StartFrame(b, frame.Head(frame.Response, r.Flag), r.seq)
		if c.cfg.envelope {
			b = remoting.AppendAction(b, r.wire)
			b, k.data = remoting.StartData(b)
		}
	case c.cfg.length != nil:
		b, _, _ = c.cfg.length.StartFrame(b, nil) // finishReply sets the header
	}
	return b, k
}

// finishReply puts the data and what follows behind what startReply wrote. With an error, or when the data is too large, an
// error reply takes its place; codecs that have none give the error back, and the connection is to be closed.
func (c *conn) finishReply(b []byte, k marks, r *Request, out []byte, err error) ([]byte, error) {
	if err != nil {
		return c.errorReply(b[:k.frame], r, err)
	}
	full := b
	switch {
	case c.cfg.numbered:
		full = place(b, out)
		full[k.frame] = frame.Head(frame.Response, r.Flag) // a typed handler has set the kind
		if c.cfg.envelope {
			full, err = remoting.FinishData(full, k.data, out == nil, c.replyTail(r))
		}
		if err == nil {
			full, err = c.cfg.std.FinishFrame(full, k.frame)
		}
	case c.cfg.length != nil:
		full = place(b, out)
		copy(full[k.frame:k.frame+c.cfg.length.Offset], r.Header) // which a handler may have changed
		full, err = c.cfg.length.FinishFrame(full, k.frame)
	default:
		full, err = c.cfg.codec.AppendFrame(b, frame.Frame{Payload: out})
	}
	if err != nil {
		return c.errorReply(b[:k.frame], r, &Error{Code: remoting.PayloadTooLarge, Text: err.Error()})
	}
	return full, nil
}

// place puts out behind b; it is there already when the handler has appended to what it got.
func place(b, out []byte) []byte {
	if n := len(b); len(out) > 0 && n < cap(b) && &out[0] == &b[:n+1][n] {
		return b[:n+len(out)]
	}
	return append(b, out...)
}

// errorReply writes an error reply.
func (c *conn) errorReply(b []byte, r *Request, err error) ([]byte, error) {
	c.cfg.rare.errors.Add(1)
	r.enc = remoting.Plain
	switch {
	case r.refuses(err):
		r.refusal = remoting.NotBegun
	case r.passes && otherLayout(err): // which whoever it was passed on to has not run
		r.refusal = remoting.OtherLayout
	}
	if !c.cfg.numbered {
		return b, err
	}
	f := frame.Frame{Head: frame.Head(frame.ErrorResponse, r.Flag), Seq: r.seq}
	if !c.cfg.envelope {
		f.Payload = []byte(textOf(err))
		return c.bounded(b, f)
	}
	msg := remoting.Message{Action: r.wire, Code: CodeOf(err), Data: []byte(textOf(err)), Tail: c.replyTail(r)}
	if len(msg.Action) == 0 {
		msg.Action = unnamed
	}
	if remoting.Success(msg.Code) { // 0 and 200 are no errors on the wire: the text is the result
		f.Head = frame.Head(frame.Response, r.Flag)
	}
	var e *Error
	if errors.As(err, &e) && e.Details != nil && msg.Tail != nil {
		msg.Tail = remoting.AppendDetails(msg.Tail, e.Details)
	}
	out, err := remoting.AppendFrame(b, c.cfg.std, f.Head, f.Seq, &msg)
	if err != nil { // the text is over the limit
		msg.Data, msg.Tail = nil, nil
		return remoting.AppendFrame(b, c.cfg.std, f.Head, f.Seq, &msg)
	}
	return out, nil
}

// unnamed is the action of replies to requests whose own could not be read.
var unnamed = []byte("?")

// bounded writes an error frame, without its text when that is too long.
func (c *conn) bounded(b []byte, f frame.Frame) ([]byte, error) {
	out, err := c.cfg.std.AppendFrame(b, f)
	if err != nil {
		f.Payload = nil
		return c.cfg.std.AppendFrame(b, f)
	}
	return out, nil
}

// replyTail is the tail of a reply: there is one when the request had one.
func (c *conn) replyTail(r *Request) remoting.Tail {
	if r.tail == nil {
		return nil
	}
	if r.enc == remoting.Plain && len(r.reply) == 0 && r.refusal == remoting.NoRefusal {
		return emptyTail
	}
	t := remoting.AppendBody(remoting.Tail{}, r.enc)
	t = remoting.AppendRefusal(t, r.refusal)
	for _, p := range r.reply {
		t = remoting.AppendMetadata(t, p.Key, p.Value)
	}
	return t
}

var emptyTail = remoting.Tail{}
