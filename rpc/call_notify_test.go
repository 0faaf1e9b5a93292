package rpc_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spanwire/spanwire/internal/randval"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/remoting"
	"github.com/spanwire/spanwire/rpc/value"
)

func diffOf(a, b any) string { return randval.Diff(a, b) }

// R22: one-way messages carry values as calls do, both ways, to one and to all.
func TestNotifyCarriesValues(t *testing.T) {
	base(t)
	p := plainTimes{At: exact, For: 1, Text: "\xff", Zero: map[string]int{"a": 0}}
	a := withAny{"n", int64(5), exact, 3, map[string]any{"n": nil}, nil, 0}
	got := make(chan any, 100)
	x, mine := new(rpc.Mux), new(rpc.Mux)
	for _, m := range []*rpc.Mux{x, mine} {
		rpc.HandleVoid(m, "T/Plain", func(_ context.Context, v plainTimes) error { got <- v; return nil })
		rpc.HandleVoid(m, "T/Pointer", func(_ context.Context, v *plainTimes) error { got <- *v; return nil })
		rpc.HandleVoid(m, "T/Any", func(_ context.Context, v withAny) error { got <- v; return nil })
		rpc.HandleVoid(m, "T/Other", func(_ context.Context, v toFrom) error { got <- fromTo{v.From, v.To}; return nil })
		m.HandleFunc("T/Raw", func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
			got <- string(r.Body)
			return nil, nil
		})
	}
	s := &rpc.Server{Handler: x, Log: quiet}
	addr := serve(t, s)
	var cl *rpc.Client
	for range 3 {
		cl = dial(t, addr, rpc.Dialer{Log: quiet, Handler: mine})
	}
	until(t, "sessions", func() bool { return len(s.Sessions()) == 3 })
	one := s.Sessions()[0]
	messages := []struct {
		action    string
		arg, want any
	}{{"T/Plain", p, p}, {"T/Pointer", &p, p}, {"T/Any", a, a}, {"T/Other", fromTo{1, 2}, fromTo{1, 2}}, {"T/Raw", fromTo{1, 0}, `{"From":1,"To":0}`},
		{"T/Raw", []byte("as it is"), "as it is"}, {"T/Raw", value.Packet("p"), "p"}}
	for range 2 {
		for _, m := range messages {
			require.NoError(t, cl.NotifyValue(t.Context(), m.action, m.arg))
			require.Empty(t, diffOf(m.want, <-got), m.action)
			require.NoError(t, one.NotifyValue(t.Context(), m.action, m.arg))
			require.Empty(t, diffOf(m.want, <-got), m.action)
			n, err := s.BroadcastValue(t.Context(), m.action, m.arg)
			require.NoError(t, err)
			require.Equal(t, 3, n)
			for range n {
				require.Empty(t, diffOf(m.want, <-got), m.action)
			}
		}
	}
	require.Equal(t, uint64(2), cl.Stats().Mismatches-0, "T/Other and T/Raw, once each")
	_, err := s.BroadcastValue(t.Context(), "T/Any", make(chan int))
	require.ErrorIs(t, err, value.ErrType)
	require.Equal(t, rpc.NotSent, rpc.OutcomeOf(cl.NotifyValue(t.Context(), "T/Any", make(chan int))))
}

// A one-way message whose argument cannot be read, or that has another layout by the time it comes, is not lost in silence.
func TestOneWayThatCannotBeReadIsNotLostInSilence(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleVoid(x, "T/A", func(context.Context, named) error { return nil })
	s, cl := both(t, x, rpc.Dialer{Log: quiet})
	require.NoError(t, cl.NotifyValue(t.Context(), "T/A", dryRun{"a", true}))
	until(t, "the drop", func() bool { return s.Stats().Dropped == 1 })
	require.NoError(t, cl.NotifyValue(t.Context(), "T/A", named{"a"}))
	until(t, "the message", func() bool { return s.Stats().OneWay == 2 })
	rpc.HandleVoid(x, "T/A", func(context.Context, int) error { return nil })
	require.NoError(t, cl.NotifyValue(t.Context(), "T/A", named{"a"}), "agreed before the handler was replaced")
	until(t, "the drop", func() bool { return s.Stats().Dropped == 2 })
}

// Who the peer is: a server of ours, NewLife's, one that does not answer, one that closes.
func TestPeerIsAsked(t *testing.T) {
	base(t)
	t.Run("raw calls do not ask", func(t *testing.T) {
		x := new(rpc.Mux)
		x.Handle("A/Echo", echo)
		s, cl := both(t, x, rpc.Dialer{})
		_, err := cl.Call(t.Context(), nil, "A/Echo", []byte("x"))
		require.NoError(t, err)
		require.Equal(t, uint64(1), s.Stats().FramesIn)
		require.Equal(t, rpc.PeerOurs, cl.Session().PeerIs())
	})
	t.Run("a handler has it asked with the dial", func(t *testing.T) {
		s := &rpc.Server{Handler: new(rpc.Mux), Log: quiet}
		cl := dial(t, serve(t, s), rpc.Dialer{Handler: new(rpc.Mux)})
		until(t, "the answer", func() bool { return cl.Session().PeerIs() == rpc.PeerOurs })
	})
	t.Run("NewLife", func(t *testing.T) {
		var asked atomic.Int32
		addr := scripted(t, func(p *script) { newLife(p, &asked) })
		cl := dial(t, addr, rpc.Dialer{Log: quiet})
		for range 3 {
			var got string
			require.NoError(t, cl.Invoke(t.Context(), "A/Echo", "text", &got))
			require.Equal(t, "text", got)
		}
		require.Equal(t, int32(1), asked.Load())
		require.Equal(t, rpc.PeerOther, cl.Session().PeerIs())
		never := dial(t, addr, rpc.Dialer{Log: quiet, Peer: rpc.NewLife})
		require.NoError(t, never.Invoke(t.Context(), "A/Echo", "text", nil))
		require.Equal(t, int32(1), asked.Load())
		wrong := dial(t, addr, rpc.Dialer{Log: quiet, Peer: rpc.Spanwire})
		require.ErrorIs(t, wrong.Invoke(t.Context(), "A/Echo", "text", nil), rpc.ErrPeer)
	})
	t.Run("one that closes", func(t *testing.T) {
		var conns atomic.Int32
		addr := scripted(t, func(p *script) {
			if conns.Add(1) == 1 {
				p.next()
				return
			}
			newLife(p, new(atomic.Int32))
		})
		cl := dial(t, addr, rpc.Dialer{Log: quiet})
		var got string
		require.NoError(t, cl.Invoke(rpc.WithOptions(t.Context(), rpc.CallOptions{WaitReady: true}), "A/Echo", "text", &got))
		require.Equal(t, "text", got)
		require.Equal(t, int32(2), conns.Load())
	})
}

// newLife answers as NewLife does: no tails, 404 to what begins with $, everything else with its argument.
func newLife(p *script, asked *atomic.Int32) {
	for {
		f, ok := p.next()
		if !ok {
			return
		}
		m, err := remoting.Parse(f.Mode(), f.Payload)
		if err != nil || f.Mode() != frame.Request {
			continue
		}
		reply := remoting.Message{Action: m.Action, Data: m.Data}
		mode := frame.Response
		if remoting.Reserved(m.Action) {
			asked.Add(1)
			mode, reply.Code, reply.Data = frame.ErrorResponse, 404, []byte("none")
		}
		b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(mode, 1), f.Seq, &reply)
		p.nc.Write(b)
	}
}

// A peer that does not answer within two seconds counts as NewLife's until it shows a tail.
func TestPeerThatIsSilentCountsAsNewLife(t *testing.T) {
	bubble(t, rpc.Dialer{Log: quiet}, func(t *testing.T, cl *rpc.Client, p *script) {
		begin := time.Now()
		done := make(chan error, 1)
		var got string
		go func() { done <- cl.Invoke(t.Context(), "A/Echo", "text", &got) }()
		ping, _ := p.next()
		f, _ := p.next()
		passes(t, begin, 2*time.Second)
		m, err := remoting.Parse(f.Mode(), f.Payload)
		require.NoError(t, err)
		require.Equal(t, "text", string(m.Data))
		require.NotNil(t, m.Tail, "until it has answered without one")
		require.Equal(t, rpc.PeerAssumed, cl.Session().PeerIs())
		for _, f := range []frame.Frame{ping, f} {
			b, _ := remoting.AppendFrame(nil, frame.Standard{}, frame.Head(frame.Response, 1), f.Seq, &remoting.Message{Action: m.Action, Data: m.Data, Tail: remoting.Tail{}})
			p.nc.Write(b)
		}
		require.NoError(t, <-done)
		require.Equal(t, "text", got)
		synctest.Wait()
		require.Equal(t, rpc.PeerOurs, cl.Session().PeerIs())
	})
}

// The wait for knowing the peer is under the context, and under CallTimeout.
func TestPeerIsWaitedForUnderTheContext(t *testing.T) {
	bubble(t, rpc.Dialer{Log: quiet, Limits: rpc.Limits{CallTimeout: time.Second}}, func(t *testing.T, cl *rpc.Client, p *script) {
		go p.closed()
		begin := time.Now()
		err := cl.Invoke(t.Context(), "A/Echo", "text", nil)
		require.ErrorIs(t, err, rpc.ErrTimeout)
		require.Equal(t, rpc.NotSent, rpc.OutcomeOf(err))
		passes(t, begin, time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, cl.Invoke(ctx, "A/Echo", "text", nil), context.DeadlineExceeded)
	})
}

// A server waits for a peer's first frame before it sends values, and does not inside OnConnect.
func TestSessionWaitsForPeer(t *testing.T) {
	base(t)
	inside := make(chan error, 3)
	s := &rpc.Server{Handler: new(rpc.Mux), Log: quiet, OnConnect: func(p *rpc.Session) error {
		inside <- p.Invoke(context.Background(), "C/Add", 1, nil)
		inside <- p.NotifyValue(context.Background(), "C/Add", 1)
		inside <- p.Notify(context.Background(), "News", nil)
		return nil
	}}
	addr := serve(t, s)
	mine := new(rpc.Mux)
	rpc.Handle(mine, "C/Add", func(_ context.Context, n int) (int, error) { return n + 1, nil })
	nc := connect(t, addr, frame.Standard{}).nc
	require.ErrorIs(t, <-inside, rpc.ErrWouldDeadlock)
	require.ErrorIs(t, <-inside, rpc.ErrWouldDeadlock)
	require.NoError(t, <-inside)
	until(t, "the session", func() bool { return len(s.Sessions()) == 1 })
	waits := make(chan error, 1)
	sum := 0
	go func() { waits <- s.Sessions()[0].Invoke(context.Background(), "C/Add", 1, &sum) }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Sessions()[0].Invoke(ctx, "C/Add", 1, &sum), context.DeadlineExceeded)
	cl := rpc.Dialer{Handler: mine, Log: quiet}.NewClient(nc)
	defer cl.Close()
	require.NoError(t, <-waits)
	require.Equal(t, 2, sum)
}

// To NewLife an argument that would arrive changed is an error before it is sent; what a server answers is cut, and counted.
func TestToNewLifeNothingArrivesChanged(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.Handle(x, "A/Time", func(context.Context, struct{}) (plainTimes, error) { return plainTimes{At: exact}, nil })
	rpc.Handle(x, "A/Text", func(_ context.Context, v string) (string, error) { return v, nil })
	rpc.Handle(x, "A/Ticks", func(_ context.Context, v plainTimes) (bool, error) { return v.At.Equal(exact.Truncate(100)), nil })
	s, cl := both(t, x, rpc.Dialer{Log: quiet, Peer: rpc.NewLife})
	lossy := dial(t, s2addr(cl), rpc.Dialer{Log: quiet, Peer: rpc.NewLife, Dialect: value.Dialect{Lossy: true}})
	n := 0
	for name, k := range map[string]struct {
		arg  any
		says string
	}{
		"looks like an array":  {"[hi]", "JSON"},
		"looks like an object": {" {a", "white space"},
		"brace":                {"{a", "JSON"},
		"spaces":               {" x ", "white space"},
		"not UTF-8":            {"a\xff", "UTF-8"},
		"duration":             {time.Second, "member of a struct"},
		"part of a tick":       {plainTimes{At: exact}, "At (time.Time)"},
		"bare time":            {exact, "100 ns"},
		"short duration":       {plainTimes{For: 1}, "For"},
		"entry":                {map[string]int{"a": 0}, "a: "},
		"null":                 {[]*int{nil}, "null"},
		"minus zero":           {plainTimes{Float: -1 / inf()}, "zero"},
		"zero in an any":       {struct{ V any }{0}, "interface"},
	} {
		err := cl.Invoke(t.Context(), "A/Text", k.arg, nil)
		require.ErrorIs(t, err, value.ErrLossy, name)
		require.ErrorContains(t, err, k.says, name)
		require.Equal(t, rpc.NotSent, rpc.OutcomeOf(err), name)
		if err := lossy.Invoke(t.Context(), "A/Text", k.arg, nil); err != nil {
			var e *rpc.Error
			require.True(t, errors.As(err, &e), "%s: %v", name, err)
		}
		n++
	}
	var fits bool
	require.NoError(t, cl.Invoke(t.Context(), "A/Ticks", plainTimes{At: exact.Truncate(100)}, &fits))
	require.True(t, fits, "seven digits are read")
	before := s.Stats().Cut
	var got plainTimes
	require.NoError(t, cl.Invoke(t.Context(), "A/Time", nil, &got))
	require.True(t, got.At.Equal(exact.Truncate(time.Second)))
	require.Equal(t, before+1, s.Stats().Cut)
}

func inf() float64 { return 1 / zero }
