package rpc_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// C19: calls that end in any way leave nothing behind.
func TestCaseC19NothingLeft(t *testing.T) {
	base(t)
	h := rpc.HandlerFunc(func(ctx context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if r.Body[0] != 'a' {
			return nil, wait(ctx, 3*time.Second) // ends when the caller does
		}
		return append(dst, r.Body...), nil
	})
	x := new(rpc.Mux)
	x.Handle("A/B", h)
	addr := serve(t, &rpc.Server{Handler: x, Log: quiet})
	var ended atomic.Int64
	var heap [3]uint64
	for round := range heap {
		cl := dial(t, addr, nil)
		var wg sync.WaitGroup
		for g := range 60 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range 10 {
					ctx, cancel := context.WithCancel(context.Background())
					switch (g + i) % 3 {
					case 0: // answered
						_, err := cl.Call(ctx, nil, "A/B", []byte("abc"))
						if err != nil {
							t.Error(err)
						}
					case 1: // times out
						ctx, stop := context.WithTimeout(ctx, 5*time.Millisecond)
						if _, err := cl.Call(ctx, nil, "A/B", []byte("t")); err == nil {
							t.Error("answered")
						}
						stop()
					case 2: // cancelled
						time.AfterFunc(3*time.Millisecond, cancel)
						if _, err := cl.Call(ctx, nil, "A/B", []byte("c")); err == nil {
							t.Error("answered")
						}
					}
					cancel()
					ended.Add(1)
				}
			}()
		}
		wg.Wait()
		until(t, "late answers", func() bool { n, retired := cl.Pending(); return n == 0 && retired == 0 })
		cl.Close()
		if _, err := call(cl, "x"); !errors.Is(err, rpc.ErrClosed) || rpc.OutcomeOf(err) != rpc.NotSent {
			t.Fatal(err)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		heap[round] = m.HeapAlloc
	}
	if ended.Load() != 3*600 {
		t.Fatal(ended.Load())
	}
	if heap[2] > heap[0]+4<<20 {
		t.Fatal("heap grows:", heap)
	}
}

// few is a connection that takes at most seven bytes at a time.
type few struct{ net.Conn }

func (f few) Write(p []byte) (int, error) {
	n, err := f.Conn.Write(p[:min(7, len(p))])
	return n, err
}

// C20: frames of many writers arrive whole, however little a write takes.
func TestCaseC20Writers(t *testing.T) {
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
	cl := rpc.NewClient(few{nc}, &raw)
	defer cl.Close()
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for i := range 20 {
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

// C22: a client that sends without reading does not bring down the server, and gets all its answers when it reads.
func TestCaseC22NoReader(t *testing.T) {
	base(t)
	s := &rpc.Server{Handler: rpc.Inline(echo), Raw: true}
	addr := serve(t, s)
	other := dial(t, addr, &raw)
	p := connect(t, addr, frame.Standard{})
	p.nc.(*net.TCPConn).SetReadBuffer(32 << 10)
	const n, size = 3000, 10 << 10
	go func() {
		b := make([]byte, 0, size+4)
		for i := range n {
			b, _ = frame.Standard{}.AppendFrame(b[:0], frame.Frame{Head: 1, Seq: byte(i), Payload: make([]byte, size)})
			if _, err := p.nc.Write(b); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	time.Sleep(100 * time.Millisecond)
	for _, sess := range s.Sessions() {
		if n := sess.Held(); n > 4<<20 {
			t.Errorf("holds %d bytes", n)
		}
	}
	begin := time.Now()
	if got, err := call(other, "x"); got != "x" || err != nil || time.Since(begin) > time.Second {
		t.Fatal(got, err, time.Since(begin))
	}
	for i := range n {
		f, ok := p.next()
		if !ok || f.Seq != byte(i) || len(f.Payload) != size {
			t.Fatal(i, f.Seq, len(f.Payload), ok)
		}
	}
}

// A peer that never reads is cut off.
func TestCaseC22SlowConsumer(t *testing.T) {
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

// C24: the forms of error answers.
func TestCaseC24Errors(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	codes := map[byte]int32{1: 404, 2: 200, 3: 0, 4: -1}
	x.HandleFunc("Api/Info", func(_ context.Context, _ []byte, r *rpc.Request) ([]byte, error) {
		return nil, fmt.Errorf("wrapped: %w", rpc.NewError(codes[r.Body[0]], "x"))
	})
	rpc.Handle(x, "A/Chan", func(context.Context, struct{}) (any, error) { return make(chan int), nil })
	addr := serve(t, &rpc.Server{Handler: x})
	p := connect(t, addr, frame.Standard{})
	for n, want := range map[byte]string{1: "c1011200084170692f496e666f940100000100000078", 2: "81010e00084170692f496e666f0100000078",
		3: "81010e00084170692f496e666f0100000078", 4: "c1011200084170692f496e666fffffffff0100000078"} {
		b, _ := hex.DecodeString("01010e00084170692f496e666f01000000" + hex.EncodeToString([]byte{n}))
		p.nc.Write(b)
		got := make([]byte, len(want)/2)
		if _, err := io.ReadFull(p.nc, got); err != nil || hex.EncodeToString(got) != want {
			t.Fatalf("%d: %x %v", n, got, err)
		}
	}
	cl := dial(t, addr, nil)
	var e *rpc.Error
	if _, err := cl.Call(context.Background(), nil, "A/Chan", nil); !errors.As(err, &e) || e.Code != 500 {
		t.Fatal(err)
	}
	if _, err := cl.Call(context.Background(), nil, "A/Nobody", nil); rpc.CodeOf(err) != 404 || rpc.OutcomeOf(err) != rpc.Answered {
		t.Fatal(err)
	}
}

// C26: one-way messages get no answer, whatever their handler does, and run in order.
func TestCaseC26OneWay(t *testing.T) {
	base(t)
	var seen []string
	done := make(chan struct{})
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		if !r.OneWay {
			return append(dst, "answer"...), nil
		}
		seen = append(seen, string(r.Body)) // one after another: no lock
		switch len(seen) {
		case 1:
			return append(dst, "value"...), nil
		case 2:
			return nil, errors.New("error")
		case 3:
			panic("panic")
		case 100:
			close(done)
		}
		return nil, nil
	})
	var first [1]byte
	s := &rpc.Server{Handler: h, Raw: true, Log: quiet}
	addr := serve(t, s)
	cl := dial(t, addr, &raw)
	for i := range 100 {
		if err := cl.Notify(context.Background(), "", []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "messages", func() { <-done })
	for i, s := range seen {
		if s != fmt.Sprint(i) {
			t.Fatal(seen)
		}
	}
	if got, err := call(cl, "x"); got != "answer" || err != nil {
		t.Fatal(got, err)
	}
	if st := cl.Stats(); st.FramesIn != 1 || st.Notices != 100 {
		t.Fatalf("%+v", st)
	}
	cl.Close()
	if err := cl.Notify(context.Background(), "", nil); !errors.Is(err, rpc.ErrClosed) {
		t.Fatal(err)
	}
	head := make(chan byte, 1)
	other := dial(t, scripted(t, func(p *script) {
		io.ReadFull(p.nc, first[:])
		head <- first[0]
	}), &raw)
	if err := other.Notify(context.Background(), "", []byte("x")); err != nil || <-head != 0x41 {
		t.Fatal(err)
	}
	if n := s.Stats().Panics; n != 1 {
		t.Fatal(n)
	}
}

// C34: JSON in Standard frames.
func TestCaseC34JSON(t *testing.T) {
	base(t)
	h := rpc.Typed(func(_ context.Context, v any) (any, error) { return v, nil })
	p := connect(t, serve(t, &rpc.Server{Handler: h, Raw: true}), frame.Standard{})
	for _, k := range []struct {
		flag byte
		body string
		head byte
		want string
	}{{3, `{"n":"你"}`, 0x83, `{"n":"你"}`}, {0, `42`, 0x80, `42`}, {3, `[1,2]`, 0x83, `[1,2]`}, {1, "text", 0x80, "text"}, {1, "", 0x81, ""},
		{3, `{"n":`, 0xC3, "value: bad JSON at byte 5"}} {
		b, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: k.flag, Seq: 9, Payload: []byte(k.body)})
		for i := range b { // cut inside the character as well
			p.nc.Write(b[i : i+1])
		}
		f, ok := p.next()
		if !ok || f.Head != k.head || string(f.Payload) != k.want {
			t.Errorf("%q: %02x %q", k.body, f.Head, f.Payload)
		}
	}
}
