package rpc_test

import (
	"context"
	"fmt"
	"iter"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/value"
)

const echoBody = 28 // bytes; 32 with the Standard header

var echoCodecs = []struct {
	name  string
	codec frame.Codec
}{{"standard", frame.Standard{}}, {"length", frame.LengthField{Size: 2}}}

// BenchmarkEcho is the matrix of echo over loopback TCP, client and server in one process: codec, where handlers run, how
// calls are made, connections (c) and calls under way on each (w). Measured is the steady state, as bench/rpcfloor does.
func BenchmarkEcho(b *testing.B) {
	for _, k := range echoCodecs {
		for _, inline := range []bool{true, false} {
			for _, callbacks := range []bool{false, true} {
				for _, c := range []int{1, 4, 16, 64, 256, 1024} {
					for _, w := range []int{1, 255} {
						name := fmt.Sprintf("%s/%s/%s/c=%d/w=%d", k.name, pick(inline, "inline", "goroutine"), pick(callbacks, "callbacks", "blocking"), c, w)
						b.Run(name, func(b *testing.B) { benchEcho(b, k.codec, inline, callbacks, c, w) })
					}
				}
			}
		}
	}
}

func pick(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

func benchEcho(b *testing.B, codec frame.Codec, inline, callbacks bool, c, w int) {
	if b.N == 1 { // a first try of package testing: what many callers leave of their memory would be in the way of the next
		c, w = 1, 1
	}
	var h rpc.Handler = echo
	if inline {
		h = rpc.Inline(echo)
	}
	addr := serve(b, &rpc.Server{Handler: h, Codec: codec, Raw: true})
	clients := make([]*rpc.Client, c)
	for i := range clients {
		clients[i] = dial(b, addr, rpc.Dialer{Codec: codec, Raw: true, MaxConns: 1})
	}
	var stop atomic.Bool
	counts := make([]count, c)
	var wg sync.WaitGroup
	for i, cl := range clients {
		for range w {
			wg.Add(1)
			if callbacks {
				callBack(b, cl, &counts[i].n, &stop, wg.Done)
			} else {
				go callBlocking(b, cl, &counts[i].n, &stop, wg.Done)
			}
		}
	}
	sum := func() (n uint64) {
		for i := range counts {
			n += counts[i].n.Load()
		}
		return n
	}
	wait := func(n uint64) { // until n messages more were answered; looking seldom, which would disturb
		d := 100 * time.Microsecond
		for end := sum() + n; sum() < end && !b.Failed(); d += d / 4 {
			time.Sleep(min(d, 50*time.Millisecond))
		}
	}
	wait(uint64(4*c*w + b.N/10)) // connections, pools and buffers get their sizes
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	u0, n0 := cpuTime(), sum()
	b.ResetTimer()
	wait(uint64(b.N))
	b.StopTimer()
	n, u1 := float64(sum()-n0), cpuTime()
	runtime.ReadMemStats(&m1)
	stop.Store(true)
	wg.Wait()
	b.ReportMetric(b.Elapsed().Seconds()*1e9/n, "ns/op")
	b.ReportMetric(n/b.Elapsed().Seconds(), "msg/s")
	b.ReportMetric(float64((u1-u0).Nanoseconds())/1e3/n, "cpu-us/msg")
	b.ReportMetric(float64(m1.Mallocs-m0.Mallocs)/n, "allocs/msg")
}

// count has a cache line of its own.
type count struct {
	n atomic.Uint64
	_ [56]byte
}

func callBlocking(b *testing.B, cl *rpc.Client, n *atomic.Uint64, stop *atomic.Bool, done func()) {
	defer done()
	req, dst := make([]byte, echoBody), make([]byte, 0, 64)
	for !stop.Load() {
		got, err := cl.Call(context.Background(), dst, "", req)
		if err != nil || len(got) != echoBody {
			b.Error(len(got), err)
			return
		}
		n.Add(1)
	}
}

func callBack(b *testing.B, cl *rpc.Client, n *atomic.Uint64, stop *atomic.Bool, done func()) {
	req := make([]byte, echoBody)
	var next func([]byte, error)
	next = func(body []byte, err error) {
		if err == nil {
			n.Add(1)
			if stop.Load() {
				done()
				return
			}
			err = cl.Go(context.Background(), "", req, next)
		}
		if err != nil {
			b.Error(err)
			done()
		}
	}
	next(nil, nil)
}

// metrics runs f, which handles n messages, and reports as BenchmarkEcho does.
func metrics(b *testing.B, n int, f func()) {
	b.Helper()
	u0 := cpuTime()
	b.ResetTimer()
	f()
	b.StopTimer()
	u1 := cpuTime()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "msg/s")
	b.ReportMetric(float64((u1-u0).Nanoseconds())/1e3/float64(n), "cpu-us/msg")
}

// counting makes an inline handler that counts, and a function that waits for a count.
func counting() (rpc.Handler, func(n int64)) {
	var seen, want atomic.Int64
	reached := make(chan struct{}, 1)
	h := rpc.Inline(rpc.HandlerFunc(func(context.Context, []byte, *rpc.Request) ([]byte, error) {
		if seen.Add(1) == want.Load() {
			reached <- struct{}{}
		}
		return nil, nil
	}))
	return h, func(n int64) {
		want.Store(n)
		if seen.Load() < n {
			<-reached
		}
	}
}

// BenchmarkNotify: one-way messages of 32 bytes on one connection.
func BenchmarkNotify(b *testing.B) {
	h, until := counting()
	cl := dial(b, serve(b, &rpc.Server{Handler: h, Raw: true}), raw)
	req := make([]byte, echoBody)
	metrics(b, b.N, func() {
		for range b.N {
			if err := cl.Notify(context.Background(), "", req); err != nil {
				b.Fatal(err)
			}
		}
		until(int64(b.N))
	})
}

// BenchmarkReceive: frames of 32 bytes as they come off one connection, written one by one and many at a time.
func BenchmarkReceive(b *testing.B) {
	for _, size := range []int{32, 8 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("write=%d", size), func(b *testing.B) {
			h, until := counting()
			nc, err := net.Dial("tcp", serve(b, &rpc.Server{Handler: h, Raw: true}))
			if err != nil {
				b.Fatal(err)
			}
			defer nc.Close()
			one, _ := frame.Standard{}.AppendFrame(nil, frame.Frame{Head: byte(frame.OneWay), Payload: make([]byte, echoBody)})
			var p []byte
			for len(p) < size {
				p = append(p, one...)
			}
			each := size / len(one)
			writes := (b.N + each - 1) / each
			metrics(b, writes*each, func() {
				for range writes {
					if _, err := nc.Write(p); err != nil {
						b.Fatal(err)
					}
				}
				until(int64(writes * each))
			})
		})
	}
}

// BenchmarkUnix is echo over a unix socket.
func BenchmarkUnix(b *testing.B) {
	l, err := rpc.Listen(context.Background(), "unix", filepath.Join(b.TempDir(), "s"))
	if err != nil {
		b.Fatal(err)
	}
	addr := serveOn(b, &rpc.Server{Handler: rpc.Inline(echo), Raw: true}, l)
	cl, err := raw.Dial(context.Background(), "unix", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer cl.Close()
	req, dst := make([]byte, echoBody), make([]byte, 0, 64)
	metrics(b, b.N, func() {
		for range b.N {
			if _, err := cl.Call(context.Background(), dst, "", req); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkInvoke is a typed call: JSON arguments, and span bodies.
func BenchmarkInvoke(b *testing.B) {
	x := new(rpc.Mux)
	addTest(x)
	rpc.Handle(x, "Test/Sum", func(_ context.Context, a *sumArg) (*sumReply, error) { return &sumReply{a.A + a.B}, nil })
	cl := dial(b, serve(b, &rpc.Server{Handler: x}), rpc.Dialer{})
	b.Run("json", func(b *testing.B) {
		type arg struct{ A, B int32 }
		var sum int32
		metrics(b, b.N, func() {
			for range b.N {
				if err := cl.Invoke(context.Background(), "Test/Add", arg{1, 2}, &sum); err != nil || sum != 3 {
					b.Fatal(sum, err)
				}
			}
		})
	})
	b.Run("span", func(b *testing.B) {
		arg, reply := &sumArg{1, 2}, new(sumReply)
		metrics(b, b.N, func() {
			for range b.N {
				if err := cl.Invoke(context.Background(), "Test/Sum", arg, reply); err != nil || reply.Sum != 3 {
					b.Fatal(reply, err)
				}
			}
		})
	})
}

// BenchmarkStream: items that one call is answered with.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			x := new(rpc.Mux)
			item := make(value.Packet, size)
			rpc.HandleStream(x, "S/Many", func(_ context.Context, n int) iter.Seq2[value.Packet, error] {
				return each(n, func(int) (value.Packet, error) { return item, nil })
			})
			cl := dial(b, serve(b, &rpc.Server{Handler: x}), rpc.Dialer{})
			b.SetBytes(int64(size))
			metrics(b, b.N, func() {
				n := 0
				for _, err := range rpc.Stream[value.Packet](context.Background(), cl, "S/Many", b.N) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != b.N {
					b.Fatal(n)
				}
			})
		})
	}
}
