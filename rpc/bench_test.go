package rpc_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spanwire/spanwire/rpc"
	"github.com/spanwire/spanwire/rpc/frame"
)

const echoBody = 28 // bytes; 32 with the Standard header

var echoCodecs = []struct {
	name  string
	codec frame.Codec
}{{"standard", frame.Standard{}}, {"length", frame.LengthField{Size: 2}}}

// BenchmarkEcho is the matrix of echo over loopback TCP, client and server in one process: codec, where handlers run, how
// calls are made, connections (c) and calls under way on each (w).
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
	var h rpc.Handler = echo
	if inline {
		h = rpc.Inline(echo)
	}
	addr := serve(b, &rpc.Server{Handler: h, Codec: codec, Raw: true})
	clients := make([]*rpc.Client, c)
	for i := range clients {
		clients[i] = dial(b, addr, &rpc.Options{Codec: codec, Raw: true, MaxConns: 1})
	}
	run := func(n int) {
		var wg sync.WaitGroup
		for _, cl := range clients {
			left := new(atomic.Int64)
			left.Store(int64((n + c - 1) / c))
			for range w {
				wg.Add(1)
				if callbacks {
					callBack(b, cl, left, wg.Done)
				} else {
					go callBlocking(b, cl, left, wg.Done)
				}
			}
		}
		wg.Wait()
	}
	run(min(max(b.N/10, c*w), 4*c*w)) // connections, pools and buffers get their sizes
	n := (b.N + c - 1) / c * c
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	u0 := cpuTime()
	b.ResetTimer()
	run(n)
	b.StopTimer()
	u1 := cpuTime()
	runtime.ReadMemStats(&m1)
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "msg/s")
	b.ReportMetric(float64((u1-u0).Nanoseconds())/1e3/float64(n), "cpu-us/msg")
	b.ReportMetric(float64(m1.Mallocs-m0.Mallocs)/float64(n), "allocs/msg")
}

func callBlocking(b *testing.B, cl *rpc.Client, left *atomic.Int64, done func()) {
	defer done()
	req, dst := make([]byte, echoBody), make([]byte, 0, 64)
	for left.Add(-1) >= 0 {
		got, err := cl.Call(context.Background(), dst, "", req)
		if err != nil || len(got) != echoBody {
			b.Error(len(got), err)
			return
		}
	}
}

func callBack(b *testing.B, cl *rpc.Client, left *atomic.Int64, done func()) {
	req := make([]byte, echoBody)
	var next func([]byte, error)
	next = func(body []byte, err error) {
		switch {
		case err != nil:
			b.Error(err)
			done()
		case left.Add(-1) < 0:
			done()
		default:
			if err := cl.Go(context.Background(), "", req, next); err != nil {
				b.Error(err)
				done()
			}
		}
	}
	next(nil, nil)
}
