package rpc

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// Mux sends requests to the handlers of their actions. Names are Controller/Method by custom and are found without regard to
// the case of ASCII letters; Controller/* gets what no other handler of that controller does, * what nobody does. Names that
// begin with $ are the protocol's own.
//
// The zero Mux is ready to use. Handlers may be added at any time, by any goroutine.
type Mux struct {
	mu   sync.Mutex
	wrap []Middleware
	all  atomic.Pointer[actions]
}

// actions are the methods by their names in lower case; spelled has them as registered, and order in that order.
type actions struct {
	lower   map[string]*method
	spelled map[string]*method
	order   []*method
	unknown *method // what middleware sees of actions that nobody handles, nil without any
}

// Middleware puts something around a handler: it is applied once, when a handler is added.
type Middleware func(Handler) Handler

// Use puts w around all handlers that are added from now on, and around the answer to actions that nobody handles; the first of w is
// the outermost.
func (x *Mux) Use(w ...Middleware) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wrap = append(x.wrap, w...)
	m := newMethod("*", HandlerFunc(func(_ context.Context, _ []byte, r *Request) ([]byte, error) { return nil, x.notFound(r) }))
	m.passes = true // there is no argument to be read
	x.dress(m)
	a := x.copied()
	a.unknown = m
	x.all.Store(a)
}

// dress puts the middleware around a method. mu is held.
func (x *Mux) dress(m *method) {
	if len(x.wrap) == 0 {
		return
	}
	m.worn = true
	if m.stream != nil {
		m.stream = wrapStream(m.stream, x.wrap, m.looks)
	}
	if m.h == nil {
		return
	}
	m.h = innermost{m.h}
	for _, w := range slices.Backward(x.wrap) {
		m.h = w(m.h)
		if i, ok := m.h.(inlineHandler); ok {
			m.h, m.inline = i.Handler, true
		}
	}
	m.h = outermost{m.h, m.looks}
}

// Handle adds the handler of an action. A later one of the same name takes its place. It panics when the action can't be called:
// when its name is empty, begins with $, or has a byte above 7E; and when h is nil.
func (x *Mux) Handle(action string, h Handler) {
	if h == nil {
		panic("rpc: nil handler of action " + strconv.Quote(action)) //nolint:forbidigo // a programming error, at registration
	}
	x.add(newMethod(action, h))
}

// HandleFunc adds a function as the handler of an action.
func (x *Mux) HandleFunc(action string, f func(ctx context.Context, dst []byte, r *Request) ([]byte, error)) {
	x.Handle(action, HandlerFunc(f))
}

// ServeRPC answers r by the handler of its action, so that a Mux can stand behind a Middleware.
func (x *Mux) ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	m := x.find([]byte(r.Action))
	if m == nil || m.h == nil {
		return nil, x.notFound(r)
	}
	if why := m.types.otherIn(r.tail); why != "" && !m.passes { // what stands around x takes any body
		return nil, &Error{Code: remoting.Mismatch, Text: why, refusal: remoting.OtherLayout}
	}
	if !m.worn {
		r.enter()
	}
	return m.h.ServeRPC(ctx, dst, r)
}

// Actions are the names of the handlers in the order in which they were added.
func (x *Mux) Actions() []string {
	var names []string
	if a := x.all.Load(); a != nil {
		for _, m := range a.order {
			names = append(names, m.name)
		}
	}
	return names
}

func (x *Mux) add(m *method) {
	if wrong := remoting.ActionProblem(m.name); wrong != "" {
		panic("rpc: action " + strconv.Quote(m.name) + " " + wrong) //nolint:forbidigo // a programming error, at registration
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.dress(m)
	a := x.copied()
	key := strings.ToLower(m.name)
	if old := a.lower[key]; old != nil {
		delete(a.spelled, old.name)
		a.order = slices.DeleteFunc(a.order, func(o *method) bool { return o == old })
	}
	a.lower[key], a.spelled[m.name] = m, m
	a.order = append(a.order, m)
	x.all.Store(a)
}

// copied returns the actions for a change. mu is held.
func (x *Mux) copied() *actions {
	a := &actions{lower: map[string]*method{}, spelled: map[string]*method{}}
	if old := x.all.Load(); old != nil {
		maps.Copy(a.lower, old.lower)
		maps.Copy(a.spelled, old.spelled)
		a.order, a.unknown = slices.Clone(old.order), old.unknown
	}
	return a
}

// wrapStream puts w around a handler that answers with a stream. To them it is one whose reply has no data.
func wrapStream(f streamHandler, w []Middleware, looks bool) streamHandler {
	var h Handler = HandlerFunc(func(ctx context.Context, _ []byte, r *Request) ([]byte, error) {
		r.enter()
		return nil, f(ctx, r, r.send)
	})
	for _, w := range slices.Backward(w) {
		h = w(h)
	}
	return func(ctx context.Context, r *Request, send func([]byte) error) error {
		r.send = send
		_, err := outermost{h, looks}.ServeRPC(ctx, nil, r)
		return err
	}
}

// find returns who answers an action, nil when nobody does and no middleware wants to know. It is called for each request: it does
// not allocate for names of up to 64 bytes.
func (x *Mux) find(action []byte) *method {
	a := x.all.Load()
	if a == nil {
		return nil
	}
	if m := a.spelled[string(action)]; m != nil {
		return m
	}
	var mem [64]byte
	name := mem[:0]
	slash := -1
	for i, c := range action {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c == '/' {
			slash = i
		}
		name = append(name, c)
	}
	if m := a.lower[string(name)]; m != nil {
		return m
	}
	if slash >= 0 {
		if m := a.lower[string(append(name[:slash+1], '*'))]; m != nil {
			return m
		}
	}
	if m := a.lower["*"]; m != nil {
		return m
	}
	return a.unknown
}
