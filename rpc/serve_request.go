package rpc

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// Request is what a handler is asked. It is valid until the handler returns, and so are its bytes.
type Request struct {
	// Action is the name under which the handler was found, "" without the envelope.
	Action string
	// Body is the data; nil when absent.
	Body []byte
	// Header is what stands before the length in a frame of the LengthField codec. The reply repeats it as the handler leaves
	// it, if it has as many bytes then.
	Header []byte
	// Flag is the low six bits of a Standard frame's first byte. The reply repeats it as the handler leaves it.
	Flag byte
	// OneWay: nobody waits for a reply, and what the handler returns is dropped.
	OneWay bool

	conn  *conn
	seq   byte
	wire  []byte // the action as the caller wrote it
	tail  remoting.Tail
	enc   remoting.Encoding // of the reply
	reply Metadata
	send  func(data []byte) error // of a stream's items
	token string                  // of the call, when it runs on the reader

	passes bool // the handler takes any body: see PassThrough

	refusal remoting.Refusal // set by the library alone: the answer is that nothing was run
	guarded *Request         // middleware stands around the handler: the request as the outermost got it
	entered bool             // in guarded: the innermost handler was called

	grown int64 // what is charged for the argument's memory
}

// Session returns the connection that the request came on.
func (r *Request) Session() *Session { return &r.conn.session }

// Metadata returns what the caller has sent with the request.
func (r *Request) Metadata() Metadata {
	var m Metadata
	m.addTail(r.tail)
	return m
}

// SetReply adds a pair to what is sent back with the answer.
func (r *Request) SetReply(key, value string) { r.reply = append(r.reply, Pair{key, value}) }

// Handler answers requests. It returns the reply: best appended to dst, which saves a copy, but any slice will do, also one
// of r's; nil is a reply without data. The handler must not change it any more: it is held until its turn to be
// sent.
//
// Handlers run beside each other, unless [Inline]. An error is answered as [CodeOf] says; where the codec has no errors the
// connection is closed. A panic is recovered, logged and answered with code 500, as is the end of the goroutine; an inline handler
// that ends its goroutine ends the connection.
type Handler interface {
	ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error)
}

// HandlerFunc is a function that is a Handler.
type HandlerFunc func(ctx context.Context, dst []byte, r *Request) ([]byte, error)

// ServeRPC calls f.
func (f HandlerFunc) ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	return f(ctx, dst, r)
}

// Inline marks a handler that never blocks: it runs on the connection's reader, which saves the change of goroutines.
// While it runs nothing else is read from its connection; calling back on it is ErrWouldDeadlock.
func Inline(h Handler) Handler { return inlineHandler{h} }

type inlineHandler struct{ Handler }

// method is a handler and how it is run.
type method struct {
	name   string
	h      Handler
	inline bool
	wild   bool          // found under other names than its own
	worn   bool          // middleware stands around it
	known  atomic.Bool   // it has answered
	first  firstRuns     // until then
	large  prospect      // how large its answers are
	stream streamHandler // instead of h
	types  *layouts      // nil: it has none
	passes bool          // any body will do
	looks  bool          // the argument is an object that may hold a token
	told   atomic.Bool   // another layout was logged
	text   string        // signature for Api/All
}

// newMethod sorts out how a handler is to be run.
func newMethod(name string, h Handler) *method {
	m := &method{name: name, wild: name == "*" || strings.HasSuffix(name, "/*")}
	for {
		switch k := h.(type) {
		case inlineHandler:
			h, m.inline = k.Handler, true
		case passHandler:
			h, m.passes = k.Handler, true
		case typedFunc:
			h, m.types = k.HandlerFunc, k.types
		default:
			m.h = h
			return m
		}
	}
}

// router finds who answers an action; nil when nobody does.
type router interface{ find(action []byte) *method }

// single answers everything.
type single struct{ m *method }

func (s single) find([]byte) *method { return s.m }

// run calls a handler and recovers its panic. Handlers on the reader are recovered by the batch: see frames.
func (c *conn) run(ctx context.Context, m *method, dst []byte, r *Request) (out []byte, err error) {
	ok := false
	defer func() {
		if !ok {
			out, err = nil, c.panicked(m, recover())
		}
	}()
	out, err = m.h.ServeRPC(ctx, dst, r)
	ok = true
	return out, err
}

// panicked logs a handler's panic and makes the error of it.
func (c *conn) panicked(m *method, v any) error {
	c.cfg.rare.panics.Add(1)
	if ok, more := c.cfg.panics.take(time.Now()); ok {
		text := "rpc: handler panicked"
		if v == nil {
			text = "rpc: handler ended its goroutine"
		}
		c.cfg.log.Error(text, "action", m.name, "peer", c.addr(), "panic", fmt.Sprint(v), "stack", string(debug.Stack()), "more", more)
	}
	return &Error{Code: remoting.Internal, Text: "internal error"}
}
