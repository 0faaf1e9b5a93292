package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// TestEndComesAfterTheOneWaysBeforeIt: one-way messages that came before the peer's end are handled before the end is told, with contexts that live (R7).
func TestEndComesAfterTheOneWaysBeforeIt(t *testing.T) {
	slow := func(got *[]string) rpc.HandlerFunc {
		return func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
			time.Sleep(10 * time.Millisecond)
			if ctx.Err() == nil && r.Session().Context().Err() == nil {
				*got = append(*got, string(r.Body))
			}
			return nil, nil
		}
	}
	told := func() (b []byte) {
		for i := range 50 {
			b, _ = remoting.AppendFrame(b, frame.Standard{}, frame.Head(frame.OneWay, 1), byte(i),
				&remoting.Message{Action: []byte("A/Told"), Data: fmt.Append(nil, i), Tail: remoting.Tail{}})
		}
		return b
	}
	check := func(t *testing.T, got []string, err error) {
		t.Helper()
		require.ErrorIs(t, err, io.EOF)
		require.Len(t, got, 50)
		for i, s := range got {
			require.Equal(t, fmt.Sprint(i), s)
		}
	}
	t.Run("client", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var got []string
			ended := make(chan error, 1)
			x := new(rpc.Mux)
			x.Handle("A/Told", slow(&got))
			a, b := halves()
			rpc.Dialer{Handler: x, OnClose: func(_ *rpc.Session, err error) { ended <- err }}.NewClient(a)
			go io.Copy(io.Discard, b) // it asks who this is
			b.Write(told())
			b.CloseWrite()
			check(t, got, <-ended)
			b.Close()
		})
	})
	t.Run("server", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var got []string
			ended := make(chan error, 1)
			x := new(rpc.Mux)
			x.Handle("A/Told", slow(&got))
			s := &rpc.Server{Handler: x, OnClose: func(_ *rpc.Session, err error) { ended <- err }}
			a, b := halves()
			s.ServeConn(b)
			a.Write(told())
			a.Close()
			check(t, got, <-ended)
			s.Close()
		})
	})
}

// TestEndLeavesCallTimeoutForWhatIsLeft: what the peer has left to be done when it ended may take as long as CallTimeout.
func TestEndLeavesCallTimeoutForWhatIsLeft(t *testing.T) {
	x, g := new(rpc.Mux), newGate()
	x.HandleFunc("A/Told", g.waits)
	s := &rpc.Server{Handler: x, Limits: rpc.Limits{CallTimeout: 3 * time.Second}}
	fill(t, s, rpc.Dialer{}, func(t *testing.T, p *filled) {
		for range 3 {
			require.NoError(t, p.cl.Notify(context.Background(), "A/Told", nil))
		}
		synctest.Wait()
		begin := time.Now()
		p.near.CloseWrite()
		err := <-p.closed
		passes(t, begin, 3*time.Second)
		require.ErrorIs(t, err, io.EOF)
		var ce *rpc.ConnError
		require.True(t, errors.As(err, &ce))
		require.Equal(t, 2, ce.Dropped)
		synctest.Wait()
		require.Zero(t, g.running.Load())
	})
}

// TestEndByLossCancelsWhatRuns: a connection that is lost ends what runs at once, and says how much of the queue it takes along.
func TestEndByLossCancelsWhatRuns(t *testing.T) {
	base(t)
	x, g := new(rpc.Mux), newGate()
	x.HandleFunc("A/Told", g.waits)
	ended := make(chan error, 1)
	addr := serve(t, &rpc.Server{Handler: x, Log: quiet, OnClose: func(_ *rpc.Session, err error) { ended <- err }})
	p := connect(t, addr, frame.Standard{})
	b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.OneWay, 1), 1, &remoting.Message{Action: []byte("A/Told")})
	p.nc.Write([]byte(strings.Repeat(string(b), 8)))
	until(t, "handler", func() bool { return g.running.Load() == 1 })
	time.Sleep(20 * time.Millisecond) // all are read
	p.nc.(*net.TCPConn).SetLinger(0)
	p.nc.Close()
	within(t, "end", func() {
		var ce *rpc.ConnError
		require.True(t, errors.As(<-ended, &ce))
		require.Equal(t, 7, ce.Dropped, "%v", ce)
	})
	until(t, "contexts", func() bool { return g.running.Load() == 0 })
}

// TestEndForAFaultAnswersWhatCameBefore: what was asked before bytes that are no frame, or before a frame that is cut, is answered, and then the connection ends
// with the reason (R25).
func TestEndForAFaultAnswersWhatCameBefore(t *testing.T) {
	base(t)
	slow := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		time.Sleep(5 * time.Millisecond)
		return append(dst, r.Body...), nil
	})
	x := new(rpc.Mux)
	x.Handle("A/Slow", slow)
	envelope := func(tail remoting.Tail) []byte {
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, 1, 1, &remoting.Message{Action: []byte("A/Slow"), Data: []byte("abc"), Tail: tail})
		return b
	}
	for _, c := range []struct {
		name   string
		s      *rpc.Server
		ask    []byte
		bad    string // which no frame begins with, or an unfinished frame
		cut    bool
		answer int // bytes
	}{
		{"envelope, too long", &rpc.Server{Handler: x}, envelope(nil), "\x01\x01\xff\xff\xff\xff\xff\xff", false, 18},
		{"envelope, ours, too long", &rpc.Server{Handler: x}, envelope(remoting.Tail{}), "\x01\x01\xff\xff\xff\xff\xff\xff", false, 21},
		{"envelope, cut", &rpc.Server{Handler: x}, envelope(nil), "\x01\x01\x10\x00\x01", true, 18},
		{"raw, cut", &rpc.Server{Handler: slow, Raw: true}, std(frame.Request, 1, "abc"), "\x01\x01\x10\x00\x01", true, 7},
		{"raw, inline, cut", &rpc.Server{Handler: rpc.Inline(slow), Raw: true}, std(frame.Request, 1, "abc"), "\x01\x01\x10\x00\x01", true, 7},
		{"length, too long", &rpc.Server{Handler: slow, Codec: frame.LengthField{Size: 4, Max: 100}}, []byte("\x03\x00\x00\x00abc"), "\xff\x00\x00\x00", false, 7},
		{"length, cut", &rpc.Server{Handler: slow, Codec: frame.LengthField{Size: 2}}, []byte("\x03\x00abc"), "\x03\x00a", true, 5},
		{"delimited, too long", &rpc.Server{Handler: slow, Codec: frame.Delimited{Max: 10}}, []byte("abc\r\n"), strings.Repeat("x", 100), false, 5},
		{"json, no JSON", &rpc.Server{Handler: slow, Codec: frame.JSON{}}, []byte("123 "), "]]]]", false, 4},
		{"json, cut", &rpc.Server{Handler: slow, Codec: frame.JSON{}}, []byte("123 "), "[1", true, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			ended := make(chan error, 1)
			c.s.Log, c.s.OnClose = quiet, func(_ *rpc.Session, err error) { ended <- err }
			nc, err := net.Dial("tcp", serve(t, c.s))
			require.NoError(t, err)
			defer nc.Close()
			rest := strings.Repeat("\x00", 100_000) // what is not read must not take the answers back
			nc.Write([]byte(strings.Repeat(string(c.ask), 20) + c.bad + pick(c.cut, "", rest)))
			if c.cut {
				nc.(*net.TCPConn).CloseWrite()
			}
			nc.SetReadDeadline(time.Now().Add(guard))
			got, err := io.ReadAll(nc)
			require.NoError(t, err)
			require.Len(t, got, 20*c.answer, "%q", got)
			nc.Close()
			within(t, "end", func() {
				var fe *frame.Error
				require.ErrorAs(t, <-ended, &fe)
			})
		})
	}
}

// TestEndInsideHooksAndHandlers: Close and Shutdown end inside hooks and handlers, too (R9).
func TestEndInsideHooksAndHandlers(t *testing.T) {
	for _, where := range []string{"OnConnect", "OnClose", "handler"} {
		for _, how := range []string{"Close", "Shutdown"} {
			t.Run(where+" "+how, func(t *testing.T) {
				base(t)
				done := make(chan error, 4)
				s := &rpc.Server{Raw: true, Log: quiet}
				end := func() {
					if how == "Close" {
						done <- s.Close()
						return
					}
					ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
					defer cancel()
					done <- s.Shutdown(ctx)
				}
				s.Handler = rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
					if where == "handler" {
						end()
					}
					return append(dst, r.Body...), nil
				})
				s.OnConnect = func(*rpc.Session) error {
					if where == "OnConnect" {
						end()
					}
					return nil
				}
				s.OnClose = func(*rpc.Session, error) {
					if where == "OnClose" {
						end()
					}
				}
				p := connect(t, serve(t, s), frame.Standard{})
				p.nc.Write(std(frame.Request, 1, "a"))
				if where == "OnClose" {
					p.next()
					p.nc.Close()
				}
				within(t, "end", func() {
					if err := <-done; err != nil {
						require.ErrorIs(t, err, context.DeadlineExceeded)
					}
				})
			})
		}
	}
}

// TestOnConnectKeepsNoOtherConnectionWaiting: OnConnect of one connection keeps no other waiting, ServeConn returns at once, and one that takes too long refuses
// its connection (R10).
func TestOnConnectKeepsNoOtherConnectionWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hooks, left atomic.Int32
		ended := make(chan error, 2)
		begin := time.Now()
		s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, OnClose: func(_ *rpc.Session, err error) { left.Add(1); ended <- err }}
		s.OnConnect = func(p *rpc.Session) error {
			_, err := p.Call(context.Background(), nil, "", nil)
			require.ErrorIs(t, err, rpc.ErrWouldDeadlock)
			switch hooks.Add(1) {
			case 1:
				time.Sleep(2 * time.Second)
			case 2:
				time.Sleep(time.Minute)
			}
			return nil
		}
		var conns [3]net.Conn
		for i := range conns {
			a, b := net.Pipe()
			conns[i] = a
			s.ServeConn(b)
			synctest.Wait()
		}
		require.Zero(t, time.Since(begin))
		ask := func(i int) {
			p := &script{t, conns[i], frame.NewReader(frame.Standard{})}
			p.nc.Write(std(frame.Request, 1, "a"))
			f, ok := p.next()
			require.True(t, ok)
			require.Equal(t, "a", string(f.Payload))
		}
		ask(2)
		require.Zero(t, time.Since(begin))
		ask(0)
		passes(t, begin, 2*time.Second)
		_, err := conns[1].Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		passes(t, begin, 10*time.Second)
		synctest.Wait()
		require.EqualValues(t, 1, s.Stats().Refused)
		require.Zero(t, left.Load())
		time.Sleep(time.Minute) // then its hook lets it in, and is told of the end
		require.ErrorIs(t, <-ended, rpc.ErrRefused)
		s.Close()
		for _, nc := range conns {
			nc.Close()
		}
	})
}

// lame is a connection whose writes can fail, having taken some bytes or none.
type lame struct {
	net.Conn
	takes atomic.Int64 // bytes that it still takes; below 0 for all
}

var errLame = &net.OpError{Op: "write", Err: syscall.ECONNRESET}

func (l *lame) Write(p []byte) (int, error) {
	n := l.takes.Load()
	if n < 0 {
		return l.Conn.Write(p)
	}
	n = min(n, int64(len(p)))
	l.takes.Add(-n)
	return int(n), errLame
}

// TestNotSentIsWhatTheKernelHasNotTaken: a call of which the kernel has taken nothing was not sent; one that was begun is unknown (R11).
func TestNotSentIsWhatTheKernelHasNotTaken(t *testing.T) {
	for _, codec := range []frame.Codec{frame.Standard{}, frame.LengthField{Size: 4}, frame.JSON{}} {
		one, _ := codec.AppendFrame(nil, frame.Frame{Head: 1, Payload: []byte("1000")})
		for _, takes := range []int{0, 1, len(one), len(one) + 1, 3 * len(one)} {
			t.Run(fmt.Sprintf("%T/%d", codec, takes), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					a, b := net.Pipe()
					l := &lame{Conn: a}
					l.takes.Store(-1)
					cl := rpc.Dialer{Raw: true, Codec: codec}.NewClient(l)
					go io.Copy(io.Discard, b)
					synctest.Wait()
					l.takes.Store(int64(takes))
					var mu sync.Mutex
					outcomes := map[rpc.Outcome]int{}
					var calls sync.WaitGroup
					const n = 8
					calls.Add(n)
					for range n {
						err := cl.Go(context.Background(), "", []byte("1000"), func(_ []byte, err error) {
							mu.Lock()
							defer mu.Unlock()
							outcomes[rpc.OutcomeOf(err)]++
							calls.Done()
						})
						if err != nil {
							mu.Lock()
							outcomes[rpc.OutcomeOf(err)]++
							mu.Unlock()
							calls.Done()
						}
					}
					calls.Wait()
					begun := (takes + len(one) - 1) / len(one)
					require.LessOrEqual(t, outcomes[rpc.Unknown], begun, "%v", outcomes)
					require.Equal(t, n, outcomes[rpc.Unknown]+outcomes[rpc.NotSent], "%v", outcomes)
					if takes == 0 {
						require.Zero(t, outcomes[rpc.Unknown])
					}
					cl.Close()
					b.Close()
				})
			})
		}
	}
}

// TestNotSentOnAResetConnectionIsRepeated: calls on a connection that the server has reset are not unknown, and a client that can dial repeats them (R11).
func TestNotSentOnAResetConnectionIsRepeated(t *testing.T) {
	base(t)
	addr := scripted(t, func(p *script) {
		f, ok := p.next()
		if !ok {
			return
		}
		p.reply(f, f.Payload)
		p.nc.(*net.TCPConn).SetLinger(0)
	})
	for i := range 24 {
		cl := dial(t, addr, rpc.Dialer{Raw: true})
		_, err := call(cl, "a")
		require.NoError(t, err)
		time.Sleep(time.Duration(i%12+1) * time.Millisecond) // the reset has come
		_, err = call(cl, "b")
		require.NoError(t, err, "after %d ms", i%12+1)
		cl.Close()
	}
}

// TestPanicsAreLoggedOnceASecond: panics are logged once a second, with the count of the others (R21).
func TestPanicsAreLoggedOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, lines := logTo()
		h := rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) { panic("boom") })
		cl := piped(t, &rpc.Server{Handler: h, Raw: true, Log: log}, raw)
		for range 130 {
			_, err := call(cl, "x")
			require.Error(t, err)
			time.Sleep(20 * time.Millisecond)
		}
		cl.Close()
		got := lines()
		require.Len(t, got, 3)
		require.Contains(t, got[0], "boom")
		require.Contains(t, got[0], "more=0")
		require.Contains(t, got[1], "more=49")
	})
}
