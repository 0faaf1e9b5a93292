package rpc

import (
	"context"
	"errors"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// Refuse is what a Middleware of a Mux returns to answer a request with a code and a text instead of calling the next handler: a
// client of this package learns that the request has not run, and may repeat it. Once the handler that the middleware stands around
// was entered, and where Refuse is a handler's own, it is an *Error like any other: the caller's outcome is Answered.
func Refuse(code int32, text string) error { return &refusal{&Error{Code: code, Text: text}} }

// refusal is an error by Refuse.
type refusal struct{ e *Error }

func (e *refusal) Error() string { return e.e.Error() }
func (e *refusal) Unwrap() error { return e.e }

var errTooMany = &Error{Code: remoting.TooManyRequests, Text: "too many requests"}

// refuses tells whether err, which a handler has returned for r, says that nothing was run.
func (r *Request) refuses(err error) bool {
	if r.guarded == nil || r.guarded.entered {
		return false
	}
	var e *refusal
	return errors.As(err, &e)
}

// enter notes that the innermost handler is called. Middleware may have handed on a copy of the request.
func (r *Request) enter() {
	if r.guarded != nil {
		r = r.guarded
	}
	r.entered = true
}

// outermost and innermost stand around middleware, and within it.
type (
	outermost struct {
		Handler
		looks bool // for the token in the argument
	}
	innermost struct{ Handler }
)

// ServeRPC notes the request, and the token that came with it, before any middleware sees it.
func (h outermost) ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	r.knowToken(ctx, h.looks)
	if r.guarded == nil {
		r.guarded = r
	}
	return h.Handler.ServeRPC(ctx, dst, r)
}

// ServeRPC notes that all middleware has let the request through.
func (h innermost) ServeRPC(ctx context.Context, dst []byte, r *Request) ([]byte, error) {
	r.enter()
	return h.Handler.ServeRPC(ctx, dst, r)
}
