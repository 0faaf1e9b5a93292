package rpc_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// TestShutdownUnderLoadLeavesNoCallUnknown: a server that shuts down under load leaves no call unknown: each has either run once and was answered, or has not
// run (R6).
func TestShutdownUnderLoadLeavesNoCallUnknown(t *testing.T) {
	base(t)
	for round := range test.Count(5, 40, 200) {
		inline := round%2 == 0
		var ran atomic.Int64
		h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
			ran.Add(1)
			return append(dst, r.Body...), nil
		})
		x := new(rpc.Mux)
		if inline {
			x.Handle("A/Count", rpc.Inline(h))
		} else {
			x.Handle("A/Count", h)
		}
		s := &rpc.Server{Handler: x, Log: quiet}
		cl := dial(t, serve(t, s), rpc.Dialer{})
		_, err := cl.Call(context.Background(), nil, "A/Count", nil)
		require.NoError(t, err)
		var answered atomic.Int64
		answered.Add(1)
		var callers sync.WaitGroup
		for g := range 64 {
			callers.Go(func() {
				for {
					_, err := cl.Call(context.Background(), nil, "A/Count", fmt.Append(nil, g))
					switch rpc.OutcomeOf(err) {
					case rpc.Unknown:
						t.Error(err)
						return
					case rpc.Answered:
						if err != nil {
							t.Error(err)
							return
						}
						answered.Add(1)
					default:
						return
					}
				}
			})
		}
		time.Sleep(time.Duration(round%10) * time.Millisecond)
		ctx, cancel := context.WithTimeout(context.Background(), guard)
		require.NoError(t, s.Shutdown(ctx))
		cancel()
		callers.Wait()
		require.Equal(t, answered.Load(), ran.Load(), "round %d", round)
		cl.Close()
	}
}

// control reads the next frame, which must be a control message of its own.
func (p *script) control(action string) remoting.Message {
	p.t.Helper()
	f, ok := p.next()
	require.True(p.t, ok, "the end instead of %s", action)
	m, err := remoting.Parse(f.Mode(), f.Payload)
	require.NoError(p.t, err)
	require.Equal(p.t, action, string(m.Action))
	return m
}

// TestShutdownSaysWhichFrameIsItsLast: what was accepted is answered, what comes later is refused, and the last frame before the end says that it is.
func TestShutdownSaysWhichFrameIsItsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, x := newGate(), new(rpc.Mux)
		x.Handle("A/Slow", g)
		s := &rpc.Server{Handler: x, Log: quiet}
		a, b := halves()
		s.ServeConn(b)
		p := &script{t, a, frame.NewReader(frame.Standard{})}
		ask := func(seq byte) {
			b, _ := remoting.AppendFrame(nil, frame.Standard{}, 1, seq, &remoting.Message{Action: []byte("A/Slow"), Tail: remoting.Tail{}})
			p.nc.Write(b)
		}
		ask(1)
		synctest.Wait()
		down := make(chan error, 1)
		go func() { down <- s.Shutdown(context.Background()) }()
		require.False(t, p.control("$goaway").Tail.Last())
		ask(2)
		f, _ := p.next()
		m, _ := remoting.Parse(f.Mode(), f.Payload)
		require.Equal(t, []any{byte(2), rpc.CodeUnavailable, remoting.NotBegun}, []any{f.Seq, m.Code, m.Tail.Refusal()})
		p.nc.Write([]byte("\x01\x03\x06\x00\x05$ping"))
		f, _ = p.next()
		require.Equal(t, []any{byte(3), frame.Response}, []any{f.Seq, f.Mode()})
		close(g.open)
		f, _ = p.next()
		require.EqualValues(t, 1, f.Seq)
		require.True(t, p.control("$goaway").Tail.Last())
		_, ok := p.next()
		require.False(t, ok, "a frame behind the last")
		ask(4) // which nobody answers
		p.nc.Close()
		require.NoError(t, <-down)
		require.EqualValues(t, 1, g.most.Load())
	})
}

// TestShutdownRefusesWhatItHasNotAnswered: calls that a server has not answered before its last frame are refused, and an end without it leaves them
// unknown.
func TestShutdownRefusesWhatItHasNotAnswered(t *testing.T) {
	for _, c := range []struct {
		name string
		tail remoting.Tail
		want rpc.Outcome
	}{{"last frame", remoting.AppendLast(nil), rpc.Refused}, {"no more than a goaway", remoting.Tail{}, rpc.Unknown}} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, rpc.Dialer{Peer: rpc.Spanwire}, func(t *testing.T, cl *rpc.Client, p *script) {
				var calls sync.WaitGroup
				for range 3 {
					calls.Go(func() {
						_, err := cl.Call(context.Background(), nil, "A/B", nil)
						require.Equal(t, c.want, rpc.OutcomeOf(err), "%v", err)
					})
				}
				calls.Go(func() {
					for _, err := range rpc.Stream[int](context.Background(), cl, "A/B", nil) {
						require.Equal(t, c.want, rpc.OutcomeOf(err), "%v", err)
					}
				})
				for range 4 {
					p.next()
				}
				p.nc.Write(remoting.AppendControl(nil, remoting.GoAway, 1, c.tail))
				p.nc.Close()
				calls.Wait()
			})
		})
	}
}

// TestShutdownLetsClientsRepeatElsewhere: a client that can dial makes refused calls again, elsewhere.
func TestShutdownLetsClientsRepeatElsewhere(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Handle("A/Echo", echo)
	second := serve(t, &rpc.Server{Handler: x, Log: quiet})
	first := scripted(t, func(p *script) {
		p.next()
		p.nc.Write(remoting.AppendControl(nil, remoting.GoAway, 1, remoting.AppendLast(nil)))
	})
	var dials atomic.Int32
	cl := dial(t, "", rpc.Dialer{NetDial: dialer(func() string { return pick(dials.Add(1) == 1, first, second) })})
	got, err := cl.Call(context.Background(), nil, "A/Echo", []byte("x"))
	require.NoError(t, err)
	require.Equal(t, "x", string(got))

	dials.Store(0)
	cl = dial(t, "", rpc.Dialer{NetDial: dialer(func() string { return pick(dials.Add(1) == 1, first, second) })})
	_, err = cl.Call(rpc.WithOptions(context.Background(), rpc.CallOptions{Once: true}), nil, "A/Echo", []byte("x"))
	require.Equal(t, rpc.Refused, rpc.OutcomeOf(err), "%v", err)
}

// TestClientShutdownSaysWhatAServerSays: a client that shuts down says what a server says: what it was asked later, it has not run.
func TestClientShutdownSaysWhatAServerSays(t *testing.T) {
	y, g := new(rpc.Mux), newGate()
	y.Handle("B/Slow", g)
	synctest.Test(t, func(t *testing.T) {
		g.open = make(chan struct{})
		a, b := halves()
		cl := rpc.Dialer{Handler: y}.NewClient(a)
		p := &script{t, b, frame.NewReader(frame.Standard{})}
		ask := func(seq byte) {
			b, _ := remoting.AppendFrame(nil, frame.Standard{}, 1, seq, &remoting.Message{Action: []byte("B/Slow"), Tail: remoting.Tail{}})
			p.nc.Write(b)
		}
		ask(1)
		synctest.Wait()
		down := make(chan error, 1)
		go func() { down <- cl.Shutdown(context.Background()) }()
		p.control("$ping") // who this is: nobody waits for the answer
		require.False(t, p.control("$goaway").Tail.Last())
		ask(2)
		f, _ := p.next()
		m, _ := remoting.Parse(f.Mode(), f.Payload)
		require.Equal(t, []any{byte(2), remoting.NotBegun}, []any{f.Seq, m.Tail.Refusal()})
		close(g.open)
		f, _ = p.next()
		require.EqualValues(t, 1, f.Seq)
		require.True(t, p.control("$goaway").Tail.Last())
		_, err := p.nc.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		p.nc.Close()
		require.NoError(t, <-down)
	})
}

// lastWords is a connection from which a frame is read only when it has been closed.
type lastWords struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
	words  []byte
}

func (l *lastWords) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Conn.Close()
}

func (l *lastWords) Read(b []byte) (int, error) {
	<-l.closed
	time.Sleep(time.Second) // in fake time: Close of the server waits
	n := copy(b, l.words)
	l.words = l.words[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Close waits for no handler, also for none that begins after it.
func TestCloseWaitsForNoHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer a.Close()
		words, err := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: frame.Head(frame.Request, 1), Seq: 1})
		require.NoError(t, err)
		enough := make(chan struct{})
		s := &rpc.Server{Raw: true, Log: quiet, Handler: rpc.Inline(rpc.HandlerFunc(func(_ context.Context, dst []byte, _ *rpc.Request) ([]byte, error) {
			<-enough
			return dst, nil
		}))}
		s.ServeConn(&lastWords{Conn: b, closed: make(chan struct{}), words: words})
		synctest.Wait()
		require.NoError(t, s.Close())
		close(enough)
		synctest.Wait()
	})
}
