package rpc

import (
	"context"
	"errors"

	"github.com/spanwire/spanwire/rpc/internal/calltable"
	"github.com/spanwire/spanwire/rpc/internal/clock"
)

// line is the callers that wait for a number.
type line struct{ calltable.Line[waiter] }

// waiter is a caller in line.
type waiter struct {
	ca    *call
	born  int32 // the tick that first saw it, 0 before
	until bool  // it has a deadline of its own
}

// pop takes the first out of the line, who keeps the time at which it was seen there.
func (l *line) pop() *call {
	w := l.Pop()
	w.ca.born = w.born
	return w.ca
}

// enter waits until a call may be made: a number is free, and the backlog is not full. mu is held before and after.
func (c *conn) enter(ctx context.Context, ca *call, m *outgoing) error {
	err := c.tryEnter(ctx, ca, m)
	if err != nil {
		c.grant() // what it was promised is somebody else's
	}
	return err
}

func (c *conn) tryEnter(ctx context.Context, ca *call, m *outgoing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Value(inlineKey{}) == c {
		return ErrWouldDeadlock
	}
	if err := c.ready(); err != nil {
		return err
	}
	if c.calls.tab == nil {
		c.calls.tab = new(table)
	}
	s := c.callSide()
	if s.line.Waiting() || s.granted > 0 || c.calls.tab.Full(c.cfg.lim.InFlight, s.granted) {
		err := c.queueUp(ctx, waiter{ca: ca, born: c.seenAt(m.born), until: m.ends})
		if ca.born != 0 {
			m.born = ca.born
		}
		if err != nil {
			return err
		}
		if err := c.ready(); err != nil { // since the number was promised
			return err
		}
	}
	for c.crowded() {
		if err := c.await(ctx); err != nil {
			return err
		}
		if err := c.ready(); err != nil {
			return err
		}
		if c.calls.tab == nil || c.calls.tab.Full(c.cfg.lim.InFlight, c.calls.side.granted) {
			return c.tryEnter(ctx, ca, m)
		}
	}
	return nil
}

// ready tells why no call can be made.
func (c *conn) ready() error {
	switch {
	case c.err != nil:
		return c.err
	case c.ended:
		return &ConnError{Peer: c.addr(), Reason: errEnded}
	case c.shut:
		return ErrServerClosing
	case c.calls.side != nil:
		return c.calls.side.draining
	}
	return nil
}

var errEnded = errors.New("closed by the peer")

// seenAt is the tick born, 0 for none, which may be of another connection: the clock begins anew when there was none for long.
func (c *conn) seenAt(born int32) int32 {
	if born == 0 {
		return 0
	}
	if now := c.cfg.clock.Now(); clock.Age(now, born) < 0 {
		return int32(now) | 1
	}
	return born
}

// queueUp waits in line for a number.
func (c *conn) queueUp(ctx context.Context, w waiter) error {
	s, ca := c.calls.side, w.ca
	if !c.calls.tab.Full(c.cfg.lim.InFlight, s.granted) && !s.line.Waiting() {
		return nil
	}
	ca.err = nil
	s.line.Push(w)
	c.watchSoon()
	c.mu.Unlock()
	var err error
	select {
	case <-ca.ch:
	case <-ctx.Done():
		err = ctx.Err()
	}
	c.mu.Lock()
	switch {
	case err == nil && ca.err == nil:
		s.granted--
	case err == nil:
		err, ca.err = ca.err, nil
	case s.line.Remove(func(w waiter) bool { return w.ca == ca }):
	default: // granted, or turned away, in this moment
		<-ca.ch
		if ca.err == nil {
			s.granted--
			c.grant()
		}
		ca.err = nil
	}
	return err
}

// grant promises free numbers to the first in line.
func (c *conn) grant() {
	s := c.calls.side
	for s != nil && s.line.Waiting() && c.calls.tab != nil && !c.calls.tab.Full(c.cfg.lim.InFlight, s.granted) {
		s.granted++
		s.line.pop().ch <- struct{}{}
	}
}

// turnAway sends everybody in line away.
func (c *conn) turnAway(reason error) {
	for c.calls.side != nil && c.calls.side.line.Waiting() {
		ca := c.calls.side.line.pop()
		ca.err = reason
		ca.ch <- struct{}{}
	}
	c.signal()
}
