package rpc_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// base checks, when the test and what it has left to Cleanup has ended, that goroutines, timers and connections are back to
// where they were. Call it first.
func base(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for end := time.Now().Add(guard); ; time.Sleep(5 * time.Millisecond) {
			if runtime.NumGoroutine() <= before && rpc.Timers() == 0 && rpc.Users() == 0 {
				return
			}
			if time.Now().After(end) {
				buf := make([]byte, 1<<20)
				t.Errorf("%d goroutines, %d before; %d timers, %d connections\n%s", runtime.NumGoroutine(), before, rpc.Timers(), rpc.Users(),
					buf[:runtime.Stack(buf, true)])
				return
			}
		}
	})
}

// guard is how long a test waits for what must come: long enough for a slow, busy machine.
const guard = time.Minute

// within fails the test unless f returns in time.
func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(guard):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s: not in time\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

// until waits for a condition.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(guard); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in time", what)
		}
	}
}

// script is a peer made by hand.
type script struct {
	t  testing.TB
	nc net.Conn
	in *frame.Reader
}

// scripted runs a server whose connections f plays.
func scripted(t testing.TB, f func(p *script)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer nc.Close()
				f(&script{t, nc, frame.NewReader(frame.Standard{Max: 32 << 20})})
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// connect opens a connection by hand.
func connect(t testing.TB, addr string, codec frame.Codec) *script {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	return &script{t, nc, frame.NewReader(codec)}
}

// piped connects a client to a server in memory, for fake time.
func piped(t testing.TB, s *rpc.Server, o rpc.Dialer) *rpc.Client {
	a, b := net.Pipe()
	s.ServeConn(b)
	cl := o.NewClient(a)
	t.Cleanup(func() { cl.Close() })
	return cl
}

// half is one side of a connection in memory that can close its sending side alone, as net.Pipe's cannot.
type half struct {
	net.Conn          // what this side reads from
	w        net.Conn // what it writes to
}

// halves makes both sides.
func halves() (a, b half) {
	r1, w1 := net.Pipe()
	r2, w2 := net.Pipe()
	return half{r1, w2}, half{r2, w1}
}

func (h half) Write(p []byte) (int, error)        { return h.w.Write(p) }
func (h half) CloseWrite() error                  { return h.w.Close() }
func (h half) Close() error                       { return errors.Join(h.w.Close(), h.Conn.Close()) }
func (h half) SetWriteDeadline(t time.Time) error { return h.w.SetWriteDeadline(t) }
func (h half) SetDeadline(t time.Time) error {
	return errors.Join(h.w.SetDeadline(t), h.Conn.SetDeadline(t))
}

// next reads a frame; false at the end.
func (p *script) next() (frame.Frame, bool) {
	for {
		if f, ok := p.in.Next(); ok {
			return f, true
		}
		n, err := p.nc.Read(p.in.Space())
		p.in.Wrote(n)
		if err != nil {
			return frame.Frame{}, false
		}
	}
}

// reply answers a frame.
func (p *script) reply(f frame.Frame, payload []byte) {
	b, _ := frame.Standard{Max: 32 << 20}.AppendFrame(nil, f.Reply(frame.Response, payload))
	p.nc.Write(b)
}

// closed waits for the other side to close, and returns the bytes before that.
func (p *script) closed() []byte {
	if _, tcp := p.nc.RemoteAddr().(*net.TCPAddr); tcp {
		p.nc.SetReadDeadline(time.Now().Add(guard))
	}
	b, err := io.ReadAll(p.nc)
	if err != nil && !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
		p.t.Error("not closed:", err)
	}
	return b
}

// asks waits for its turn under a context.
func call(cl *rpc.Client, body string) (string, error) {
	b, err := cl.Call(context.Background(), nil, "", []byte(body))
	return string(b), err
}

var raw = rpc.Dialer{Raw: true}

// quiet is a log that nobody reads.
var quiet = slog.New(slog.DiscardHandler)
