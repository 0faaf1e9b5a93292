package rpc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/internal/test"
	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// C19: calls that end in any way leave nothing behind: ten rounds of 10,000 calls, of which a third time out, a third are
// cancelled and a third fail on a write, end exactly once each; table and timers are empty then, and the heap stays as it is.
// Time is fake. Only a full run has all those calls.
func TestEndedCallsLeaveNothingBehind(t *testing.T) {
	calls := test.Count(300, 2000, 10_000)
	if raceBuild {
		calls = test.Count(300, 600, 2000)
	}
	synctest.Test(t, func(t *testing.T) {
		x := new(rpc.Mux)
		x.HandleFunc("A/Never", func(ctx context.Context, _ []byte, _ *rpc.Request) ([]byte, error) {
			<-ctx.Done()                       // when the caller gives up, or its connection ends
			time.Sleep(100 * time.Millisecond) // so that the caller does so before it is answered
			return nil, ctx.Err()
		})
		s := &rpc.Server{Handler: x, Log: quiet}
		defer s.Close()
		var heap [10]uint64
		for round := range heap {
			left(t, s, calls)
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap[round] = m.HeapAlloc
		}
		// The first rounds fill pools.
		if most := slices.Max(heap[5:]); most > heap[1]+256<<10 {
			t.Error("heap grows:", heap)
		}
	})
}

var errBroken = errors.New("broken on purpose")

// breaks is a connection that takes half of the first write and no more.
type breaks struct{ net.Conn }

func (b breaks) Write(p []byte) (int, error) {
	n, err := b.Conn.Write(p[:len(p)/2])
	if err == nil {
		err = errBroken
	}
	return n, err
}

// left makes calls of the three kinds and looks at what they leave.
func left(t *testing.T, s *rpc.Server, calls int) {
	t.Helper()
	pipe := func(wrap func(net.Conn) net.Conn) *rpc.Client {
		cl, err := rpc.Dialer{NetDial: func(context.Context, string, string) (net.Conn, error) {
			a, b := net.Pipe()
			s.ServeConn(b)
			return wrap(a), nil
		}}.Dial(context.Background(), "tcp", "memory:1")
		if err != nil {
			t.Fatal(err)
		}
		return cl
	}
	sound := pipe(func(nc net.Conn) net.Conn { return nc })
	broken := pipe(func(nc net.Conn) net.Conn { return breaks{nc} })
	ended := make([]atomic.Int32, calls)
	var wg sync.WaitGroup
	const workers = 60
	for g := range workers {
		wg.Go(func() {
			for i := g; i < calls; i += workers {
				ctx, cancel := context.WithCancel(context.Background())
				cl, want := sound, context.Canceled
				switch i / workers % 3 {
				case 0:
					cancel()
					ctx, cancel = context.WithTimeout(context.Background(), time.Second)
					want = context.DeadlineExceeded
				case 1:
					time.AfterFunc(time.Second, cancel)
				case 2:
					cl, want = broken, errBroken
				}
				giveUpOn(cl, ctx, i%2 == 0, func(err error) {
					ended[i].Add(1)
					var ce *rpc.CallError
					if !errors.Is(err, want) || !errors.As(err, &ce) {
						t.Errorf("call %d: %v, want %v", i, err, want)
					}
				})
				cancel()
			}
		})
	}
	wg.Wait()
	time.Sleep(time.Second) // for late answers
	synctest.Wait()
	for i := range ended {
		if n := ended[i].Load(); n != 1 {
			t.Fatal("call", i, "ended", n, "times")
		}
	}
	for _, cl := range []*rpc.Client{sound, broken} {
		if n, retired := cl.Pending(); n != 0 || retired != 0 {
			t.Fatal(n, "calls pending,", retired, "numbers retired")
		}
		cl.Close()
		if _, err := call(cl, "x"); !errors.Is(err, rpc.ErrClosed) || rpc.OutcomeOf(err) != rpc.NotSent {
			t.Fatal(err)
		}
	}
	synctest.Wait()
	if timers, open := rpc.Timers(), s.Stats().Open; timers != 0 || open != 0 {
		t.Fatal(timers, "timers,", open, "connections")
	}
}

// giveUpOn makes a call, blocking or with a callback, and returns when it has ended.
func giveUpOn(cl *rpc.Client, ctx context.Context, blocking bool, end func(error)) {
	if blocking {
		_, err := cl.Call(ctx, nil, "A/Never", []byte("x"))
		end(err)
		return
	}
	done := make(chan struct{}, 2)
	err := cl.Go(ctx, "A/Never", []byte("x"), func(_ []byte, err error) { end(err); done <- struct{}{} })
	if err != nil {
		end(err)
		return
	}
	<-done
}

// few is a connection that takes at most seven bytes at a time.
type few struct{ net.Conn }

func (f few) Write(p []byte) (int, error) {
	n, err := f.Conn.Write(p[:min(7, len(p))])
	return n, err
}

// C20: frames of many writers arrive whole, however little a write takes.
func TestFramesOfManyWritersArriveWhole(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: echo, Raw: true}
	t.Cleanup(func() { s.Close() })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		nc, err := l.Accept()
		if err == nil {
			s.ServeConn(few{nc})
		}
	}()
	nc, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	cl := raw.NewClient(few{nc})
	defer cl.Close()
	calls := test.Count(2, 20, 20)
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for i := range calls {
				body := bytes.Repeat([]byte{byte(g), byte(i)}, 1+r.IntN(1000))
				got, err := cl.Call(context.Background(), nil, "", body)
				if err != nil || !bytes.Equal(got, body) {
					t.Errorf("%d bytes of %d, %v", len(got), len(body), err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// C22: a client that sends 100,000 requests of 10 KB without reading does not bring down the server, which stops reading, and
// gets all its answers when it reads. Other connections are served meanwhile. Only a full run sends them all: what
// counts, that everything is full, is reached with the first thousand.
func TestClientThatDoesNotReadHarmsNobody(t *testing.T) {
	base(t)
	n := test.Count(2000, 20_000, 100_000)
	if raceBuild {
		n = 3000
	}
	const size, buffers = 10 << 10, 32 << 10
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true, Limits: rpc.Limits{WriteTimeout: time.Minute}}
	addr := serveOn(t, s, wrapListener{listen(t), func(nc net.Conn) net.Conn {
		nc.(*net.TCPConn).SetReadBuffer(buffers)
		nc.(*net.TCPConn).SetWriteBuffer(buffers)
		return nc
	}})
	other := dial(t, addr, raw)
	p := connect(t, addr, frame.Standard{})
	p.nc.(*net.TCPConn).SetReadBuffer(buffers)
	p.nc.(*net.TCPConn).SetWriteBuffer(buffers)
	var sent atomic.Int64
	wrote := make(chan error, 1)
	go func() { wrote <- pipeline(p.nc, n, size, &sent) }()
	// It is stuck when it does not move for half a second.
	until(t, "the client is stuck", func() bool {
		before := sent.Load()
		time.Sleep(500 * time.Millisecond)
		return before > 0 && sent.Load() == before
	})
	if b := sent.Load() * size; b > 8<<20 {
		t.Errorf("the server reads on: it has taken %d bytes", b)
	}
	for _, sess := range s.Sessions() {
		if n := sess.Held(); n > 4<<20 {
			t.Errorf("holds %d bytes", n)
		}
	}
	within(t, "calls of others", func() {
		for i := range 100 {
			if got, err := call(other, fmt.Sprint(i)); got != fmt.Sprint(i) || err != nil {
				t.Error(got, err)
			}
		}
	})
	for i := range n {
		p.nc.SetReadDeadline(time.Now().Add(guard))
		f, ok := p.next()
		if !ok || f.Seq != byte(i) || len(f.Payload) != size || binary.LittleEndian.Uint32(f.Payload) != uint32(i) {
			t.Fatal(i, f.Seq, len(f.Payload), ok)
		}
	}
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
}

// pipeline writes n requests, each with its place, and counts them.
func pipeline(nc net.Conn, n, size int, sent *atomic.Int64) error {
	body := make([]byte, size)
	var b []byte
	for i := range n {
		binary.LittleEndian.PutUint32(body, uint32(i))
		b, _ = frame.Standard{}.AppendFrame(b[:0], frame.Frame{Head: 1, Seq: byte(i), Payload: body})
		if _, err := nc.Write(b); err != nil {
			return err
		}
		sent.Add(1)
	}
	return nil
}

// C22: a peer that never reads is cut off.
func TestPeerThatNeverReadsIsCutOff(t *testing.T) {
	base(t)
	reason := make(chan error, 1)
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true, Log: quiet, Limits: rpc.Limits{WriteTimeout: 50 * time.Millisecond},
		OnClose: func(_ *rpc.Session, err error) { reason <- err }}
	p := connect(t, serve(t, s), frame.Standard{})
	go func() {
		b, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: 1, Payload: make([]byte, 64<<10)})
		for {
			if _, err := p.nc.Write(b); err != nil {
				return
			}
		}
	}()
	select {
	case err := <-reason:
		if !errors.Is(err, rpc.ErrSlowConsumer) || s.Stats().Slow != 1 {
			t.Fatal(err, s.Stats().Slow)
		}
	case <-time.After(guard):
		t.Fatal("not cut off")
	}
}
