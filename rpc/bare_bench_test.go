package rpc

import (
	"context"
	"net"
	"testing"

	"github.com/spanwire/spanwire/rpc/frame"
	"github.com/spanwire/spanwire/rpc/internal/clock"
)

const (
	benchWindow = 255
	benchBody   = 28
	benchFrame  = benchBody + 4
)

// BenchmarkBareClient is what this package itself takes for a call with a callback and its answer, in a window: there is no socket,
// the requests that were queued are turned into their answers.
func BenchmarkBareClient(b *testing.B) {
	here, there := net.Pipe()
	defer there.Close()
	defer here.Close()
	cl := Dialer{Raw: true}.client("", "")
	c := newConn(&cl.cfg, here)
	defer cl.cfg.clock.Leave(&c.alarm)
	cl.first.Store(c)
	c.calls.tab = new(table)
	c.write.flushing, c.later = true, true // nothing is written, and the clock not set
	n, req := 0, make([]byte, benchBody)
	var fn func([]byte, error)
	fn = func([]byte, error) {
		n++
		if err := cl.Go(context.Background(), "", req, fn); err != nil {
			b.Error(err)
		}
	}
	for range benchWindow {
		fn(nil, nil)
	}
	in := frame.NewReader(frame.Standard{})
	if err := in.SetStart(benchWindow * benchFrame); err != nil {
		b.Fatal(err)
	}
	c.read.batch = &batch{in: in}
	b.ReportAllocs()
	n = 0
	b.ResetTimer()
	for n < b.N {
		w := c.write.buf.b
		in.Wrote(copy(in.Space(), w))
		for p := in.Pending(); len(p) > 0; p = p[benchFrame:] {
			p[0] |= byte(frame.Response)
		}
		c.write.buf.b = w[:0]
		c.answerBare(c.read.batch)
	}
}

// BenchmarkBareServer is the same of a request that an inline handler echoes.
func BenchmarkBareServer(b *testing.B) {
	here, there := net.Pipe()
	defer there.Close()
	defer here.Close()
	m := newMethod("", Inline(HandlerFunc(func(_ context.Context, dst []byte, r *Request) ([]byte, error) {
		return append(dst, r.Body...), nil
	})))
	g := &config{server: true, only: m, router: single{m}, clock: &clock.Process, lim: Limits{}.withDefaults()}
	g.setCodec(nil, true, false)
	g.setBare()
	c := newConn(g, here)
	defer g.clock.Leave(&c.alarm)
	in := frame.NewReader(frame.Standard{})
	if err := in.SetStart(benchWindow * benchFrame); err != nil {
		b.Fatal(err)
	}
	c.read.batch = &batch{in: in}
	requests := make([]byte, benchWindow*benchFrame)
	for i := range benchWindow {
		copy(requests[i*benchFrame:], []byte{0, byte(i), benchBody, 0})
	}
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += benchWindow {
		in.Wrote(copy(in.Space(), requests))
		c.serveBare(c.read.batch, m)
		if o := c.read.batch.buffer(); len(o.b) != len(requests) {
			b.Fatal(len(o.b))
		} else {
			o.b = o.b[:0]
		}
	}
}
