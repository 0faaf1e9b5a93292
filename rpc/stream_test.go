package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

// Items come in order and whole, more of them than the window holds; null and empty ones are told apart.
func TestStreamItemsComeInOrderAndWhole(t *testing.T) {
	base(t)
	x := recorded()
	rpc.HandleStream(x, "S/Many", func(_ context.Context, n int) iter.Seq2[value.Packet, error] {
		return each(n, func(i int) (value.Packet, error) { return bytes.Repeat([]byte{byte(i)}, 1000), nil })
	})
	_, cl := both(t, x, rpc.Dialer{})
	n := 0
	for item, err := range rpc.Stream[value.Packet](context.Background(), cl, "S/Many", 2000) {
		if err != nil || len(item) != 1000 || item[0] != byte(n) {
			t.Fatal(n, len(item), err)
		}
		n++
	}
	if n != 2000 {
		t.Fatal(n)
	}
	var got []string
	for item, err := range rpc.Stream[*string](context.Background(), cl, "Stream/WithNull", nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, orNull(item))
	}
	if len(got) != 3 || got[0] != "a" || got[2] != "c" {
		t.Fatal(got)
	}
	items := 0
	var last error
	for _, err := range rpc.Stream[string](context.Background(), cl, "Stream/ApiFailAt", map[string]int{"n": 2}) {
		if last = err; err == nil {
			items++
		}
	}
	if items != 2 || rpc.CodeOf(last) != 777 {
		t.Fatal(items, last)
	}
}

// A slow reader holds the sender back, and leaving the loop ends it.
func TestStreamsSlowReaderHoldsTheSenderBack(t *testing.T) {
	synctest.Test(t, streamFlow)
}

func streamFlow(t *testing.T) {
	var sent atomic.Int64
	ended := make(chan error, 1)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Endless", func(ctx context.Context, _ struct{}) iter.Seq2[value.Packet, error] {
		return func(yield func(value.Packet, error) bool) {
			item := make(value.Packet, 10<<10)
			for yield(item, nil) {
				sent.Add(1)
			}
			ended <- ctx.Err()
		}
	})
	x.Handle("A/Echo", echo)
	s := &rpc.Server{Handler: x, Log: quiet}
	defer s.Close()
	cl := piped(t, s, rpc.Dialer{})
	n := 0
	for item, err := range rpc.Stream[value.Packet](context.Background(), cl, "S/Endless", nil) {
		if err != nil || len(item) != 10<<10 {
			t.Fatal(len(item), err)
		}
		if n++; n == 5 {
			synctest.Wait() // until nobody has anything to do
			if s := sent.Load(); s < 26 || s > 60 {
				t.Fatal(s, "items were sent to who does not read")
			}
		}
		if n == 100 {
			break
		}
	}
	within(t, "end", func() {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	if got, err := cl.Call(context.Background(), nil, "A/Echo", []byte("x")); string(got) != "x" || err != nil {
		t.Fatal(string(got), err)
	}
	synctest.Wait()
	if calls, retired := cl.Pending(); calls != 0 || retired != 0 {
		t.Fatal(calls, retired)
	}
	cl.Close()
}

// The end of the connection, and of the context, ends the loop with the reason.
func TestStreamEndsWithTheReason(t *testing.T) {
	base(t)
	s, cl := both(t, recorded(), rpc.Dialer{})
	for item, err := range rpc.Stream[int](context.Background(), cl, "Stream/Slow", map[string]int{"count": 1000}) {
		if item == 1 {
			for _, sess := range s.Sessions() {
				sess.Close(nil)
			}
		}
		var ce *rpc.ConnError
		if err != nil && !errors.As(err, &ce) {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var last error
	for item, err := range rpc.Stream[int](ctx, cl, "Stream/Slow", map[string]int{"count": 1000}) {
		if item == 1 {
			cancel()
		}
		last = err
	}
	cancel()
	if !errors.Is(last, context.Canceled) {
		t.Fatal(last)
	}
}

// TestStreamItemsMayBeLargerThanTheWindow: items may be larger than the window, up to the largest payload.
func TestStreamItemsMayBeLargerThanTheWindow(t *testing.T) {
	for _, size := range []int{300 << 10, 1 << 20, 2 << 20, 7 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			base(t)
			items := 10
			if size > 1<<20 {
				items = 3 // which take their time under -race
			}
			x := new(rpc.Mux)
			rpc.HandleStream(x, "S/Large", func(context.Context, int) iter.Seq2[value.Packet, error] {
				item := make(value.Packet, size)
				return each(items, func(int) (value.Packet, error) { return item, nil })
			})
			_, cl := both(t, x, rpc.Dialer{})
			within(t, "items", func() {
				ctx, cancel := context.WithTimeout(context.Background(), guard)
				defer cancel()
				n := 0
				for item, err := range rpc.Stream[value.Packet](ctx, cl, "S/Large", 0) {
					if err != nil || len(item) != size {
						t.Error(n, len(item), err)
						return
					}
					n++
				}
				if n != items {
					t.Error(n)
				}
			})
		})
	}
}

// TestStreamOfSmallItemsIsWholeForASlowReader: who takes small items slowly gets all of them.
func TestStreamOfSmallItemsIsWholeForASlowReader(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Small", func(_ context.Context, n int) iter.Seq2[int, error] {
		return each(n, func(i int) (int, error) { return i % 10, nil })
	})
	_, cl := both(t, x, rpc.Dialer{})
	n := 0
	for item, err := range rpc.Stream[int](context.Background(), cl, "S/Small", 100000) {
		if err != nil || item != n%10 {
			t.Fatal(n, item, err)
		}
		if n++; n == 1 {
			time.Sleep(500 * time.Millisecond)
		}
	}
	if n != 100000 {
		t.Error(n)
	}
}

// TestStreamSeesItsContextsEnd: a loop sees its context's end also while there are items.
func TestStreamSeesItsContextsEnd(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Endless", func(context.Context, int) iter.Seq2[int, error] {
		return each(1<<30, func(i int) (int, error) { return i % 10, nil })
	})
	_, cl := both(t, x, rpc.Dialer{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n, late := 0, 0
	var last error
	for _, last = range rpc.Stream[int](ctx, cl, "S/Endless", 0) {
		if n++; n == 100 {
			time.Sleep(50 * time.Millisecond)
			cancel()
		}
		if last == nil && n > 100 {
			if late++; late == 5000 {
				break
			}
		}
	}
	if late > 0 || !errors.Is(last, context.Canceled) {
		t.Error(late, "items after the end of the context;", last)
	}
}

// TestStreamsNumberIsNotUsedAgainBeforeItsEnd: the number of a stream that was left is not used again before the stream's end has come.
func TestStreamsNumberIsNotUsedAgainBeforeItsEnd(t *testing.T) {
	base(t)
	item := func(p *script, f frame.Frame, body string) {
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.Response, remoting.ItemFlag(f.Flag())), f.Seq,
			&remoting.Message{Action: []byte("S/Many"), Data: []byte(body), Tail: remoting.Tail{}})
		p.nc.Write(b)
	}
	addr := scripted(t, func(p *script) {
		f, _ := p.next() // the stream
		item(p, f, "one")
		p.next() // $cancel
		item(p, f, "two")
		item(p, f, "three")
		for {
			g, ok := p.next()
			if !ok {
				return
			}
			if g.Seq == f.Seq && g.Mode() == frame.Request {
				item(p, f, "four") // from before the server saw $cancel
			}
		}
	})
	cl := dial(t, addr, rpc.Dialer{MaxConns: 1, Peer: rpc.NewLife})
	for _, err := range rpc.Stream[string](context.Background(), cl, "S/Many", nil) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	time.Sleep(50 * time.Millisecond)
	var wrong atomic.Value
	for range 256 {
		cl.Go(context.Background(), "A/Echo", nil, func(body []byte, err error) {
			if err == nil {
				wrong.Store(string(body))
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	if w := wrong.Load(); w != nil {
		t.Errorf("a call got %q, an item of a stream", w)
	}
}

// TestStreamEndsOnAnyErrorCode: an error whose code is none ends a stream all the same.
func TestStreamEndsOnAnyErrorCode(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Fail", func(context.Context, int) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) { yield(0, &rpc.Error{Text: "no code"}) }
	})
	_, cl := both(t, x, rpc.Dialer{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var last error
	for _, last = range rpc.Stream[string](ctx, cl, "S/Fail", 0) {
	}
	if rpc.CodeOf(last) != 500 || errors.Is(last, context.DeadlineExceeded) {
		t.Error(last)
	}
}

// TestStreamsHaveMiddlewareAround: what is put around all handlers is around streams as well.
func TestStreamsHaveMiddlewareAround(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Use(func(rpc.Handler) rpc.Handler {
		return rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) { return nil, rpc.NewError(403, "no") })
	})
	rpc.HandleStream(x, "S/Secret", func(context.Context, int) iter.Seq2[int, error] {
		return each(3, func(i int) (int, error) { return i, nil })
	})
	_, cl := both(t, x, rpc.Dialer{})
	items := 0
	var last error
	for _, err := range rpc.Stream[int](context.Background(), cl, "S/Secret", 0) {
		if last = err; err == nil {
			items++
		}
	}
	if items != 0 || rpc.CodeOf(last) != 403 {
		t.Error(items, last)
	}
}

// TestStreamAskedForInAOneWayIsNoAnswer: what was asked for in a one-way message is not taken for the answer of a call.
func TestStreamAskedForInAOneWayIsNoAnswer(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	gate := make(chan struct{})
	rpc.HandleStream(x, "S/Many", func(context.Context, int) iter.Seq2[string, error] {
		return each(3, func(int) (string, error) { <-gate; return "item", nil })
	})
	x.HandleFunc("A/Wait", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
		return []byte("answer"), nil
	})
	_, cl := both(t, x, rpc.Dialer{MaxConns: 1})
	if err := cl.Notify(context.Background(), "S/Many", nil); err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	for range 256 {
		done.Add(1)
		if err := cl.Go(context.Background(), "A/Wait", nil, func(body []byte, err error) {
			if string(body) != "answer" || err != nil {
				t.Errorf("%q %v", body, err)
			}
			done.Done()
		}); err != nil {
			t.Fatal(err)
		}
	}
	close(gate)
	within(t, "answers", done.Wait)
}

// TestStreamOfOneIsAnActionWithoutStream: the answer of an action that has no stream is a stream of one item.
func TestStreamOfOneIsAnActionWithoutStream(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/One", func(_ context.Context, n int) (int, error) { return n + 1, nil })
	_, cl := both(t, x, rpc.Dialer{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var got []int
	for n, err := range rpc.Stream[int](ctx, cl, "A/One", 1) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	if len(got) != 1 || got[0] != 2 {
		t.Error(got)
	}
}

// TestStreamThatWasCutDoesNotLookComplete: a stream whose handler leaves because its context has ended does not look complete.
func TestStreamThatWasCutDoesNotLookComplete(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Tick", func(ctx context.Context, _ string) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			if yield(1, nil) {
				<-ctx.Done()
			}
		}
	})
	s, cl := both(t, x, rpc.Dialer{})
	items := 0
	for _, err := range rpc.Stream[int](context.Background(), cl, "S/Tick", "") {
		switch {
		case err == nil:
			items++
			go s.Shutdown(context.Background())
		case !errors.Is(err, rpc.ErrServerClosing) || items != 1:
			t.Error(items, err)
		default:
			items = -1
		}
	}
	if items != -1 {
		t.Error("it looks complete")
	}
}
