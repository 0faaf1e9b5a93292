//go:build !race

package rpc_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// perCall is how many allocations a call costs, client and server together.
func perCall(t *testing.T, f func()) float64 {
	t.Helper()
	for range 300 {
		f()
	}
	best := 1e9
	for range 5 { // the runtime allocates, too, now and then
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		const n = 400
		for range n {
			f()
		}
		runtime.ReadMemStats(&m1)
		best = min(best, float64(m1.Mallocs-m0.Mallocs)/n)
	}
	return best
}

// Calls with bytes do not allocate, on either side, whatever the codec and the context.
func TestAllocsRawCallsTakeNone(t *testing.T) {
	test.Long(t)
	for name, codec := range map[string]frame.Codec{"standard": frame.Standard{}, "length": frame.LengthField{Size: 2}, "delimited": frame.Delimited{}} {
		for _, inline := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/inline=%v", name, inline), func(t *testing.T) {
				var h rpc.Handler = echo
				if inline {
					h = rpc.Inline(echo)
				}
				cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: codec, Raw: true}), rpc.Dialer{Codec: codec, Raw: true})
				ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
				defer cancel()
				req, dst := make([]byte, echoBody), make([]byte, 0, 64)
				for name, ctx := range map[string]context.Context{"background": context.Background(), "deadline": ctx} {
					n := perCall(t, func() {
						if got, err := cl.Call(ctx, dst, "", req); err != nil || len(got) != echoBody {
							t.Fatal(len(got), err)
						}
					})
					if n > 0.05 {
						t.Errorf("%s: %.2f allocations", name, n)
					}
				}
				done := make(chan struct{}, 1)
				fn := func([]byte, error) { done <- struct{}{} }
				n := perCall(t, func() {
					if err := cl.Go(context.Background(), "", req, fn); err != nil {
						t.Fatal(err)
					}
					<-done
				})
				if n > 0.05 {
					t.Errorf("callback: %.2f allocations", n)
				}
			})
		}
	}
}

// With the envelope: nothing for an inline handler, at most two for one in its own goroutine; typed handlers cost at most three
// on the server and two on the client.
func TestAllocsWithEnvelopeAreFew(t *testing.T) {
	test.Long(t)
	x := new(rpc.Mux)
	x.Handle("Test/Inline", rpc.Inline(echo))
	x.Handle("Test/Task", echo)
	rpc.Handle(x, "Test/Typed", func(_ context.Context, a *sumArg) (*sumReply, error) { return &sumReply{a.A + a.B}, nil })
	s := &rpc.Server{Handler: x}
	cl := dial(t, serve(t, s), rpc.Dialer{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	req, dst := make([]byte, echoBody), make([]byte, 0, 64)
	for _, k := range []struct {
		action string
		ctx    context.Context
		most   float64
	}{{"Test/Inline", context.Background(), 0}, {"test/inline", context.Background(), 0}, {"Test/Inline", ctx, 0}, {"Test/Task", context.Background(), 2},
		{"Test/Task", ctx, 2}} {
		n := perCall(t, func() {
			if got, err := cl.Call(k.ctx, dst, k.action, req); err != nil || len(got) != echoBody {
				t.Fatal(len(got), err)
			}
		})
		if n > k.most+0.05 {
			t.Errorf("%s: %.2f allocations", k.action, n)
		}
	}
	arg, reply := &sumArg{1, 2}, new(sumReply)
	n := perCall(t, func() {
		if err := cl.Invoke(context.Background(), "Test/Typed", arg, reply); err != nil || reply.Sum != 3 {
			t.Fatal(reply, err)
		}
	})
	if n > 5.05 {
		t.Errorf("typed: %.2f allocations", n)
	}
}

// An idle connection holds no buffers.
func TestIdleConnectionHoldsNoBuffers(t *testing.T) {
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true}
	cl := dial(t, serve(t, s), raw)
	for range 10 {
		if _, err := call(cl, "x"); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "release", func() bool { return s.Sessions()[0].Held() == 0 })
}
