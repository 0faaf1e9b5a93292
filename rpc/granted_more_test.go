package rpc_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// TestTimeGrantedRetired: numbers that are promised to callers in line are not those that wait for late answers.
func TestTimeGrantedRetired(t *testing.T) {
	bubble(t, rpc.Dialer{Raw: true, MaxConns: 1}, func(t *testing.T, cl *rpc.Client, p *script) {
		var last atomic.Uint32
		go func() {
			for f, ok := p.next(); ok; f, ok = p.next() {
				last.Store(uint32(f.Seq))
			}
		}()
		var all sync.WaitGroup
		calls := func(ctx context.Context, n int) {
			for range n {
				all.Go(func() {
					if _, err := cl.Call(ctx, nil, "", []byte("x")); err != nil && !errors.Is(err, rpc.ErrTimeout) && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
		}
		ctx, cancel := context.WithCancel(context.Background())
		calls(ctx, 100)
		cancel()
		all.Wait()
		begin := time.Now()
		calls(context.Background(), 156)
		calls(context.Background(), 50)
		if calls, retired := cl.Pending(); calls != 156 || retired != 100 || cl.Waiting() != 50 {
			t.Error(calls, "calls,", retired, "retired,", cl.Waiting(), "in line")
		}
		p.nc.Write([]byte{byte(frame.Response), byte(last.Load()), 0, 0})
		synctest.Wait()
		if n := cl.Waiting(); n != 49 {
			t.Error(n, "in line behind one answer")
		}
		all.Wait()
		passes(t, begin, 15*time.Second) // for those in line as well
	})
}

// TestTimeInLine: the time in line counts, on this connection and on those that the call is moved to.
func TestTimeInLine(t *testing.T) {
	for name, o := range map[string]rpc.Dialer{
		"by number": {Raw: true, Limits: rpc.Limits{InFlight: 2}},
		"in order":  {Codec: frame.LengthField{Size: 2}, Limits: rpc.Limits{InFlight: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o.MaxConns = 1
				o.NetDial = func(context.Context, string, string) (net.Conn, error) {
					a, b := net.Pipe()
					go func() {
						defer b.Close()
						io.Copy(io.Discard, b)
					}()
					return a, nil
				}
				cl, err := o.Dial(context.Background(), "tcp", "a:1")
				if err != nil {
					t.Fatal(err)
				}
				var all sync.WaitGroup
				calls := func(n int) {
					for range n {
						all.Go(func() {
							begin := time.Now()
							if _, err := call(cl, "x"); !errors.Is(err, rpc.ErrTimeout) {
								t.Error(err)
							}
							passes(t, begin, 15*time.Second)
						})
					}
				}
				calls(2)
				time.Sleep(5 * time.Second)
				calls(6) // two of them have a turn after ten seconds in line
				all.Wait()
				cl.Close()
			})
		})
	}
}

// TestStreamCut: a stream whose handler leaves because its context has ended does not look complete.
func TestStreamCut(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	rpc.HandleStream(x, "S/Tick", func(ctx context.Context, _ string) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			if yield(1, nil) {
				<-ctx.Done()
			}
		}
	})
	s, cl := both(t, x, rpc.Dialer{})
	items := 0
	for _, err := range rpc.Stream[int](context.Background(), cl, "S/Tick", "") {
		switch {
		case err == nil:
			items++
			go s.Shutdown(context.Background())
		case !errors.Is(err, rpc.ErrServerClosing) || items != 1:
			t.Error(items, err)
		default:
			items = -1
		}
	}
	if items != -1 {
		t.Error("it looks complete")
	}
}

// TestHandlerContext: what ended a handler's context can be told from its failure.
func TestHandlerContext(t *testing.T) {
	for code, want := range map[int32]error{499: context.Canceled, 504: context.DeadlineExceeded} {
		if c := rpc.CodeOf(want); c != code {
			t.Error(want, c)
		}
		if err := error(rpc.NewError(code, "x")); !errors.Is(err, want) || errors.Is(err, rpc.ErrServerClosing) {
			t.Error(err)
		}
	}
	if err := error(rpc.NewError(500, "x")); errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestReplyNoPointer: a reply that is no pointer is named before anything is sent.
func TestReplyNoPointer(t *testing.T) {
	base(t)
	x := new(rpc.Mux)
	x.Handle("A/Echo", echo)
	s, cl := both(t, x, rpc.Dialer{})
	var reply struct{ A int }
	err := cl.Invoke(context.Background(), "A/Echo", 1, reply)
	var ce *rpc.CallError
	if !errors.As(err, &ce) || ce.Outcome != rpc.NotSent || ce.Action != "A/Echo" || !strings.Contains(err.Error(), "struct { A int }, not a pointer") {
		t.Error(err)
	}
	if n := s.Stats().Requests; n != 0 {
		t.Error(n, "requests")
	}
}
