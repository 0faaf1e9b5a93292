package rpc

import (
	"context"
	"iter"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// streamHandler answers with items by calling send; data nil is an item without data.
type streamHandler func(ctx context.Context, r *Request, send func(data []byte) error) error

// HandleStream adds a handler that answers with a stream: each item goes to the caller as it comes, no faster than the caller
// takes them. An error ends the stream. Between our own peers the context ends when the caller leaves its loop.
func HandleStream[Arg, Item any](x *Mux, action string, f func(ctx context.Context, arg Arg) iter.Seq2[Item, error], options ...HandleOption) {
	mustTravel(action, "argument", typeOf[Arg]())
	mustTravel(action, "item", typeOf[Item]())
	t := newTyped(action, typeOf[Arg](), typeOf[Item](), options)
	if t.text == "" {
		t.text = signature(action, typeOf[Arg](), typeOf[Item](), t.params)
	}
	h := func(ctx context.Context, r *Request, send func([]byte) error) error {
		defer r.letGo()
		arg, err := argument[Arg](ctx, t, r)
		if err != nil {
			return err
		}
		k := newBuffer()
		defer k.free()
		for v, err := range f(ctx, arg) {
			if err != nil {
				return err
			}
			if p, ok := any(&v).(*value.Packet); ok { // needs no copy before it is queued
				r.enc = remoting.Plain
				if err := send(*p); err != nil {
					return err
				}
				continue
			}
			data, err := r.write(k.b[:0], v)
			if err != nil {
				return err
			}
			if data != nil {
				k.b = data
			}
			if err := send(data); err != nil {
				return err
			}
		}
		r.enc = remoting.Plain
		return nil
	}
	x.add(&method{name: action, stream: h, text: t.text, types: &t.layouts, looks: t.looks})
}

// runStream runs the handler of t and sends the items; the answer that ends the stream is for the caller to send.
func (c *conn) runStream(t *task) (err error) {
	ok := false
	defer func() {
		if !ok {
			err = c.panicked(t.m, recover())
		}
	}()
	ctx := t.context()
	err = t.m.stream(ctx, &t.r, func(data []byte) error { return c.sendItem(ctx, t, data) })
	ok = true
	if err == nil { // a handler that leaves because its context has ended must not look like one that is done
		err = ctx.Err()
	}
	if err != nil && remoting.Success(CodeOf(err)) { // which would be an item
		err = &Error{Code: remoting.Internal, Text: textOf(err)}
	}
	return err
}

// streamUnasked runs a stream that was asked for in a one-way message: as with NewLife its items are sent, and its end.
func (c *conn) streamUnasked(t *task) {
	err := c.runStream(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	k := c.write.open()
	b, m := c.startReply(k.b, &t.r)
	k.b, _ = c.finishReply(b, m, &t.r, nil, err) // Standard has error answers
	c.flush(false, true)
}

// sendItem sends one item when the caller has room for it.
func (c *conn) sendItem(ctx context.Context, t *task, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.err != nil {
			return c.err
		}
		if !c.crowded() && !c.ahead() && (t.r.tail == nil || t.credit > 0) {
			break
		}
		c.write.waits = true
		if err := c.await(ctx); err != nil {
			return err
		}
	}
	t.credit -= int64(len(data) + itemCost)
	msg := remoting.Message{Action: t.r.wire, Data: data, Tail: c.replyTail(&t.r)}
	k := c.write.open()
	head := frame.Head(frame.Response, remoting.ItemFlag(t.r.Flag))
	b, err := remoting.AppendFrame(k.b, c.cfg.std, head, t.seq, &msg)
	if err != nil {
		return err
	}
	k.b = b
	c.pushAlong()
	return nil
}
