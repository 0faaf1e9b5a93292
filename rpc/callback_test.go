package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// TestWhatCallbacksQueueIsSentBeforeTheReaderWaits: what callbacks have queued is sent before the reader waits for room.
func TestWhatCallbacksQueueIsSentBeforeTheReaderWaits(t *testing.T) {
	for name, inline := range map[string]bool{"inline": true, "goroutine": false} {
		t.Run(name, func(t *testing.T) {
			served := make(chan struct{})
			l, _ := net.Listen("tcp", "127.0.0.1:0")
			defer l.Close()
			nc, _ := net.Dial("tcp", l.Addr().String())
			pc, _ := l.Accept()
			p := &script{t, pc, frame.NewReader(frame.Standard{Max: 32 << 20})}
			defer pc.Close()
			replies := make(chan frame.Frame, 8)
			go func() {
				defer close(served)
				var b []byte
				std := frame.Standard{}
				for range 64 {
					f, ok := p.next()
					if !ok {
						return
					}
					b, _ = std.AppendFrame(b, f.Reply(frame.Response, nil))
				}
				b, _ = std.AppendFrame(b, frame.Frame{Head: frame.Head(frame.Request, 1), Seq: 7, Payload: []byte("req")})
				pc.Write(b)
				for {
					f, ok := p.next()
					if !ok {
						return
					}
					if f.Mode() >= frame.Response {
						replies <- f
					}
				}
			}()
			h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				return append(dst, make([]byte, 100<<10)...), nil // more than keptBuffer: flushed at once
			})
			var hh rpc.Handler = h
			if inline {
				hh = rpc.Inline(h)
			}
			cl := rpc.Dialer{Raw: true, Handler: hh, MaxConns: 1}.NewClient(nc)
			defer cl.Close()
			var left atomic.Int32
			left.Store(64)
			for range 64 {
				if err := cl.Go(context.Background(), "", []byte("x"), func([]byte, error) {
					if left.Add(-1) == 0 {
						cl.Notify(context.Background(), "", make([]byte, 2<<20)) // over the backlog, which was empty
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case <-replies:
			case <-time.After(guard):
				t.Error("the peer's request is not answered: the reader waits for what it has corked itself")
			}
		})
	}
}

// TestCallbackLearnsOfItsContextsEnd: a callback learns of its context's end also where calls never end.
func TestCallbackLearnsOfItsContextsEnd(t *testing.T) {
	base(t)
	addr := scripted(t, func(p *script) {
		for ok := true; ok; _, ok = p.next() {
		}
	})
	cl := dial(t, addr, rpc.Dialer{Raw: true, Limits: rpc.Limits{CallTimeout: -1}})
	time.Sleep(100 * time.Millisecond)
	ctx, cancel := context.WithCancel(context.Background())
	got := make(chan error, 1)
	if err := cl.Go(ctx, "", nil, func(_ []byte, err error) { got <- err }); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case err := <-got:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(time.Second):
		t.Error("not called")
	}
}

// TestCallbackThatEndsItsGoroutineEndsTheConnection: a callback that ends its goroutine ends the connection, and the calls behind it.
func TestCallbackThatEndsItsGoroutineEndsTheConnection(t *testing.T) {
	base(t)
	var n atomic.Int32
	addr := scripted(t, func(p *script) {
		a, _ := p.next()
		b, _ := p.next()
		c, _ := p.next()
		var all bytes.Buffer
		for _, f := range []frame.Frame{a, b, c} {
			out, _ := frame.Standard{}.AppendFrame(nil, f.Reply(frame.Response, nil))
			all.Write(out)
		}
		p.nc.Write(all.Bytes())
		p.next()
	})
	cl := dial(t, addr, rpc.Dialer{Raw: true, MaxConns: 1})
	for i := range 3 {
		if err := cl.Go(context.Background(), "", nil, func([]byte, error) {
			n.Add(1)
			if i == 0 {
				runtime.Goexit()
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "callbacks", func() bool { return n.Load() == 3 })
}

// A callback's context can end, too.
func TestCallbacksContextCanEnd(t *testing.T) {
	base(t)
	g := newGate()
	x := new(rpc.Mux)
	x.Handle("A/Slow", g)
	_, cl := both(t, x, rpc.Dialer{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	if err := cl.Go(ctx, "A/Slow", nil, func(_ []byte, err error) { done <- err }); err != nil {
		t.Fatal(err)
	}
	until(t, "running", func() bool { return g.running.Load() == 1 })
	cancel()
	within(t, "callback", func() {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	until(t, "handler", func() bool { return g.running.Load() == 0 })
}
