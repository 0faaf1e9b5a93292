package rpc_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// TestHandlersGetAnswersWhileRequestsWaitForRoom: requests that wait for room do not keep handlers from the answers to their own calls.
func TestHandlersGetAnswersWhileRequestsWaitForRoom(t *testing.T) {
	base(t)
	var began sync.WaitGroup
	began.Add(2)
	gate := make(chan struct{})
	x := new(rpc.Mux)
	x.HandleFunc("A/Back", func(ctx context.Context, dst []byte, _ *rpc.Request) ([]byte, error) {
		began.Done()
		<-gate
		return rpc.Peer(ctx).Call(ctx, dst, "A/Echo", []byte("x"))
	})
	x.Handle("A/Echo", echo)
	s := &rpc.Server{Handler: x, Log: quiet, Limits: rpc.Limits{InFlight: 2, CallTimeout: 2 * time.Second}}
	cl := dial(t, serve(t, s), rpc.Dialer{Handler: x})
	if _, err := cl.Call(context.Background(), nil, "A/Echo", nil); err != nil {
		t.Fatal(err)
	}
	var answered sync.WaitGroup
	back := func() {
		if got, err := cl.Call(context.Background(), nil, "A/Back", nil); string(got) != "x" || err != nil {
			t.Errorf("%q %v", got, err)
		}
	}
	answered.Go(back)
	answered.Go(back)
	began.Wait()
	cl.Go(context.Background(), "A/Echo", nil, func([]byte, error) {}) // waits for room, or is refused
	time.Sleep(50 * time.Millisecond)
	close(gate)
	within(t, "answers", answered.Wait)
}

// TestBytesAnswered401LogInAgain: bytes whose answer is 401 log in also when there was a login before.
func TestBytesAnswered401LogInAgain(t *testing.T) {
	base(t)
	var open atomic.Bool
	x := new(rpc.Mux)
	x.HandleFunc("A/Get", func(context.Context, []byte, *rpc.Request) ([]byte, error) {
		if !open.Load() {
			return nil, rpc.NewError(401, "log in")
		}
		return []byte("x"), nil
	})
	logins := 0
	_, cl := both(t, x, rpc.Dialer{Login: func(context.Context, *rpc.Client) (string, error) {
		logins++
		open.Store(true)
		return "t", nil
	}})
	for n := 1; n < 4; n++ {
		open.Store(false)
		if got, err := cl.Call(context.Background(), nil, "A/Get", nil); string(got) != "x" || err != nil || logins != n {
			t.Fatal(n, string(got), err, logins)
		}
	}
}

// TestLoginLivesWhereCallsNeverEnd: a login has a context that lives also where calls never end.
func TestLoginLivesWhereCallsNeverEnd(t *testing.T) {
	base(t)
	var open atomic.Bool
	x := new(rpc.Mux)
	x.HandleFunc("A/Get", func(context.Context, []byte, *rpc.Request) ([]byte, error) {
		if !open.Load() {
			return nil, rpc.NewError(401, "log in")
		}
		return []byte("x"), nil
	})
	_, cl := both(t, x, rpc.Dialer{Limits: rpc.Limits{CallTimeout: -1}, Login: func(ctx context.Context, _ *rpc.Client) (string, error) {
		open.Store(true)
		return "t", ctx.Err()
	}})
	if got, err := cl.Call(context.Background(), nil, "A/Get", nil); string(got) != "x" || err != nil {
		t.Fatal(string(got), err)
	}
}

// TestExhaustedConnectionDoesNotStay: a connection that takes no more calls, because too many were not answered, does not stay.
func TestExhaustedConnectionDoesNotStay(t *testing.T) {
	base(t)
	addr := scripted(t, func(p *script) {
		for ok := true; ok; _, ok = p.next() {
		}
	})
	cl := dial(t, addr, rpc.Dialer{Raw: true, MaxConns: 1, Limits: rpc.Limits{CallTimeout: 20 * time.Millisecond}})
	for range 3 {
		var done sync.WaitGroup
		for range 130 {
			done.Add(1)
			if cl.Go(context.Background(), "", nil, func([]byte, error) { done.Done() }) != nil {
				done.Done()
			}
		}
		within(t, "timeouts", done.Wait)
	}
	time.Sleep(400 * time.Millisecond)
	if n := cl.Conns(); n > 1 {
		t.Error(n, "connections")
	}
}

// TestServerThatClosesAtOnceIsBackedOffFrom: a server that takes connections and closes them at once is backed off from.
func TestServerThatClosesAtOnceIsBackedOffFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		cl, err := rpc.Dialer{Raw: true, NetDial: func(context.Context, string, string) (net.Conn, error) {
			n++
			a, b := net.Pipe()
			time.AfterFunc(time.Millisecond, func() { b.Close() })
			return a, nil
		}}.Dial(context.Background(), "pipe", "")
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			_, _ = call(cl, "x")
			time.Sleep(time.Millisecond)
		}
		cl.Close()
		synctest.Wait()
		if n > 20 {
			t.Error(n, "connections in 300 ms")
		}
	})
}

// TestCloseEndsCallsThatWaitForADial: Close also ends calls that wait for the next dial.
func TestCloseEndsCallsThatWaitForADial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		a, b := net.Pipe()
		cl, err := rpc.Dialer{Raw: true, NetDial: func(context.Context, string, string) (net.Conn, error) {
			if dials.Add(1) == 1 {
				return a, nil
			}
			return nil, errors.New("no")
		}}.Dial(context.Background(), "pipe", "")
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		synctest.Wait()
		if cl.Session() != nil {
			t.Fatal("not lost")
		}
		done := make(chan error, 1)
		go func() {
			_, err := cl.Call(rpc.WithOptions(context.Background(), rpc.CallOptions{WaitReady: true}), nil, "", nil)
			done <- err
		}()
		for range 1000 { // until it waits for more than 400 ms
			if synctest.Wait(); dials.Load() >= 5 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		begin := time.Now()
		cl.Close()
		if err := <-done; !errors.Is(err, rpc.ErrClosed) || time.Since(begin) > 0 || dials.Load() < 5 {
			t.Error(err, time.Since(begin), dials.Load())
		}
	})
}

// TestHeaderHookMayAskTheClient: the hook for header bytes is user code, and may ask the client something.
func TestHeaderHookMayAskTheClient(t *testing.T) {
	base(t)
	codec := frame.LengthField{Size: 2, Offset: 1}
	var cl *rpc.Client
	cl = dial(t, serve(t, &rpc.Server{Handler: echo, Codec: codec}), rpc.Dialer{Codec: codec, Header: func([]byte) []byte {
		return []byte{byte(cl.Stats().Calls)}
	}})
	within(t, "a call", func() {
		if got, err := call(cl, "x"); got != "x" || err != nil {
			t.Error(got, err)
		}
	})
}

// TestCloseIsToldToThoseWhoWaitForADial: who waits for a dial that Close ends learns that the client was closed.
func TestCloseIsToldToThoseWhoWaitForADial(t *testing.T) {
	base(t)
	a, b := net.Pipe()
	first := true
	dialing := make(chan bool, 1)
	cl, err := rpc.Dialer{Raw: true, NetDial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		if first {
			first = false
			return a, nil
		}
		dialing <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}}.Dial(context.Background(), "pipe", "")
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	until(t, "loss", func() bool { return cl.Session() == nil })
	done := make(chan error, 1)
	go func() {
		time.Sleep(200 * time.Millisecond) // behind any back-off
		_, err := cl.Call(context.Background(), nil, "", nil)
		done <- err
	}()
	<-dialing
	cl.Close()
	if err := <-done; !errors.Is(err, rpc.ErrClosed) {
		t.Error(err)
	}
}
