package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/value"
)

// Items come in order and whole, more of them than the window holds; null and empty ones are told apart.
func TestStream(t *testing.T) {
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
func TestStreamFlow(t *testing.T) {
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
func TestStreamEnds(t *testing.T) {
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
