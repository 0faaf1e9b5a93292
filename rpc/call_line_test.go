package rpc_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

// A call that was promised a number when the connection ended in the same moment fails like the others.
func TestPromisedCallFailsWithItsConnection(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			a, b := net.Pipe()
			codec := frame.LengthField{Size: 2}
			cl := rpc.Dialer{Codec: codec, MaxConns: 1, Limits: rpc.Limits{InFlight: 1}}.NewClient(a)
			results := make(chan error, 8)
			for range 8 {
				go func() { _, err := call(cl, "x"); results <- err }()
			}
			synctest.Wait()
			p := &script{t, b, frame.NewReader(codec)}
			p.next()
			one, _ := codec.AppendFrame(nil, frame.Frame{Payload: []byte("x")})
			b.Write(append(one, one...)) // the second answer is one that nobody waits for
			answered := 0
			for range 8 {
				var ce *rpc.ConnError
				switch err := <-results; {
				case err == nil:
					answered++
				case !errors.As(err, &ce) || !errors.Is(err, rpc.ErrUnexpected):
					t.Error(err)
				}
			}
			if answered != 1 {
				t.Error(answered, "answered")
			}
			cl.Close()
			b.Close()
		})
	}
}

// TestTimePromisedNumbersAreNotRetiredOnes: numbers that are promised to callers in line are not those that wait for late answers.
func TestTimePromisedNumbersAreNotRetiredOnes(t *testing.T) {
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

// TestTimeInLineCounts: the time in line counts, on this connection and on those that the call is moved to.
func TestTimeInLineCounts(t *testing.T) {
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
