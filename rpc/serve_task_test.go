package rpc_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// TestWorkersNeverWait: requests that come together run together, each of them waiting for all others, on every codec.
func TestWorkersNeverWait(t *testing.T) {
	for _, k := range echoCodecs {
		t.Run(k.name, func(t *testing.T) {
			const n = 64
			var all sync.WaitGroup
			all.Add(n)
			h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				all.Done()
				all.Wait()
				return append(dst, r.Body...), nil
			})
			cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: k.codec, Raw: true}), rpc.Dialer{Codec: k.codec, Raw: true, MaxConns: 1})
			var done sync.WaitGroup
			for i := range n {
				done.Add(1)
				err := cl.Go(context.Background(), "", []byte{byte(i)}, func(body []byte, err error) {
					if err != nil || len(body) != 1 || body[0] != byte(i) {
						t.Error(i, body, err)
					}
					done.Done()
				})
				if err != nil {
					t.Fatal(i, err)
				}
			}
			within(t, "answers", done.Wait)
		})
	}
}

// TestWorkerThatEndsFailsItsRequestAlone: a handler that ends its goroutine fails its own request and no other.
func TestWorkerThatEndsFailsItsRequestAlone(t *testing.T) {
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if r.Body[0]%2 == 0 {
			runtime.Goexit()
		}
		return append(dst, r.Body...), nil
	})
	cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: frame.Standard{}, Raw: true, Log: quiet}), rpc.Dialer{Raw: true, MaxConns: 1})
	var done sync.WaitGroup
	for i := range 100 {
		done.Add(1)
		err := cl.Go(context.Background(), "", []byte{byte(i)}, func(body []byte, err error) {
			var e *rpc.Error
			if ended := errors.As(err, &e) && e.Code == 500; ended != (i%2 == 0) || !ended && (err != nil || body[0] != byte(i)) {
				t.Error(i, body, err)
			}
			done.Done()
		})
		if err != nil {
			t.Fatal(i, err)
		}
	}
	within(t, "answers", done.Wait)
}
