package rpc

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/clock"
	"github.com/stretchr/testify/require"
)

// pairTCP makes both ends of a connection.
func pairTCP(t testing.TB) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// TestNumberThatBeginsAnewHasNoTimeOfBirth: while a call is given up its cancel may be written, without the lock. A number that is answered in that time gets
// no time of birth: the call that has it next would be ended at once.
func TestNumberThatBeginsAnewHasNoTimeOfBirth(t *testing.T) {
	for _, reuse := range []bool{false, true} {
		a, b := pairTCP(t)
		k := new(clock.Clock)
		cl := Dialer{clock: k, MaxConns: 1, Limits: Limits{CallTimeout: time.Hour, Ping: -1}}.NewClient(a)
		defer cl.Close()
		c := cl.first.Load()
		got := make(chan byte, 300)
		go func() {
			in := frame.NewReader(frame.Standard{})
			for {
				for {
					f, ok := in.Next()
					if !ok {
						break
					}
					got <- f.Seq
				}
				n, err := b.Read(in.Space())
				in.Wrote(n)
				if err != nil {
					return
				}
			}
		}()
		for range 2 {
			if err := cl.Go(context.Background(), "A", nil, func([]byte, error) {}); err != nil {
				t.Fatal(err)
			}
		}
		n1, n2 := <-got, <-got
		c.mu.Lock()
		tab := c.calls.tab
		tab.Keep(n1).born = 1 // n1 has expired by hand; n2 was seen twice
		w := int(n2 / 64)
		tab.Look(w)
		tab.Look(w)
		c.mu.Unlock()
		// hold the write lock of the socket: the cancel of n1 waits there, without mu
		rc, _ := a.(*net.TCPConn).SyscallConn()
		in, let := make(chan struct{}), make(chan struct{})
		go rc.Write(func(uintptr) bool { close(in); <-let; return true })
		<-in
		const now = 10_000
		done := make(chan struct{})
		go func() {
			c.mu.Lock()
			c.scanWord(w, now, now-32, 1500)
			c.mu.Unlock()
			close(done)
		}()
		time.Sleep(20 * time.Millisecond)
		f, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: frame.Head(frame.Response, 1), Seq: n2, Payload: []byte("\x01A\x00\x00\x00\x00")})
		b.Write(f) // the answer to n2
		for end := time.Now().Add(2 * time.Second); ; time.Sleep(time.Millisecond) {
			c.mu.Lock()
			free := !tab.Waits(n2)
			c.mu.Unlock()
			if free {
				break
			}
			if time.Now().After(end) {
				t.Fatal("not answered")
			}
		}
		if reuse {
			c.mu.Lock()
			tab.Give(n2).fn = func([]byte, error) {}
			c.mu.Unlock()
		}
		close(let)
		<-done
		c.mu.Lock()
		if r := tab.Rare(n2); r.born != 0 {
			t.Errorf("reuse %v: number %d, which is free or of a call that begins now (tick %d), has tick %d as time of birth", reuse, n2, now, r.born)
		}
		if !reuse {
			tab.Give(n2).fn = func([]byte, error) {}
			c.scanWord(w, now+1500, now+1500-32, 1500) // 15 s later, the first look at a call that has just begun
			if !tab.Waits(n2) {
				t.Error("the call that got it afterwards was ended at the first look, after no time at all")
			}
		}
		c.mu.Unlock()
	}
}

// TestPromisedNumberIsHandedOn: a caller that was promised a number, and leaves because its context ends while the backlog is full, hands the
// promise on.
func TestPromisedNumberIsHandedOn(t *testing.T) {
	a, b := pairTCP(t)
	cl := Dialer{Raw: true, MaxConns: 1, Limits: Limits{InFlight: 1, Backlog: 1 << 10, CallTimeout: time.Minute, WriteTimeout: -1}}.NewClient(a)
	defer cl.Close()
	c := cl.first.Load()
	in := frame.NewReader(frame.Standard{Max: 64 << 20})
	next := func() frame.Frame {
		for {
			if f, ok := in.Next(); ok {
				return f
			}
			n, err := b.Read(in.Space())
			in.Wrote(n)
			if err != nil {
				return frame.Frame{}
			}
		}
	}
	go cl.Call(context.Background(), nil, "", []byte("A"))
	fa := next()
	ctx, cancel := context.WithCancel(context.Background())
	bd := make(chan error, 1)
	go func() { _, err := cl.Call(ctx, nil, "", []byte("B")); bd <- err }()
	for cl.Waiting() < 1 {
		time.Sleep(time.Millisecond)
	}
	cd := make(chan error, 1)
	go func() { _, err := cl.Call(context.Background(), nil, "", []byte("C")); cd <- err }()
	for cl.Waiting() < 2 {
		time.Sleep(time.Millisecond)
	}
	if err := cl.Notify(context.Background(), "", make([]byte, 7<<20)); err != nil { // the peer does not read: crowded
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	r, _ := frame.Standard{}.AppendFrame(nil, fa.Reply(frame.Response, nil))
	b.Write(r) // A is done: B is promised the number, and waits for the backlog
	for cl.Waiting() > 1 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	if err := <-bd; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	go func() { // the peer reads again, and answers
		for {
			f := next()
			if f.Head == 0 && f.Payload == nil {
				return
			}
			if f.Mode() == frame.Request {
				r, _ := frame.Standard{}.AppendFrame(nil, f.Reply(frame.Response, f.Payload))
				b.Write(r)
			}
		}
	}()
	select {
	case err := <-cd:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		c.mu.Lock()
		t.Errorf("C, in line, is not served: %d under way, %d promised, %d in line", c.calls.tab.Len(), c.calls.side.granted, c.calls.side.line.Len())
		c.mu.Unlock()
	}
}

// holdUp holds the clock's goroutine up.
type holdUp struct{ in, let chan struct{} }

func (s holdUp) Wake(int64) { close(s.in); <-s.let }

// TestClockHeldUpEndsNoCallEarly: the clock's goroutine is held up between looking at the time and waking a connection. Calls that were made meanwhile
// do not end early.
func TestClockHeldUpEndsNoCallEarly(t *testing.T) {
	a, b := pairTCP(t)
	go io.Copy(io.Discard, b)
	k := new(clock.Clock)
	cl := Dialer{Raw: true, clock: k, MaxConns: 1, Limits: Limits{CallTimeout: 100 * time.Millisecond}}.NewClient(a)
	defer cl.Close()
	c := cl.first.Load()
	if err := cl.Go(context.Background(), "", nil, func([]byte, error) {}); err != nil { // what the clock looks at
		t.Fatal(err)
	}
	s := holdUp{make(chan struct{}), make(chan struct{})}
	al := clock.Alarm{Of: s}
	for { // woken right before the connection, in the same round, when that looks at its calls
		time.Sleep(time.Millisecond)
		c.mu.Lock()
		due := k.Due(&c.alarm)
		ok := due != 0 && c.calls.side.scanned != 0 && due >= c.calls.side.scanned+scanEvery
		if ok {
			k.Set(&al, due)
		}
		c.mu.Unlock()
		if ok {
			break
		}
	}
	<-s.in
	time.Sleep(600 * time.Millisecond) // held up
	t0 := time.Now()
	ended := make(chan error, 1)
	if err := cl.Go(context.Background(), "", nil, func(_ []byte, err error) { ended <- err }); err != nil {
		t.Fatal(err)
	}
	close(s.let)
	err := <-ended
	if d := time.Since(t0); errors.Is(err, ErrTimeout) && d < 100*time.Millisecond {
		t.Errorf("a call of 100 ms has timed out after %v", d)
	}
}

// TestExhaustedConnectionIsNotBackedOffFrom: a connection that has ended because it had no numbers left is no sign of a server that refuses
// connections, however young it was and though nothing came on it: the next call dials at once.
func TestExhaustedConnectionIsNotBackedOffFrom(t *testing.T) {
	a, b := pairTCP(t)
	defer b.Close()
	over := make(chan error, 1)
	cl := Dialer{Raw: true, OnClose: func(_ *Session, err error) { over <- err }}.NewClient(a)
	defer cl.Close()
	cl.first.Load().fail(ErrExhausted)
	require.ErrorIs(t, <-over, ErrExhausted)
	cl.mu.Lock()
	defer cl.mu.Unlock()
	require.Zero(t, cl.fails)
	require.True(t, cl.retryAt.IsZero())
}
