package rpc_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
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
