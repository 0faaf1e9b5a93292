package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
)

// C26: one-way messages get no answer, whatever their handler does, and run in order.
func TestOneWayGetsNoAnswerAndRunsInOrder(t *testing.T) {
	base(t)
	var seen []string
	done := make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if !r.OneWay {
			return append(dst, "answer"...), nil
		}
		seen = append(seen, string(r.Body)) // one after another: no lock
		switch len(seen) {
		case 1:
			return append(dst, "value"...), nil
		case 2:
			return nil, errors.New("error")
		case 3:
			panic("panic")
		case 100:
			close(done)
		}
		return nil, nil
	})
	var first [1]byte
	s := &rpc.Server{Handler: h, Raw: true, Log: quiet}
	addr := serve(t, s)
	cl := dial(t, addr, raw)
	for i := range 100 {
		if err := cl.Notify(context.Background(), "", []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "messages", func() { <-done })
	for i, s := range seen {
		if s != fmt.Sprint(i) {
			t.Fatal(seen)
		}
	}
	if got, err := call(cl, "x"); got != "answer" || err != nil {
		t.Fatal(got, err)
	}
	if st := cl.Stats(); st.FramesIn != 1 || st.Notices != 100 {
		t.Fatalf("%+v", st)
	}
	cl.Close()
	if err := cl.Notify(context.Background(), "", nil); !errors.Is(err, rpc.ErrClosed) {
		t.Fatal(err)
	}
	head := make(chan byte, 1)
	other := dial(t, scripted(t, func(p *script) {
		io.ReadFull(p.nc, first[:])
		head <- first[0]
	}), raw)
	if err := other.Notify(context.Background(), "", []byte("x")); err != nil || <-head != 0x41 {
		t.Fatal(err)
	}
	if n := s.Stats().Panics; n != 1 {
		t.Fatal(n)
	}
}

// TestOneWayHandlerThatEndsItsGoroutineHarmsNobody: a one-way handler that ends its goroutine harms neither the process nor the messages behind it.
func TestOneWayHandlerThatEndsItsGoroutineHarmsNobody(t *testing.T) {
	base(t)
	got := make(chan string, 1)
	x := new(rpc.Mux)
	x.HandleFunc("A/Note", func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		if string(r.Body) == "end" {
			runtime.Goexit()
		}
		got <- string(r.Body)
		return nil, nil
	})
	_, cl := both(t, x, rpc.Dialer{})
	for _, body := range []string{"end", "next"} {
		if err := cl.Notify(context.Background(), "A/Note", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "the next message", func() { <-got })
}

// TestOneWayContextEndsWithItsDeadline: the context of a one-way message ends with its deadline, and when the connection is lost; the peer's end is none.
func TestOneWayContextEndsWithItsDeadline(t *testing.T) {
	for _, deadline := range []bool{true, false} {
		t.Run(fmt.Sprint(deadline), func(t *testing.T) {
			base(t)
			began, ended := make(chan bool, 1), make(chan error, 1)
			x := new(rpc.Mux)
			x.HandleFunc("A/Note", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
				began <- true
				select {
				case <-ctx.Done():
				case <-time.After(2 * time.Second):
				}
				ended <- ctx.Err()
				return nil, nil
			})
			s, cl := both(t, x, rpc.Dialer{})
			ctx, cancel := context.Background(), func() {}
			if deadline {
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
			}
			defer cancel()
			if err := cl.Notify(ctx, "A/Note", nil); err != nil {
				t.Fatal(err)
			}
			<-began
			want := context.DeadlineExceeded
			if !deadline {
				s.Close()
				want = context.Canceled
			}
			if err := <-ended; err != want {
				t.Error(err)
			}
		})
	}
}

// TestOneWaysWaitWhileTheirHandlerCallsBack: one-way messages wait while their handler calls back; none is dropped (R8).
func TestOneWaysWaitWhileTheirHandlerCallsBack(t *testing.T) {
	var n atomic.Int32
	x, y := new(rpc.Mux), new(rpc.Mux)
	x.HandleFunc("A/Told", func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		n.Add(1)
		return nil, r.Session().Invoke(ctx, "B/Up", nil, nil)
	})
	x.Handle("A/Echo", echo)
	rpc.HandleVoid(y, "B/Up", func(context.Context, struct{}) error { return nil })
	fill(t, &rpc.Server{Handler: x}, rpc.Dialer{Handler: y}, func(t *testing.T, p *filled) {
		_, err := p.cl.Call(context.Background(), nil, "A/Echo", nil)
		require.NoError(t, err)
		for range 1000 {
			require.NoError(t, p.cl.Notify(context.Background(), "A/Told", nil))
		}
		synctest.Wait()
		require.EqualValues(t, 1000, n.Load())
		require.Zero(t, p.s.Stats().Dropped)
	})
}
