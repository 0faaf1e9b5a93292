package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// gate is a handler that waits until it is opened.
type gate struct {
	open    chan struct{}
	running atomic.Int32
	most    atomic.Int32
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) ServeRPC(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
	n := g.running.Add(1)
	defer g.running.Add(-1)
	for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
	}
	body := string(r.Body)
	select {
	case <-g.open:
		return append(dst, body...), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A server works on InFlight requests of a connection at a time; the others wait and are answered.
func TestServerRunsInFlightRequestsAtATime(t *testing.T) {
	base(t)
	g := newGate()
	cl := dial(t, serve(t, &rpc.Server{Handler: g, Raw: true, Limits: rpc.Limits{InFlight: 4}}), raw)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			want := fmt.Sprint(i)
			if got, err := call(cl, want); got != want || err != nil {
				t.Error(got, err)
			}
		}()
	}
	until(t, "handlers", func() bool { return g.running.Load() == 4 })
	close(g.open)
	within(t, "answers", wg.Wait)
	if n := g.most.Load(); n != 4 {
		t.Fatal(n, "at a time")
	}
}

// A client whose numbers are all in use waits in line, under the caller's context; Go does not wait.
func TestClientWaitsInLineForANumber(t *testing.T) {
	base(t)
	g := newGate()
	cl := dial(t, serve(t, &rpc.Server{Handler: g, Raw: true}), rpc.Dialer{Raw: true, MaxConns: 1, Limits: rpc.Limits{InFlight: 2}})
	results := make(chan string, 4)
	start := func(body string) {
		go func() {
			got, err := call(cl, body)
			results <- fmt.Sprint(got, err)
		}()
	}
	start("1")
	start("2")
	until(t, "two calls", func() bool { n, _ := cl.Pending(); return n == 2 })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := cl.Call(ctx, nil, "", []byte("3")); !errors.Is(err, context.DeadlineExceeded) || rpc.OutcomeOf(err) != rpc.NotSent {
		t.Fatal(err)
	}
	if err := cl.Go(context.Background(), "", []byte("4"), func([]byte, error) { t.Error("called") }); !errors.Is(err, rpc.ErrBusy) {
		t.Fatal(err)
	}
	start("5")
	start("6")
	until(t, "line", func() bool { return cl.Waiting() == 2 })
	close(g.open)
	seen := map[string]bool{}
	for range 4 {
		seen[<-results] = true
	}
	for _, n := range []string{"1", "2", "5", "6"} {
		if !seen[n+"<nil>"] {
			t.Fatal(seen)
		}
	}
}

// Many callers share few numbers: all are served, and fail at once when the connection does.
func TestClientLineServesEverybody(t *testing.T) {
	base(t)
	cl := dial(t, serve(t, &rpc.Server{Handler: echo, Raw: true}), rpc.Dialer{Raw: true, MaxConns: 1, Limits: rpc.Limits{InFlight: 3}})
	var wg sync.WaitGroup
	for g := range 100 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				ctx, cancel := context.WithCancel(context.Background())
				if g%5 == 0 && i%3 == 0 {
					time.AfterFunc(50*time.Microsecond, cancel)
				}
				want := fmt.Sprint(g, i)
				got, err := cl.Call(ctx, nil, "", []byte(want))
				if err == nil && string(got) != want || err != nil && ctx.Err() == nil {
					t.Error(string(got), want, err)
				}
				cancel()
			}
		}()
	}
	within(t, "all callers", wg.Wait)
	if n, _ := cl.Pending(); n != 0 {
		t.Fatal(n)
	}
}

// At 192 calls under way a client opens another connection, up to MaxConns.
func TestClientOpensAnotherConnectionWhenBusy(t *testing.T) {
	base(t)
	g := newGate()
	addr := serve(t, &rpc.Server{Handler: g, Raw: true})
	cl := dial(t, addr, raw)
	alone := dial(t, addr, rpc.Dialer{Raw: true, MaxConns: 1})
	var wg sync.WaitGroup
	for i := range 300 {
		for _, cl := range []*rpc.Client{cl, alone} {
			wg.Add(1)
			go func() {
				defer wg.Done()
				want := fmt.Sprint(i)
				if got, err := call(cl, want); got != want || err != nil {
					t.Error(got, err)
				}
			}()
		}
	}
	until(t, "second connection", func() bool { return cl.Conns() >= 2 })
	until(t, "calls", func() bool { n, _ := alone.Pending(); return n == 256 })
	close(g.open)
	within(t, "answers", wg.Wait)
	if cl.Conns() > 4 || alone.Conns() != 1 {
		t.Fatal(cl.Conns(), alone.Conns())
	}
}

// A connection on which 128 calls were never answered takes no more; the client goes to another, or says so.
func TestClientLeavesAnExhaustedConnection(t *testing.T) {
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
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	alone := raw.NewClient(nc)
	defer alone.Close()
	for _, cl := range []*rpc.Client{cl, alone} {
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		for range 128 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if _, err := cl.Call(ctx, nil, "", []byte("never")); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}()
		}
		until(t, "calls", func() bool { n, _ := cl.Pending(); return n == 128 })
		cancel()
		wg.Wait()
	}
	if got, err := call(cl, "x"); got != "x" || err != nil || cl.Stats().Accepted != 2 {
		t.Fatal(got, err, cl.Stats().Accepted)
	}
	if _, err := call(alone, "x"); !errors.Is(err, rpc.ErrExhausted) || rpc.OutcomeOf(err) != rpc.NotSent {
		t.Fatal(err)
	}
}

// A server refuses connections over its limit, and those that OnConnect does not want. (TestTimeFirstByteIsWaitedForOnce has those that say
// nothing.)
func TestServerRefusesConnectionsOverItsLimit(t *testing.T) {
	base(t)
	var refuse atomic.Bool
	var closed sync.Map
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, Limits: rpc.Limits{Connections: 2},
		OnConnect: func(*rpc.Session) error {
			if refuse.Load() {
				return errors.New("not you")
			}
			return nil
		},
		OnClose: func(s *rpc.Session, err error) { closed.Store(s.RemoteAddr().String(), err) }}
	addr := serve(t, s)
	a, b := dial(t, addr, raw), dial(t, addr, raw)
	for _, cl := range []*rpc.Client{a, b} {
		if got, err := call(cl, "x"); got != "x" || err != nil {
			t.Fatal(got, err)
		}
	}
	connect(t, addr, frame.Standard{}).closed()
	b.Close()
	until(t, "room", func() bool { return s.Stats().Open == 1 })
	refuse.Store(true)
	p := connect(t, addr, frame.Standard{})
	p.closed()
	if _, ok := closed.Load(p.nc.LocalAddr().String()); ok {
		t.Error("OnClose of a refused connection")
	}
	if got, err := call(a, "still"); got != "still" || err != nil {
		t.Fatal(got, err)
	}
	until(t, "counts", func() bool { st := s.Stats(); return st.Refused == 2 && st.Open == 1 && st.Accepted == 3 })
}

// Over the server-wide limit the connection with the most of an unfinished frame is closed.
func TestServerClosesWhoHoldsMostOverItsLimit(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: echo, Raw: true, Log: quiet, Limits: rpc.Limits{Buffered: 1 << 20}}
	addr := serve(t, s)
	small := connect(t, addr, frame.Standard{})
	b, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: 1, Seq: 7, Payload: make([]byte, 100<<10)})
	small.nc.Write(b[:60<<10])
	big := connect(t, addr, frame.Standard{})
	c, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: 1, Payload: make([]byte, 4<<20)})
	go big.nc.Write(c[:3<<20])
	big.nc.SetReadDeadline(time.Now().Add(guard))
	if _, err := io.ReadFull(big.nc, make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	small.nc.Write(b[60<<10:])
	if f, ok := small.next(); !ok || f.Seq != 7 {
		t.Fatal(f, ok)
	}
}
