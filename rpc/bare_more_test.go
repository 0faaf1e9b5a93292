package rpc_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// TestHighBitServer: a length with its top bit set is not that of a frame without the bit.
func TestHighBitServer(t *testing.T) {
	for _, size := range []int{4, -4} {
		base(t)
		addr := serve(t, &rpc.Server{Handler: rpc.Inline(echo), Codec: frame.LengthField{Size: size}, Raw: true})
		nc, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4, 9)
		if size == 4 {
			binary.LittleEndian.PutUint32(b, 0x80000005)
		} else {
			binary.BigEndian.PutUint32(b, 0x80000005)
		}
		nc.Write(append(b, "hello"...))
		nc.SetReadDeadline(time.Now().Add(guard))
		got, err := io.ReadAll(nc)
		nc.Close()
		if len(got) != 0 {
			t.Errorf("size %d: a length of 0x80000005 was answered with %q, %v", size, got, err)
		}
	}
}

// TestHighBitClient is the same for answers.
func TestHighBitClient(t *testing.T) {
	base(t)
	a, b := net.Pipe()
	go func() {
		p := make([]byte, 9)
		io.ReadFull(b, p)
		b.Write([]byte{5, 0, 0, 0x80, 'w', 'r', 'o', 'n', 'g'})
		io.Copy(io.Discard, b)
		b.Close()
	}()
	cl := rpc.Dialer{Codec: frame.LengthField{Size: 4}, Raw: true}.NewClient(a)
	defer cl.Close()
	if got, err := call(cl, "hello"); err == nil {
		t.Errorf("an answer of length 0x80000005 was taken: %q", got)
	}
}

// TestLeadSentByOthers: another caller's write takes the leader's request along before the leader waits.
func TestLeadSentByOthers(t *testing.T) {
	for name, other := range map[string]func(cl *rpc.Client){
		"call":   func(cl *rpc.Client) { go call(cl, "other") },
		"notify": func(cl *rpc.Client) { cl.Notify(context.Background(), "", []byte("note")) },
	} {
		t.Run(name, func(t *testing.T) {
			addr := serve(t, &rpc.Server{Handler: rpc.Inline(echo), Raw: true})
			nc, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			cl := rpc.Dialer{Raw: true}.NewClient(nc)
			defer cl.Close()
			rc, err := nc.(*net.TCPConn).SyscallConn()
			if err != nil {
				t.Fatal(err)
			}
			slow := 0
			for range 10 {
				call(cl, "first") // the read side is nobody's for a tick
				call(cl, "first")
				let, in := make(chan struct{}), make(chan struct{})
				go rc.Read(func(uintptr) bool { close(in); <-let; return true }) // stands for a leader that is not scheduled
				<-in
				took := make(chan time.Duration, 1)
				go func() {
					t0 := time.Now()
					call(cl, "leader")
					took <- time.Since(t0)
				}()
				time.Sleep(2 * time.Millisecond)
				other(cl)
				time.Sleep(3 * time.Millisecond) // answered
				close(let)
				if d := <-took; d > 100*time.Millisecond {
					slow++
				}
			}
			if slow == 10 {
				t.Error("all calls waited for the clock")
			}
		})
	}
}

// TestCorkedReader: what callbacks have queued is sent before the reader waits for room.
func TestCorkedReader(t *testing.T) {
	for name, inline := range map[string]bool{"inline": true, "goroutine": false} {
		t.Run(name, func(t *testing.T) {
			served := make(chan struct{})
			l, _ := net.Listen("tcp", "127.0.0.1:0")
			defer l.Close()
			nc, _ := net.Dial("tcp", l.Addr().String())
			pc, _ := l.Accept()
			p := &script{t, pc, frame.NewReader(frame.Standard{Max: 32 << 20})}
			defer pc.Close()
			replies := make(chan frame.Frame, 8)
			go func() {
				defer close(served)
				var b []byte
				std := frame.Standard{}
				for range 64 {
					f, ok := p.next()
					if !ok {
						return
					}
					b, _ = std.AppendFrame(b, f.Reply(frame.Response, nil))
				}
				b, _ = std.AppendFrame(b, frame.Frame{Head: frame.Head(frame.Request, 1), Seq: 7, Payload: []byte("req")})
				pc.Write(b)
				for {
					f, ok := p.next()
					if !ok {
						return
					}
					if f.Mode() >= frame.Response {
						replies <- f
					}
				}
			}()
			h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
				return append(dst, make([]byte, 100<<10)...), nil // more than keptBuffer: flushed at once
			})
			var hh rpc.Handler = h
			if inline {
				hh = rpc.Inline(h)
			}
			cl := rpc.Dialer{Raw: true, Handler: hh, MaxConns: 1}.NewClient(nc)
			defer cl.Close()
			var left atomic.Int32
			left.Store(64)
			for range 64 {
				if err := cl.Go(context.Background(), "", []byte("x"), func([]byte, error) {
					if left.Add(-1) == 0 {
						cl.Notify(context.Background(), "", make([]byte, 2<<20)) // over the backlog, which was empty
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case <-replies:
			case <-time.After(guard):
				t.Error("the peer's request is not answered: the reader waits for what it has corked itself")
			}
		})
	}
}

// TestFlagAnew: a handler does not see what another has done to its request.
func TestFlagAnew(t *testing.T) {
	base(t)
	seen := []byte{}
	h := rpc.HandlerFunc(func(_ context.Context, dst []byte, r *rpc.Request) ([]byte, error) {
		seen = append(seen, r.Flag)
		r.Flag = 5
		return append(dst, r.Body...), nil
	})
	addr := serve(t, &rpc.Server{Handler: rpc.Inline(h), Codec: frame.LengthField{Size: 2}, Raw: true})
	c := connect(t, addr, frame.LengthField{Size: 2})
	c.nc.Write([]byte{1, 0, 'a', 1, 0, 'b'})
	c.next()
	c.next()
	if string(seen) != "\x00\x00" {
		t.Errorf("flags %v", seen)
	}
}
