package rpc_test

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
)

// answerOnce answers one request of one echoBody, and then does as last says.
func answerOnce(t *testing.T, last func(c *net.TCPConn)) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	served := make(chan struct{})
	t.Cleanup(func() { <-served })
	dialed, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	nc, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(served)
		defer nc.Close()
		b := make([]byte, 4+echoBody)
		if _, err := io.ReadFull(nc, b); err != nil {
			t.Error(err)
			return
		}
		b[0] |= 0x80
		if _, err := nc.Write(b); err != nil {
			t.Error(err)
			return
		}
		last(nc.(*net.TCPConn))
	}()
	return dialed
}

// TestLeaderNoticesAnEndBeforeItsRequest: a lone caller sends its request when it is already waiting, and so does not look for what was there before. The
// end of the connection is noticed all the same, long before the call would time out.
func TestLeaderNoticesAnEndBeforeItsRequest(t *testing.T) {
	base(t)
	for name, last := range map[string]func(c *net.TCPConn){
		"closed": func(*net.TCPConn) {},
		"half closed": func(c *net.TCPConn) {
			c.CloseWrite()
			io.Copy(io.Discard, c)
		},
		"reset": func(c *net.TCPConn) { c.SetLinger(0) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, pause := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond} {
				cl := rpc.Dialer{Raw: true}.NewClient(answerOnce(t, last))
				req := make([]byte, echoBody)
				if got, err := cl.Call(context.Background(), nil, "", req); len(got) != echoBody || err != nil {
					t.Fatal(got, err)
				}
				time.Sleep(pause)
				within(t, "the second call", func() {
					if got, err := cl.Call(context.Background(), nil, "", req); err == nil {
						t.Errorf("%q", got)
					}
				})
				cl.Close()
			}
		})
	}
}

// TestLeaderSharesItsConnection: calls, calls with callbacks and one-way messages that come between a lone caller's turn and its request.
func TestLeaderSharesItsConnection(t *testing.T) {
	base(t)
	cl := dial(t, serve(t, &rpc.Server{Handler: rpc.Inline(echo), Raw: true}), rpc.Dialer{Raw: true, MaxConns: 1})
	req := make([]byte, echoBody)
	for range 2000 {
		var all sync.WaitGroup
		all.Add(1)
		all.Go(func() {
			if got, err := cl.Call(context.Background(), nil, "", req); len(got) != echoBody || err != nil {
				t.Error(got, err)
			}
		})
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if got, err := cl.Call(ctx, nil, "", req); len(got) != echoBody || err != nil {
				t.Error(got, err)
			}
		})
		if err := cl.Notify(context.Background(), "", req); err != nil {
			t.Fatal(err)
		}
		if err := cl.Go(context.Background(), "", req, func(body []byte, err error) {
			if len(body) != echoBody || err != nil {
				t.Error(body, err)
			}
			all.Done()
		}); err != nil {
			t.Fatal(err)
		}
		within(t, "answers", all.Wait)
		if t.Failed() {
			return
		}
	}
}

// TestLeadersRequestMayBeSentByOthers: another caller's write takes the leader's request along before the leader waits.
func TestLeadersRequestMayBeSentByOthers(t *testing.T) {
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
