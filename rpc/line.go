package rpc

import (
	"context"
	"errors"
)

// enter waits until a call may be made: a number is free, and the backlog is not full. mu is held before and after.
func (c *conn) enter(ctx context.Context, ca *call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Value(inlineKey{}) == c {
		return ErrWouldDeadlock
	}
	if err := c.ready(); err != nil {
		return err
	}
	if c.tab == nil {
		c.tab = new(table)
	}
	s := c.calls()
	if s.waiting != nil || s.granted > 0 || c.tab.full(c.cfg.lim.InFlight) {
		if err := c.queueUp(ctx, ca); err != nil {
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
		if c.tab == nil || c.tab.full(c.cfg.lim.InFlight-c.side.granted) {
			return c.enter(ctx, ca)
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
	case c.side != nil:
		return c.side.draining
	}
	return nil
}

var errEnded = errors.New("closed by the peer")

// queueUp waits in line for a number.
func (c *conn) queueUp(ctx context.Context, ca *call) error {
	s := c.side
	if !c.tab.full(c.cfg.lim.InFlight-s.granted) && s.waiting == nil {
		return nil
	}
	ca.err = nil
	if s.waiting == nil {
		s.waiting = ca
	} else {
		s.last.next = ca
	}
	s.last = ca
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
	case c.leaveLine(ca):
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

// leaveLine takes ca out of the line and tells whether it was there.
func (c *conn) leaveLine(ca *call) bool {
	s := c.side
	for p, prev := s.waiting, (*call)(nil); p != nil; prev, p = p, p.next {
		if p != ca {
			continue
		}
		if prev == nil {
			s.waiting = ca.next
		} else {
			prev.next = ca.next
		}
		if s.last == ca {
			s.last = prev
		}
		ca.next = nil
		return true
	}
	return false
}

// grant promises free numbers to the first in line.
func (c *conn) grant() {
	s := c.side
	for s != nil && s.waiting != nil && c.tab != nil && !c.tab.full(c.cfg.lim.InFlight-s.granted) {
		ca := s.step()
		s.granted++
		ca.ch <- struct{}{}
	}
}

// step takes the first out of the line.
func (s *callSide) step() *call {
	ca := s.waiting
	s.waiting, ca.next = ca.next, nil
	if s.waiting == nil {
		s.last = nil
	}
	return ca
}

// turnAway sends everybody in line away.
func (c *conn) turnAway(reason error) {
	for c.side != nil && c.side.waiting != nil {
		ca := c.side.step()
		ca.err = reason
		ca.ch <- struct{}{}
	}
	c.signal()
}
