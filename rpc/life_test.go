package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// Shutdown finishes what runs, refuses what comes, tells peers of ours to go, and then Serve returns.
func TestShutdownFinishesWhatRuns(t *testing.T) {
	base(t)
	g := newGate()
	x := new(rpc.Mux)
	x.Handle("A/Slow", g)
	x.Handle("A/Echo", echo)
	s := &rpc.Server{Handler: x, Log: quiet}
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	cl := dial(t, l.Addr().String(), rpc.Dialer{})
	if got, err := cl.Call(context.Background(), nil, "A/Echo", []byte("x")); string(got) != "x" || err != nil {
		t.Fatal(got, err)
	}
	foreign := connect(t, l.Addr().String(), frame.Standard{})
	foreign.nc.Write([]byte("\x01\x01\x07\x00\x06A/Slow"))
	slow := make(chan string, 1)
	go func() {
		got, err := cl.Call(context.Background(), nil, "A/Slow", []byte("slow"))
		slow <- fmt.Sprint(string(got), err)
	}()
	until(t, "running", func() bool { return g.running.Load() == 2 })
	down := make(chan error, 1)
	go func() { down <- s.Shutdown(context.Background()) }()
	until(t, "goaway", func() bool { return cl.Session() == nil })
	foreign.nc.Write([]byte("\x01\x02\x07\x00\x06A/Echo"))
	f, _ := foreign.next()
	if m, err := remoting.Parse(f.Mode(), f.Payload); f.Seq != 2 || m.Code != 503 || err != nil {
		t.Fatal(f, m, err)
	}
	_, err = cl.Call(context.Background(), nil, "A/Echo", nil)
	if rpc.OutcomeOf(err) != rpc.NotSent {
		t.Fatal(err)
	}
	select {
	case err := <-served:
		t.Fatal("Serve returned before the answers:", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(g.open)
	if got := <-slow; got != "slow<nil>" {
		t.Fatal(got)
	}
	if f, ok := foreign.next(); !ok || f.Seq != 1 {
		t.Fatal(f, ok)
	}
	foreign.closed()
	foreign.nc.Close()
	within(t, "Shutdown", func() {
		if err := <-down; err != nil {
			t.Error(err)
		}
		if err := <-served; err != rpc.ErrServerClosed {
			t.Error(err)
		}
	})
}

// The end of Shutdown's context ends everything, also handlers' contexts.
func TestShutdownIsForcedByItsContext(t *testing.T) {
	base(t)
	g := newGate()
	x := new(rpc.Mux)
	x.Handle("A/Slow", g)
	s := &rpc.Server{Handler: x}
	addr := serve(t, s)
	cl := dial(t, addr, rpc.Dialer{})
	failed := make(chan error, 1)
	go func() {
		_, err := cl.Call(context.Background(), nil, "A/Slow", nil)
		failed <- err
	}()
	until(t, "running", func() bool { return g.running.Load() == 1 })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if err := <-failed; rpc.OutcomeOf(err) != rpc.Unknown {
		t.Fatal(err)
	}
	until(t, "handler", func() bool { return g.running.Load() == 0 })
}

// A peer that has closed its side still gets its answers.
func TestHalfClosedPeerGetsItsAnswers(t *testing.T) {
	base(t)
	g := newGate()
	p := connect(t, serve(t, &rpc.Server{Handler: g, Raw: true}), frame.Standard{})
	for i := range 5 {
		p.nc.Write([]byte{1, byte(i), 1, 0, 'a' + byte(i)})
	}
	p.nc.(*net.TCPConn).CloseWrite()
	until(t, "running", func() bool { return g.running.Load() == 5 })
	close(g.open)
	got := map[string]bool{}
	for range 5 {
		f, ok := p.next()
		if !ok {
			t.Fatal("closed before the answers")
		}
		got[fmt.Sprint(f.Seq, string(f.Payload))] = true
	}
	if len(got) != 5 || len(p.closed()) != 0 {
		t.Fatal(got)
	}
}

// A client connects anew when its connection was lost, and numbers begin anew.
func TestReconnectBeginsNumbersAnew(t *testing.T) {
	base(t)
	var conns atomic.Int32
	addr := scripted(t, func(p *script) {
		conns.Add(1)
		f, _ := p.next()
		p.reply(f, []byte(fmt.Sprint(conns.Load(), f.Seq)))
		if f, ok := p.next(); ok {
			p.reply(f, []byte("second"))
		}
	})
	cl := dial(t, addr, raw)
	for i := 1; i <= 5; i++ {
		if got, err := call(cl, "x"); got != fmt.Sprint(i, 1) || err != nil {
			t.Fatal(got, err)
		}
		if got, err := call(cl, "y"); got != "second" || err != nil {
			t.Fatal(got, err)
		}
		until(t, "loss", func() bool { return cl.Session() == nil })
	}
}

// While nobody is there calls fail at once with the reason, or wait under their context; dials back off.
func TestTimeDialsBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		var up atomic.Bool
		s := &rpc.Server{Handler: echo, Raw: true}
		defer s.Close()
		refused := errors.New("nobody there")
		o := rpc.Dialer{Raw: true, NetDial: func(context.Context, string, string) (net.Conn, error) {
			dials.Add(1)
			if !up.Load() {
				return nil, refused
			}
			a, b := net.Pipe()
			s.ServeConn(b)
			return a, nil
		}}
		if _, err := o.Dial(context.Background(), "tcp", "nowhere:1"); !errors.Is(err, refused) || rpc.OutcomeOf(err) != rpc.NotSent {
			t.Fatal(err)
		}
		up.Store(true)
		cl := dial(t, "nowhere:1", o)
		cl.Session().Close(nil)
		synctest.Wait()
		if cl.Session() != nil {
			t.Fatal("not lost")
		}
		up.Store(false)
		dials.Store(0)
		for range 100 { // in no time
			if _, err := call(cl, "x"); !errors.Is(err, refused) {
				t.Fatal(err)
			}
		}
		if n := dials.Load(); n != 1 {
			t.Fatal(n, "dials")
		}
		got := make(chan string, 10)
		for range 10 {
			go func() {
				ctx := rpc.WithOptions(context.Background(), rpc.CallOptions{WaitReady: true})
				b, err := cl.Call(ctx, nil, "", []byte("waited"))
				got <- fmt.Sprint(string(b), err)
			}()
		}
		time.Sleep(time.Minute)
		if n := dials.Load(); n < 10 || n > 40 { // 100 ms, doubling up to 5 s, give or take a half
			t.Fatal(n, "dials in a minute")
		}
		up.Store(true)
		begin := time.Now()
		for range 10 {
			if g := <-got; g != "waited<nil>" {
				t.Fatal(g)
			}
		}
		if d := time.Since(begin); d > 8*time.Second {
			t.Fatal("connected after", d)
		}
		cl.Close()
		s.Close()
	})
}

// A client that is shut down finishes what is under way.
func TestClientShutdownFinishesWhatIsUnderWay(t *testing.T) {
	base(t)
	g := newGate()
	cl := dial(t, serve(t, &rpc.Server{Handler: g, Raw: true}), raw)
	got := make(chan string, 1)
	go func() {
		b, err := call(cl, "x")
		got <- b + fmt.Sprint(err)
	}()
	until(t, "running", func() bool { return g.running.Load() == 1 })
	down := make(chan error, 1)
	go func() { down <- cl.Shutdown(context.Background()) }()
	until(t, "refusal", func() bool { return cl.Session() == nil })
	if _, err := call(cl, "y"); !errors.Is(err, rpc.ErrClosed) {
		t.Fatal(err)
	}
	close(g.open)
	if g := <-got; g != "x<nil>" {
		t.Fatal(g)
	}
	if err := <-down; err != nil {
		t.Fatal(err)
	}
}

// The frame of a peer that goes away in its middle is not the end of others.
func TestCutFrameEndsNoOtherConnection(t *testing.T) {
	base(t)
	reason := make(chan error, 1)
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, OnClose: func(_ *rpc.Session, err error) { reason <- err }}
	p := connect(t, serve(t, s), frame.Standard{})
	p.nc.Write([]byte{1, 1, 5, 0, 'a'})
	p.nc.(*net.TCPConn).CloseWrite()
	p.closed()
	var fe *frame.Error
	if err := <-reason; !errors.As(err, &fe) || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), p.nc.LocalAddr().String()) {
		t.Fatal(err)
	}
}
