package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// bubble runs a test in fake time with a client and a hand-made server on an in-memory connection.
func bubble(t *testing.T, o rpc.Dialer, f func(t *testing.T, cl *rpc.Client, p *script)) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		cl := o.NewClient(a)
		defer cl.Close()
		f(t, cl, &script{t, b, frame.NewReader(frame.Standard{})})
		cl.Close()
		synctest.Wait()
		if n := rpc.Timers(); n != 0 {
			t.Error(n, "timers")
		}
	})
}

// serverBubble is the same with a server and a hand-made client.
func serverBubble(t *testing.T, s *rpc.Server, f func(t *testing.T, p *script, reason func() error)) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer a.Close()
		ended := make(chan error, 1)
		s.OnClose = func(_ *rpc.Session, err error) { ended <- err }
		s.Log = quiet
		s.ServeConn(b)
		f(t, &script{t, a, frame.NewReader(frame.Standard{})}, func() error {
			select {
			case err := <-ended:
				return err
			default:
				return nil
			}
		})
		a.Close()
		s.Close()
		synctest.Wait()
		if n := rpc.Timers(); n != 0 {
			t.Error(n, "timers")
		}
	})
}

// passes waits and fails unless d passes, up to a second late.
func passes(t *testing.T, begin time.Time, d time.Duration) {
	t.Helper()
	if got := time.Since(begin); got < d || got > d+time.Second {
		t.Errorf("after %v, want %v", got, d)
	}
}

// Without a deadline a call ends after 15 seconds, not before.
func TestTimeCallEndsAfterItsTimeout(t *testing.T) {
	bubble(t, raw, func(t *testing.T, cl *rpc.Client, p *script) {
		go p.closed()
		begin := time.Now()
		_, err := call(cl, "never")
		passes(t, begin, 15*time.Second)
		if !errors.Is(err, rpc.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || rpc.OutcomeOf(err) != rpc.Unknown {
			t.Error(err)
		}
		begin = time.Now()
		done := make(chan error)
		cl.Go(context.Background(), "", []byte("never"), func(_ []byte, err error) { done <- err })
		if err := <-done; !errors.Is(err, rpc.ErrTimeout) {
			t.Error(err)
		}
		passes(t, begin, 15*time.Second)
		begin = time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		cl.Call(ctx, nil, "", []byte("its own"))
		passes(t, begin, time.Minute)
	})
}

// C08 in fake time.
func TestTimeLateAnswerReachesNobody(t *testing.T) {
	bubble(t, raw, func(t *testing.T, cl *rpc.Client, p *script) {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		go func() {
			a, _ := p.next()
			seq := a.Seq
			time.Sleep(120 * time.Millisecond)
			b, _ := p.next()
			time.Sleep(30 * time.Millisecond)
			p.reply(frame.Frame{Head: 1, Seq: seq}, []byte("A"))
			time.Sleep(50 * time.Millisecond)
			p.reply(b, []byte("B"))
		}()
		if _, err := cl.Call(ctx, nil, "", []byte("a")); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if got, err := call(cl, "b"); got != "B" || err != nil {
			t.Error(got, err)
		}
		if st := cl.Stats(); st.Late != 1 || st.Abandoned != 1 {
			t.Errorf("%+v", st)
		}
	})
}

// C15: half a frame expires on its own, and is never joined with what comes later.
func TestTimeHalfAFrameExpires(t *testing.T) {
	serverBubble(t, &rpc.Server{Handler: echo, Raw: true}, func(t *testing.T, p *script, reason func() error) {
		p.nc.Write([]byte{1, 1, 10, 0, 'a', 'b', 'c'})
		time.Sleep(4900 * time.Millisecond)
		synctest.Wait()
		if err := reason(); err != nil {
			t.Fatal("too early:", err)
		}
		time.Sleep(300 * time.Millisecond)
		synctest.Wait()
		var fe *frame.Error
		if err := reason(); !errors.As(err, &fe) || !errors.Is(err, frame.ErrSilent) || fe.Codec != "standard" || fe.Offset != 7 {
			t.Fatal(err)
		}
		if _, err := p.nc.Write([]byte{1, 2, 0, 0}); err == nil {
			t.Error("the connection is open")
		}
	})
}

// A frame that comes byte by byte, never silent for long, must come at a rate.
func TestTimeFrameMustComeAtARate(t *testing.T) {
	serverBubble(t, &rpc.Server{Handler: echo, Raw: true}, func(t *testing.T, p *script, reason func() error) {
		begin := time.Now()
		p.nc.Write([]byte{1, 1, 0, 0x80})
		for {
			if _, err := p.nc.Write([]byte{0}); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		passes(t, begin, 30*time.Second)
		synctest.Wait()
		if err := reason(); !errors.Is(err, frame.ErrSlow) {
			t.Error(err)
		}
	})
}

// A connection on which no first byte comes is closed, one on which a byte has come is not.
func TestTimeFirstByteIsWaitedForOnce(t *testing.T) {
	serverBubble(t, &rpc.Server{Handler: echo, Raw: true}, func(t *testing.T, p *script, reason func() error) {
		time.Sleep(9900 * time.Millisecond)
		synctest.Wait()
		if err := reason(); err != nil {
			t.Fatal("too early:", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if err := reason(); !errors.Is(err, rpc.ErrSilent) {
			t.Fatal(err)
		}
	})
}

// Between frames nothing expires.
func TestTimeNothingExpiresBetweenFrames(t *testing.T) {
	serverBubble(t, &rpc.Server{Handler: echo, Raw: true}, func(t *testing.T, p *script, reason func() error) {
		for range 3 {
			p.nc.Write([]byte{1, 1, 1, 0, 'x'})
			if f, ok := p.next(); !ok || string(f.Payload) != "x" {
				t.Fatal(f, ok)
			}
			time.Sleep(10 * time.Hour)
		}
		if err := reason(); err != nil {
			t.Error(err)
		}
	})
}

// A peer known as ours is asked for a sign of life every minute; one that gives none is left.
func TestTimePingFindsDeadPeers(t *testing.T) {
	bubble(t, rpc.Dialer{}, func(t *testing.T, cl *rpc.Client, p *script) {
		answer := func(f frame.Frame) { p.reply(f, []byte("\x03A/B\xff\xff\xff\xff\xf5\x58\x00")) }
		go func() {
			f, _ := p.next()
			answer(f)
		}()
		if _, err := cl.Call(context.Background(), nil, "A/B", nil); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			begin := time.Now()
			f, ok := p.next()
			if !ok || string(f.Payload[1:6]) != "$ping" {
				t.Fatal(f, ok)
			}
			if d := time.Since(begin); d > 2*time.Minute+time.Second {
				t.Error(d)
			}
			answer(f)
		}
		p.next()
		begin := time.Now()
		if _, ok := p.next(); ok {
			t.Error("another frame")
		}
		passes(t, begin, time.Minute)
		synctest.Wait()
		if cl.Session() != nil {
			t.Error("session goes on")
		}
	})
}

// A handler's context ends at the caller's deadline, by the clock of the library.
func TestTimeHandlersContextEndsAtTheDeadline(t *testing.T) {
	x := new(rpc.Mux)
	var passed time.Duration
	x.HandleFunc("A/B", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		begin := time.Now()
		<-ctx.Done()
		passed = time.Since(begin)
		return nil, ctx.Err()
	})
	serverBubble(t, &rpc.Server{Handler: x}, func(t *testing.T, p *script, _ func() error) {
		p.nc.Write([]byte("\x01\x01\x0f\x00\x03A/B\xff\xff\xff\xff\xf5\x58\x04\x01\x02\xe8\x07")) // 1,000 ms
		f, ok := p.next()
		if !ok || f.Mode() != frame.ErrorResponse || passed < time.Second || passed > time.Second+50*time.Millisecond {
			t.Error(f, ok, passed)
		}
	})
}

// A peer that does not read is cut off after the write timeout.
func TestTimeWriteTimeoutCutsOff(t *testing.T) {
	serverBubble(t, &rpc.Server{Handler: rpc.Inline(echo), Raw: true}, func(t *testing.T, p *script, reason func() error) {
		p.nc.Write([]byte{1, 1, 1, 0, 'x'})
		time.Sleep(9900 * time.Millisecond)
		synctest.Wait()
		if err := reason(); err != nil {
			t.Fatal("too early:", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if err := reason(); !errors.Is(err, rpc.ErrSlowConsumer) {
			t.Error(err)
		}
	})
}

// A lone caller that reads its own answer sees a cancel within 20 ms, give or take what the machine needs.
func TestLeaderSeesACancelSoon(t *testing.T) {
	base(t)
	addr := scripted(t, func(p *script) {
		for {
			f, ok := p.next()
			if !ok {
				return
			}
			if string(f.Payload) != "never" {
				p.reply(f, f.Payload)
			}
		}
	})
	cl := dial(t, addr, raw)
	for i := range 20 {
		want := fmt.Sprint(i)
		if got, err := call(cl, want); got != want || err != nil {
			t.Fatal(got, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Duration(i)*time.Millisecond, cancel)
		begin := time.Now()
		if _, err := cl.Call(ctx, nil, "", []byte("never")); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if d := time.Since(begin); d > 2*time.Second {
			t.Fatal(d)
		}
	}
}

// After idling the end of the connection is noticed without a call.
func TestIdleConnectionNoticesItsEnd(t *testing.T) {
	base(t)
	closed := make(chan error, 1)
	addr := scripted(t, func(p *script) {
		f, _ := p.next()
		p.reply(f, f.Payload)
		io.ReadFull(p.nc, make([]byte, 1))
	})
	cl := dial(t, addr, rpc.Dialer{Raw: true, OnClose: func(_ *rpc.Session, err error) { closed <- err }})
	if got, err := call(cl, "x"); got != "x" || err != nil {
		t.Fatal(got, err)
	}
	time.Sleep(50 * time.Millisecond)
	go func() { cl.Notify(context.Background(), "", []byte("!")) }()
	within(t, "notice", func() {
		if err := <-closed; err == nil {
			t.Error("no reason")
		}
	})
}
