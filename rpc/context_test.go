package rpc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

// TestHandlerCanTellWhatEndedItsContext: what ended a handler's context can be told from its failure.
func TestHandlerCanTellWhatEndedItsContext(t *testing.T) {
	for code, want := range map[int32]error{499: context.Canceled, 504: context.DeadlineExceeded} {
		if c := rpc.CodeOf(want); c != code {
			t.Error(want, c)
		}
		if err := error(rpc.NewError(code, "x")); !errors.Is(err, want) || errors.Is(err, rpc.ErrServerClosing) {
			t.Error(err)
		}
	}
	if err := error(rpc.NewError(500, "x")); errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestDeadlineFarAwayIsNotOver: a deadline in three hundred years is not over, and neither is a limit of that size.
func TestDeadlineFarAwayIsNotOver(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.HandleFunc("A/Wait", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(400 * time.Millisecond):
			return []byte("x"), nil
		}
	})
	_, cl := both(t, x, rpc.Dialer{Limits: rpc.Limits{CallTimeout: 1<<63 - 1}})
	far, cancel := context.WithTimeout(context.Background(), 1<<63-1)
	defer cancel()
	for _, ctx := range []context.Context{far, context.Background()} {
		if got, err := cl.Call(ctx, nil, "A/Wait", nil); string(got) != "x" || err != nil {
			t.Error(string(got), err)
		}
	}
}

// The caller's deadline reaches the handler, and so does its end.
func TestDeadlineAndCancelReachTheHandler(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	left := make(chan time.Duration, 1)
	ended := make(chan error, 1)
	x.HandleFunc("A/Wait", func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		d, ok := ctx.Deadline()
		if !ok {
			left <- -1
		} else {
			left <- time.Until(d)
		}
		child, stop := context.WithCancel(ctx) // ends with its parent, without a goroutine of its own
		defer stop()
		<-child.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	s, cl := both(t, x, rpc.Dialer{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	failed := make(chan error, 1)
	go func() {
		_, err := cl.Call(ctx, nil, "A/Wait", nil)
		failed <- err
	}()
	if d := <-left; d < 50*time.Second || d > time.Minute {
		t.Fatal(d)
	}
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) || rpc.OutcomeOf(err) != rpc.Unknown {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	until(t, "answer 499", func() bool { _, retired := cl.Pending(); return retired == 0 && s.Stats().Errors == 1 })

	for { // until the machine is quick enough to send before the deadline
		ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		_, err := cl.Call(ctx, nil, "A/Wait", nil)
		if err == nil {
			t.Fatal("answered")
		}
		if rpc.OutcomeOf(err) != rpc.NotSent {
			break
		}
	}
	<-left
	if err := <-ended; err == nil {
		t.Fatal("handler's context has not ended")
	}
	go cl.Call(context.Background(), nil, "A/Wait", nil)
	if d := <-left; d != -1 {
		t.Fatal("deadline without one:", d)
	}
	cl.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
