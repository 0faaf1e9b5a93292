package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
)

// filled is a server in fake time with a client whose connection can be half closed.
type filled struct {
	s      *rpc.Server
	cl     *rpc.Client
	near   half // the client's side
	closed chan error
}

// fill runs f with a server and a client on a connection in memory, and then sees to it that nothing is left.
func fill(t *testing.T, s *rpc.Server, o rpc.Dialer, f func(t *testing.T, p *filled), gates ...*gate) {
	synctest.Test(t, func(t *testing.T) {
		for _, g := range gates {
			g.open = make(chan struct{}) // channels belong to where they are made
		}
		a, b := halves()
		p := &filled{s: s, near: a, closed: make(chan error, 1)}
		s.Log = quiet
		s.OnClose = func(_ *rpc.Session, err error) { p.closed <- err }
		s.ServeConn(b)
		p.cl = o.NewClient(a)
		f(t, p)
		p.cl.Close()
		s.Close()
		synctest.Wait()
		require.Zero(t, rpc.Timers(), "timers")
		require.Zero(t, s.Charged(), "bytes charged")
	})
}

// over waits for the end of the server's connection, which must have come.
func (p *filled) over(t *testing.T) error {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-p.closed:
		return err
	default:
		t.Fatal("OnClose was not called")
		return nil
	}
}

// waits is a handler that waits for its context.
func (g *gate) waits(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
	n := g.running.Add(1)
	defer g.running.Add(-1)
	g.most.Store(max(g.most.Load(), n))
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestFullConnectionTakesCancels: where more requests have come than run, each of them can be cancelled, and one that has not begun never does (R4).
func TestFullConnectionTakesCancels(t *testing.T) {
	g, x := newGate(), new(rpc.Mux)
	x.HandleFunc("A/Wait", g.waits)
	fill(t, &rpc.Server{Handler: x, Limits: rpc.Limits{InFlight: 4}}, rpc.Dialer{}, func(t *testing.T, p *filled) {
		ctx, cancel := context.WithCancel(context.Background())
		var calls sync.WaitGroup
		for range 5 {
			calls.Go(func() {
				_, err := p.cl.Call(ctx, nil, "A/Wait", nil)
				require.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		require.EqualValues(t, 4, g.running.Load())
		cancel()
		calls.Wait()
		synctest.Wait()
		require.Zero(t, g.running.Load(), "handlers that still run")
		require.EqualValues(t, 4, g.most.Load())
		_, retired := p.cl.Pending()
		require.Zero(t, retired, "calls without the answer 499")
	})
}

// TestFullConnectionLetsParkedRequestsExpire: a parked request whose time is over is answered 504, and does not run.
func TestFullConnectionLetsParkedRequestsExpire(t *testing.T) {
	g, x := newGate(), new(rpc.Mux)
	x.Handle("A/Slow", g)
	s := &rpc.Server{Handler: x, Log: quiet, Limits: rpc.Limits{InFlight: 1}}
	serverBubble(t, s, func(t *testing.T, p *script, reason func() error) {
		g.open = make(chan struct{})
		send := func(seq byte, tail remoting.Tail) {
			b, _ := remoting.AppendFrame(nil, frame.Standard{}, 1, seq, &remoting.Message{Action: []byte("A/Slow"), Tail: tail})
			p.nc.Write(b)
		}
		send(1, remoting.Tail{})
		begin := time.Now()
		send(2, remoting.AppendTimeout(nil, time.Second))
		f, _ := p.next()
		m, _ := remoting.Parse(f.Mode(), f.Payload)
		require.Equal(t, []any{byte(2), rpc.CodeTimeout}, []any{f.Seq, m.Code})
		require.Equal(t, remoting.NoRefusal, m.Tail.Refusal())
		passes(t, begin, time.Second)
		require.EqualValues(t, 1, g.most.Load())
		close(g.open)
		f, _ = p.next()
		require.EqualValues(t, 1, f.Seq)
	})
}

// TestFullConnectionIsClosedAtOnce: a client that closes ends the contexts of its calls, those that have not begun too, and OnClose does not wait for
// handlers that do not look (R4).
func TestFullConnectionIsClosedAtOnce(t *testing.T) {
	for _, stubborn := range []bool{false, true} {
		t.Run(fmt.Sprintf("stubborn=%v", stubborn), func(t *testing.T) {
			g, x := newGate(), new(rpc.Mux)
			x.HandleFunc("A/Wait", g.waits)
			if stubborn {
				x.HandleFunc("A/Wait", func(context.Context, []byte, *rpc.Request) ([]byte, error) { <-g.open; return nil, nil })
			}
			fill(t, &rpc.Server{Handler: x, Limits: rpc.Limits{InFlight: 4}}, rpc.Dialer{}, func(t *testing.T, p *filled) {
				var calls sync.WaitGroup
				for range 5 {
					calls.Go(func() {
						_, err := p.cl.Call(context.Background(), nil, "A/Wait", nil)
						require.ErrorIs(t, err, rpc.ErrClosed)
					})
				}
				synctest.Wait()
				begin := time.Now()
				p.cl.Close()
				calls.Wait()
				if stubborn {
					time.Sleep(16 * time.Second) // CallTimeout: the peer's end alone may mean that it waits for answers
				}
				require.Error(t, p.over(t)) // the peer's end, or an answer that could not be written
				if !stubborn {
					require.Zero(t, time.Since(begin))
				}
				require.Zero(t, g.running.Load())
				close(g.open)
			}, g)
		})
	}
}

// TestFullConnectionGivesSignsOfLife: a connection on which requests and one-way messages wait for their turn gives signs of life (R4).
func TestFullConnectionGivesSignsOfLife(t *testing.T) {
	g, x := newGate(), new(rpc.Mux)
	x.Handle("A/Slow", g)
	x.Handle("A/Told", g)
	fill(t, &rpc.Server{Handler: x, Limits: rpc.Limits{InFlight: 4}}, rpc.Dialer{}, func(t *testing.T, p *filled) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		var calls sync.WaitGroup
		for range 5 {
			calls.Go(func() {
				_, err := p.cl.Call(ctx, nil, "A/Slow", nil)
				require.NoError(t, err)
			})
		}
		for range 1000 {
			require.NoError(t, p.cl.Notify(ctx, "A/Told", nil))
		}
		time.Sleep(20 * time.Minute)
		close(g.open)
		calls.Wait()
		synctest.Wait()
		require.EqualValues(t, 1000, p.s.Stats().OneWay)
		require.Zero(t, p.s.Stats().Dropped)
	}, g)
}

// small is a codec for which a connection may hold little.
var small = frame.Standard{Max: 16 << 10}

// TestFullOverInFlightBytesReadsNoMore: over InFlightBytes nothing more is read; a peer of ours is told that this side lives, and neither its ping nor its
// WriteTimeout ends the connection. When there is room all is handled, in order.
func TestFullOverInFlightBytesReadsNoMore(t *testing.T) {
	var got []int
	g, x := newGate(), new(rpc.Mux)
	rpc.HandleVoid(x, "A/Told", func(ctx context.Context, m *struct {
		N    int
		Fill string
	}) error {
		<-g.open
		got = append(got, m.N)
		return nil
	})
	x.Handle("A/Echo", echo)
	s := &rpc.Server{Handler: x, Codec: small, Limits: rpc.Limits{InFlightBytes: 80 << 10}}
	fill(t, s, rpc.Dialer{Codec: small}, func(t *testing.T, p *filled) {
		_, err := p.cl.Call(context.Background(), nil, "A/Echo", nil) // who the peer is
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		sent := make(chan error, 1)
		go func() {
			for i := range 200 {
				if err := p.cl.Notify(ctx, "A/Told", fmt.Appendf(nil, `{"N":%d,"Fill":"%010000d"}`, i, 0)); err != nil {
					sent <- err
					return
				}
			}
			sent <- nil
		}()
		before := p.cl.Stats().BytesIn
		time.Sleep(10 * time.Minute)
		require.Less(t, p.s.Stats().BytesIn, uint64(200_000), "read on")
		require.LessOrEqual(t, p.s.Charged(), int64(80<<10+64<<10))
		alive := p.cl.Stats().BytesIn - before
		require.Greater(t, alive, uint64(10*60/5*15/2), "signs of life every 5 s")
		close(g.open)
		require.NoError(t, <-sent)
		_, err = p.cl.Call(ctx, nil, "A/Echo", nil)
		require.NoError(t, err)
		synctest.Wait()
		require.Len(t, got, 200)
		for i, n := range got {
			require.Equal(t, i, n)
		}
	}, g)
}

// TestFullLimitThatHoldsNoMessageIsRefused: a value that could not hold one message is refused before anything is served or dialed.
func TestFullLimitThatHoldsNoMessageIsRefused(t *testing.T) {
	limits := rpc.Limits{InFlightBytes: 16<<10 + 64<<10 - 1}
	_, err := rpc.Dialer{Codec: small, Limits: limits}.Dial(context.Background(), "tcp", "127.0.0.1:1")
	require.ErrorIs(t, err, frame.ErrConfig)
	l, err := rpc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	require.ErrorIs(t, (&rpc.Server{Codec: small, Limits: limits}).Serve(l), frame.ErrConfig)
}

// TestFullOnBothSidesEndsAllCalls: two sides that are full and call each other refuse what they cannot run, and all calls end.
func TestFullOnBothSidesEndsAllCalls(t *testing.T) {
	var s *rpc.Server
	var ran, refused atomic.Int32
	x, y := new(rpc.Mux), new(rpc.Mux)
	x.HandleFunc("A/Down", func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		ran.Add(1)
		err := r.Session().Invoke(ctx, "B/Up", nil, nil)
		if rpc.OutcomeOf(err) == rpc.Refused {
			refused.Add(1)
			err = nil
		}
		return nil, err
	})
	x.Handle("A/Echo", echo)
	var cl *rpc.Client
	y.HandleFunc("B/Up", func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		err := r.Session().Invoke(ctx, "A/Down", nil, nil)
		if rpc.OutcomeOf(err) == rpc.Refused {
			refused.Add(1)
			err = nil
		}
		return nil, err
	})
	s = &rpc.Server{Handler: x, Limits: rpc.Limits{InFlight: 2}}
	fill(t, s, rpc.Dialer{Handler: y, Limits: rpc.Limits{InFlight: 64}}, func(t *testing.T, p *filled) {
		cl = p.cl
		_, err := cl.Call(context.Background(), nil, "A/Echo", nil)
		require.NoError(t, err)
		begin := time.Now()
		var calls sync.WaitGroup
		for range 32 {
			calls.Go(func() {
				err := cl.Invoke(context.Background(), "A/Down", nil, nil)
				if err != nil {
					require.Equal(t, rpc.Refused, rpc.OutcomeOf(err), "%v", err)
				}
			})
		}
		calls.Wait()
		require.Less(t, time.Since(begin), time.Second)
		require.NotZero(t, ran.Load())
		require.NotZero(t, refused.Load())
	})
}

// TestFullAndWaitingItselfEndsTheConnection: a one-way message over the limit of a side that waits for an answer itself ends the connection.
func TestFullAndWaitingItselfEndsTheConnection(t *testing.T) {
	g, x, y := newGate(), new(rpc.Mux), new(rpc.Mux)
	x.HandleFunc("A/Ask", func(ctx context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		return nil, r.Session().Invoke(ctx, "B/Wait", nil, nil)
	})
	x.Handle("A/Told", g)
	y.HandleFunc("B/Wait", g.waits)
	s := &rpc.Server{Handler: x, Codec: small, Limits: rpc.Limits{InFlightBytes: 80 << 10}}
	fill(t, s, rpc.Dialer{Codec: small, Handler: y}, func(t *testing.T, p *filled) {
		asked := make(chan error, 1)
		go func() { asked <- p.cl.Invoke(context.Background(), "A/Ask", nil, nil) }()
		synctest.Wait()
		for range 20 {
			if p.cl.Notify(context.Background(), "A/Told", make([]byte, 10_000)) != nil {
				break
			}
			synctest.Wait()
		}
		require.Equal(t, rpc.Unknown, rpc.OutcomeOf(<-asked))
		err := p.over(t)
		require.ErrorIs(t, err, rpc.ErrOverload)
		var ce *rpc.ConnError
		require.True(t, errors.As(err, &ce))
		require.NotZero(t, ce.Dropped, "one-way messages in the queue")
		require.ErrorContains(t, err, fmt.Sprint(ce.Dropped))
		close(g.open)
	}, g)
}

// TestNotifyInHandlerWaitsForNothing: a handler's message on its own connection waits for nothing.
func TestNotifyInHandlerWaitsForNothing(t *testing.T) {
	x, y := new(rpc.Mux), new(rpc.Mux)
	x.Handle("A/Echo", echo)
	busy := make(chan error, 1)
	var cl *rpc.Client
	y.HandleFunc("B/Told", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
		for {
			if err := cl.Notify(ctx, "A/Echo", make([]byte, 10_000)); err != nil {
				busy <- err
				return nil, nil
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		a, b := halves()
		cl = rpc.Dialer{Handler: y, Log: quiet}.NewClient(a)
		p := &script{t, b, frame.NewReader(frame.Standard{})}
		m, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.OneWay, 1), 1, &remoting.Message{Action: []byte("B/Told")})
		p.nc.Write(m) // and nothing is read
		require.ErrorIs(t, <-busy, rpc.ErrBusy)
		cl.Close()
		p.nc.Close()
	})
}
