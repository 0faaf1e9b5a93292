package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// TestInOrderAnswersBeforeAFailureAreSent: where answers have an order, those before one that fails are sent.
func TestInOrderAnswersBeforeAFailureAreSent(t *testing.T) {
	base(t)
	gate := make(chan struct{})
	failed := make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if string(r.Body) == "bad" {
			close(failed)
			return nil, errors.New("bad")
		}
		<-gate
		return append(dst, r.Body...), nil
	})
	addr := serve(t, &rpc.Server{Handler: h, Codec: frame.LengthField{Size: 2}, Log: quiet})
	go func() { <-failed; time.Sleep(20 * time.Millisecond); close(gate) }()
	if got := string(sent(t, addr, []byte("\x04\x00good\x03\x00bad"))); got != "\x04\x00good" {
		t.Errorf("%q", got)
	}
}

// TestInOrderLateRequestsEndNoneThatBegan: where answers have an order, requests that come late do not end those that were begun.
func TestInOrderLateRequestsEndNoneThatBegan(t *testing.T) {
	base(t)
	began, gate := make(chan struct{}), make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		close(began)
		<-gate
		return append(dst, r.Body...), nil
	})
	s := &rpc.Server{Handler: h, Codec: frame.LengthField{Size: 2}, Log: quiet}
	p := connect(t, serve(t, s), frame.LengthField{Size: 2})
	p.nc.Write([]byte("\x01\x00a"))
	<-began
	done := make(chan error, 1)
	go func() { done <- s.Shutdown(context.Background()) }()
	until(t, "shutdown", s.Refusing)
	p.nc.Write([]byte("\x01\x00b"))
	time.Sleep(50 * time.Millisecond)
	close(gate)
	if got := string(p.closed()); got != "\x01\x00a" {
		t.Errorf("%q", got)
	}
	p.nc.Close()
	within(t, "shutdown", func() { <-done })
}

// TestMuxWithoutHandlersHasNoTexts: a Mux without handlers has no texts.
func TestMuxWithoutHandlersHasNoTexts(t *testing.T) {
	if l := new(rpc.Mux).Texts(); len(l) != 0 {
		t.Error(l)
	}
}

// TestReplyMetadataForNobodyIsAnError: where there is nobody to send it to, SetReplyMetadata says so.
func TestReplyMetadataForNobodyIsAnError(t *testing.T) {
	base(t)
	got := make(chan bool, 1)
	x := new(rpc.Mux)
	x.HandleFunc("A/Note", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		got <- rpc.SetReplyMetadata(ctx, "k", "v")
		return nil, nil
	})
	s, cl := both(t, x, rpc.Dialer{})
	_ = s
	if err := cl.Notify(context.Background(), "A/Note", nil); err != nil {
		t.Fatal(err)
	}
	if <-got {
		t.Error("one-way")
	}
	p := connect(t, serve(t, &rpc.Server{Handler: x, Log: quiet}), frame.Standard{})
	b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.Request, 1), 1, &remoting.Message{Action: []byte("A/Note")})
	p.nc.Write(b)
	if <-got {
		t.Error("no tail")
	}
}

// TestEmptyBodyIsABody: a request without bytes has a body also when it runs in a goroutine of its own.
func TestEmptyBodyIsABody(t *testing.T) {
	base(t)
	h := rpc.HandlerFunc(func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		return fmt.Append(nil, r.Body == nil), nil
	})
	cl := dial(t, serve(t, &rpc.Server{Handler: h, Codec: frame.Standard{}, Raw: true}), raw)
	for range 3 {
		if got, err := call(cl, ""); got != "false" || err != nil {
			t.Error(got, err)
		}
	}
}

// TestOnConnectPanicRefusesThatConnection: a panic in OnConnect refuses that connection and is no end of the server.
func TestOnConnectPanicRefusesThatConnection(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, OnConnect: func(*rpc.Session) error { panic("boom") }}
	a, b := net.Pipe()
	defer a.Close()
	func() {
		defer func() { recover() }()
		s.ServeConn(b)
	}()
	within(t, "close", func() { s.Close() })
}

// TestShutdownWritesNothingAfterItsEnd: a server that has closed its side writes nothing more.
func TestShutdownWritesNothingAfterItsEnd(t *testing.T) {
	base(t)
	reason := make(chan error, 1)
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, OnClose: func(_ *rpc.Session, err error) { reason <- err }}
	p := connect(t, serve(t, s), frame.Standard{})
	p.nc.Write(std(frame.Request, 1, "a"))
	p.next()
	go s.Shutdown(context.Background())
	p.next() // the end
	p.nc.Write(std(frame.Request, 2, "b"))
	p.nc.Write(std(frame.Request, 3, "c"))
	within(t, "end", func() {
		if err := <-reason; !errors.Is(err, rpc.ErrServerClosed) && !strings.Contains(err.Error(), "EOF") {
			t.Error(err)
		}
	})
}

// TestFrameThatWaitsForRoomDoesNotExpire: a frame that has come is not one that does not come, though its request waits for room.
func TestFrameThatWaitsForRoomDoesNotExpire(t *testing.T) {
	base(t)
	gate := make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		<-gate
		return append(dst, r.Body...), nil
	})
	s := &rpc.Server{Handler: h, Raw: true, Log: quiet, Limits: rpc.Limits{InFlight: 1, Silence: 200 * time.Millisecond}}
	p := connect(t, serve(t, s), frame.Standard{})
	second := std(frame.Request, 2, "b")
	p.nc.Write(append(std(frame.Request, 1, "a"), second[:2]...))
	time.Sleep(100 * time.Millisecond)
	p.nc.Write(second[2:])
	time.Sleep(600 * time.Millisecond)
	close(gate)
	for range 2 {
		if _, ok := p.next(); !ok {
			t.Fatal("closed")
		}
	}
}

// TestRequestsOfADeadConnectionDoNotBegin: a request that is begun when its connection has just ended has a context that has ended, or is not begun.
func TestRequestsOfADeadConnectionDoNotBegin(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Handle("A/Close", rpc.Inline(rpc.HandlerFunc(func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		r.Session().Close(nil)
		return nil, nil
	})))
	var late atomic.Bool
	x.HandleFunc("A/Wait", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
			late.Store(true)
		}
		return nil, nil
	})
	p := connect(t, serve(t, &rpc.Server{Handler: x, Log: quiet}), frame.Standard{})
	var b []byte
	for i, action := range []string{"A/Close", "A/Wait"} {
		b, _ = remoting.AppendFrame(b, frame.Standard{}, frame.Head(frame.Request, 1), byte(i), &remoting.Message{Action: []byte(action)})
	}
	p.nc.Write(b)
	p.closed()
	time.Sleep(1200 * time.Millisecond)
	if late.Load() {
		t.Error("the context did not end")
	}
}

// TestParamsAreExportedFields: fields that are nobody else's are no parameters.
func TestParamsAreExportedFields(t *testing.T) {
	base(t)
	type arg struct {
		mu sync.Mutex
		N  int
	}
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Twice", func(_ context.Context, a *arg) (int, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		return 2 * a.N, nil
	}, rpc.Params())
	_, cl := both(t, x, rpc.Dialer{})
	var got int
	if err := cl.Invoke(context.Background(), "A/Twice", map[string]int{"N": 2}, &got); err != nil || got != 4 {
		t.Error(got, err)
	}
	if l := x.Texts(); l[0] != "Int64 A/Twice(Int64 N)" {
		t.Error(l)
	}
}

// TestTokenCountsForInlineHandlers: the token of a call counts for it also where its handler runs on the reader.
func TestTokenCountsForInlineHandlers(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	for _, o := range [][]rpc.HandleOption{nil, {rpc.RunInline()}} {
		rpc.Handle(x, fmt.Sprint("A/Token", len(o)), func(ctx context.Context, _ struct{ N int }) (string, error) { return rpc.Token(ctx), nil }, o...)
	}
	_, cl := both(t, x, rpc.Dialer{Token: "t"})
	for i := range 2 {
		var got string
		if err := cl.Invoke(context.Background(), fmt.Sprint("A/Token", i), map[string]int{"n": 1}, &got); err != nil || got != "t" {
			t.Errorf("inline %v: %q %v", i == 1, got, err)
		}
	}
}

// TestBroadcastIsForAdmittedConnections: connections that OnConnect has not let in are sent nothing.
func TestBroadcastIsForAdmittedConnections(t *testing.T) {
	base(t)
	asked, gate := make(chan bool, 1), make(chan struct{})
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, OnConnect: func(*rpc.Session) error {
		asked <- true
		<-gate
		return errors.New("no")
	}}
	p := connect(t, serve(t, s), frame.Standard{})
	<-asked
	if n := s.Broadcast(context.Background(), "", []byte("secret")); n != 0 || len(s.Sessions()) != 0 {
		t.Error(n, len(s.Sessions()))
	}
	time.Sleep(20 * time.Millisecond)
	close(gate)
	if got := p.closed(); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
