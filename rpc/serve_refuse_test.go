package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// counted is a handler that counts its runs and fails with err.
type counted struct {
	runs atomic.Int32
	err  error
}

func (h *counted) ServeRPC(context.Context, []byte, *rpc.Request) ([]byte, error) {
	h.runs.Add(1)
	return nil, h.err
}

// turns makes middleware that answers instead of the handler, before or after it has run.
func turns(err error, after bool) rpc.Middleware {
	return func(next rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			if after {
				again := *r // what it hands on need not be what it got
				_, _ = next.ServeRPC(ctx, dst, &again)
			}
			return nil, err
		})
	}
}

// TestRefusedIsWhatHasNotRun: only what the library or its middleware has not run is Refused, and repeated; an answer of the handler's own is one,
// whatever its code (R3).
func TestRefusedIsWhatHasNotRun(t *testing.T) {
	base(t)
	for _, c := range []struct {
		name    string
		err     error // of the handler
		wrap    rpc.Middleware
		outcome rpc.Outcome
		runs    int32
	}{
		{"503 of the handler", rpc.NewError(503, "x"), nil, rpc.Answered, 1},
		{"429 of the handler", fmt.Errorf("wrapped: %w", rpc.NewError(429, "x")), nil, rpc.Answered, 1},
		{"Refuse by the handler", rpc.Refuse(503, "x"), nil, rpc.Answered, 1},
		{"Refuse by the handler behind middleware", rpc.Refuse(503, "x"), func(h rpc.Handler) rpc.Handler { return h }, rpc.Answered, 1},
		{"503 of middleware", nil, turns(rpc.NewError(503, "x"), false), rpc.Answered, 0},
		{"Refuse by middleware", nil, turns(rpc.Refuse(429, "x"), false), rpc.Refused, 0},
		{"wrapped Refuse by middleware", nil, turns(fmt.Errorf("no: %w", rpc.Refuse(503, "x")), false), rpc.Refused, 0},
		{"Refuse by middleware after the handler", nil, turns(rpc.Refuse(503, "x"), true), rpc.Answered, 1},
		{"inline", nil, func(h rpc.Handler) rpc.Handler { return rpc.Inline(turns(rpc.Refuse(503, "x"), false)(h)) }, rpc.Refused, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			x := new(rpc.Mux)
			x.Use(func(h rpc.Handler) rpc.Handler {
				return rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
					asked.Add(1)
					return h.ServeRPC(ctx, dst, r)
				})
			})
			if c.wrap == nil {
				x = new(rpc.Mux) // no middleware at all
			} else {
				x.Use(c.wrap)
			}
			h := &counted{err: c.err}
			x.Handle("A/Count", h)
			_, cl := both(t, x, rpc.Dialer{})
			_, err := cl.Call(context.Background(), nil, "A/Count", nil)
			require.Equal(t, c.outcome, rpc.OutcomeOf(err), "%v", err)
			require.Equal(t, c.runs, h.runs.Load())
			if c.outcome == rpc.Refused {
				require.EqualValues(t, 3, asked.Load(), "tries")
				asked.Store(0)
				_, err = cl.Call(rpc.WithOptions(context.Background(), rpc.CallOptions{Once: true}), nil, "A/Count", nil)
				require.Equal(t, rpc.Refused, rpc.OutcomeOf(err))
				require.EqualValues(t, 1, asked.Load(), "tries of a call once")
			}
		})
	}
}

// TestRefusedIsNotPassedOnByARelay: a relay that returns the error of its own call has run all the same.
func TestRefusedIsNotPassedOnByARelay(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Use(turns(rpc.Refuse(503, "not now"), false))
	x.Handle("A/Far", echo)
	_, far := both(t, x, rpc.Dialer{})
	var runs atomic.Int32
	y := new(rpc.Mux)
	y.Use(func(h rpc.Handler) rpc.Handler { return h })
	y.HandleFunc("A/Near", func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		runs.Add(1)
		return far.Call(rpc.WithOptions(ctx, rpc.CallOptions{Once: true}), dst, "A/Far", r.Body)
	})
	_, near := both(t, y, rpc.Dialer{})
	_, err := near.Call(context.Background(), nil, "A/Near", nil)
	require.EqualValues(t, 503, rpc.CodeOf(err))
	require.Equal(t, rpc.Answered, rpc.OutcomeOf(err))
	require.EqualValues(t, 1, runs.Load())
}

// TestRefusedStreamsAreStreamsAsWell: middleware refuses streams as well.
func TestRefusedStreamsAreStreamsAsWell(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Use(turns(rpc.Refuse(503, "not now"), false))
	rpc.HandleStream(x, "A/Items", func(context.Context, struct{}) iter.Seq2[int, error] {
		t.Error("run")
		return nil
	})
	_, cl := both(t, x, rpc.Dialer{})
	for _, err := range rpc.Stream[int](context.Background(), cl, "A/Items", nil) {
		require.Equal(t, rpc.Refused, rpc.OutcomeOf(err), "%v", err)
	}
}

// TestRefusedIsNothingToForeignPeers: a peer without a tail is told nothing of it, and one that sends none is not believed.
func TestRefusedIsNothingToForeignPeers(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Use(turns(rpc.Refuse(503, "not now"), false))
	x.Handle("A/Far", echo)
	p := connect(t, serve(t, &rpc.Server{Handler: x, Log: quiet}), frame.Standard{})
	p.nc.Write([]byte("\x01\x01\x06\x00\x05A/Far"))
	f, _ := p.next()
	m, err := remoting.Parse(f.Mode(), f.Payload)
	require.NoError(t, err)
	require.EqualValues(t, 503, m.Code)
	require.Nil(t, m.Tail)

	var asked atomic.Int32
	cl := dial(t, scripted(t, func(p *script) {
		for {
			f, ok := p.next()
			if !ok {
				return
			}
			asked.Add(1)
			b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.ErrorResponse, 1), f.Seq, &remoting.Message{Action: []byte("A/Far"), Code: 503})
			p.nc.Write(b)
		}
	}), rpc.Dialer{})
	_, err = cl.Call(context.Background(), nil, "A/Far", nil)
	var e *rpc.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, rpc.Answered, rpc.OutcomeOf(err))
	require.EqualValues(t, 1, asked.Load())
}
