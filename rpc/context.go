package rpc

import (
	"context"
	"sync"
	"time"

	"github.com/spanwire/spanwire/rpc/remoting"
)

// ending is the part of a context that ends. It is made small: a channel exists only when somebody asks for one.
type ending struct {
	mu    sync.Mutex
	done  chan struct{}
	err   error
	after *[]*func() // nil while there are none
}

// Done returns a channel that is closed when the context ends.
func (e *ending) Done() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done == nil {
		e.done = make(chan struct{})
		if e.err != nil {
			close(e.done)
		}
	}
	return e.done
}

// Err tells why the context has ended.
func (e *ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// AfterFunc runs f when the context has ended. Package context uses it for contexts made from this one, so that they need no
// goroutine.
func (e *ending) AfterFunc(f func()) (stop func() bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		go f()
		return func() bool { return false }
	}
	if e.after == nil {
		e.after = new([]*func())
	}
	*e.after = append(*e.after, &f)
	return func() bool { return e.forget(&f) }
}

func (e *ending) forget(f *func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.after == nil {
		return false
	}
	for i, g := range *e.after {
		if g == f {
			*e.after = append((*e.after)[:i], (*e.after)[i+1:]...)
			return true
		}
	}
	return false
}

func (e *ending) end(reason error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return
	}
	e.err = reason
	if e.done != nil {
		close(e.done)
	}
	if e.after != nil {
		for _, f := range *e.after {
			go (*f)()
		}
		e.after = nil
	}
}

type (
	sessionKey struct{} // the Session
	inlineKey  struct{} // the *conn on whose reader a handler runs
	callKey    struct{} // the *callContext
	optionsKey struct{} // the *CallOptions
)

// connContext lives as long as its connection.
type connContext struct {
	ending
	c *conn
}

func (x *connContext) Deadline() (time.Time, bool) { return time.Time{}, false }

func (x *connContext) Value(key any) any {
	if key == (sessionKey{}) {
		return &x.c.session
	}
	return nil
}

func (x *connContext) end() { x.ending.end(context.Canceled) }

// inlineContext is the connection's context as inline handlers get it: the connection under another name.
type inlineContext conn

func (x *inlineContext) Deadline() (time.Time, bool) { return time.Time{}, false }
func (x *inlineContext) Done() <-chan struct{}       { return x.base.Done() }
func (x *inlineContext) Err() error                  { return x.base.Err() }

func (x *inlineContext) AfterFunc(f func()) func() bool { return x.base.AfterFunc(f) }

func (x *inlineContext) Value(key any) any {
	if key == (inlineKey{}) {
		return (*conn)(x)
	}
	return x.base.Value(key)
}

// callContext is the context of one request that runs in its own goroutine. It is never used again.
type callContext struct {
	ending
	c        *conn
	deadline time.Time
	due      int64         // tick of the deadline, 0 without one
	asked    bool          // the caller has cancelled
	mute     bool          // the answer has no room for metadata, or there is none
	tail     remoting.Tail // nil without metadata
	trace    string
	token    string // of this call

	replyMu sync.Mutex
	reply   Metadata
}

func (x *callContext) Deadline() (time.Time, bool) { return x.deadline, !x.deadline.IsZero() }

func (x *callContext) Value(key any) any {
	switch key.(type) {
	case sessionKey:
		return &x.c.session
	case callKey:
		return x
	}
	return nil
}
