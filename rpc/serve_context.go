package rpc

import (
	"context"
	"sync"
	"time"

	"github.com/spanwire/spanwire/rpc/internal/ctx"
	"github.com/spanwire/spanwire/rpc/remoting"
)

type (
	sessionKey struct{} // the Session
	inlineKey  struct{} // the *conn on whose reader a handler runs
	callKey    struct{} // the *callContext
	optionsKey struct{} // the *CallOptions
)

// connContext lives as long as its connection.
type connContext struct {
	ctx.Ending
	c *conn
}

func (x *connContext) Deadline() (time.Time, bool) { return time.Time{}, false }

func (x *connContext) Value(key any) any {
	if key == (sessionKey{}) {
		return &x.c.session
	}
	return nil
}

func (x *connContext) end() { x.End(context.Canceled) }

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
	ctx.Ending
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
