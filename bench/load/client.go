package load

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spanwire/spanwire/bench/measure"
)

// atomicCount fills a cache line, so that connections do not share one.
type atomicCount struct {
	atomic.Uint64
	_ [56]byte
}

type state struct {
	stop, rec atomic.Bool
	err       atomic.Pointer[error]
}

func (s *state) fail(err error) {
	if err != nil && !s.stop.Load() {
		s.err.CompareAndSwap(nil, &err)
	}
}

// Drive loads the server at addr. cpu returns the processor time of both ends;
// server that of the server's alone.
func Drive(p *Peer, sp Spec, addr string, cpu, server func() time.Duration) (Out, error) {
	var st state
	conns := make([]any, sp.Conns)
	defer func() {
		for _, c := range conns {
			if c, ok := c.(interface{ Close() error }); ok {
				go c.Close() // may wait for what is in flight
			}
		}
	}()
	for i := range conns {
		var err error
		if conns[i], err = p.Dial(dialer(sp.Network, addr), addr); err != nil {
			return Out{}, fmt.Errorf("connection %d: %w", i, err)
		}
	}
	slots := make([]*Slot, sp.Conns)
	var wg sync.WaitGroup
	var pace *pacer
	if sp.Rate > 0 {
		pace = newPacer(sp)
	}
	for i, c := range conns {
		s := &Slot{run: &st}
		slots[i] = s
		switch c := c.(type) {
		case Runner:
			wg.Go(func() { st.fail(c.Run(sp, s)) })
		case Async:
			wg.Go(func() { st.fail(flights(c, sp, s)) })
		case Caller:
			for k := range sp.Window {
				if pace != nil {
					wg.Go(func() { st.fail(planned(c, sp, s, pace.chans[i], k)) })
				} else {
					wg.Go(func() { st.fail(calls(c, sp, s, k)) })
				}
			}
		default:
			return Out{}, fmt.Errorf("a connection of type %T", c)
		}
	}
	if pace != nil {
		go pace.run(&st)
	}
	time.Sleep(sp.For / 4)
	out := observe(&st, slots, sp, cpu, server)
	if pace != nil {
		pace.stop()
		out.Behind = max(0, 1-out.Rate/sp.Rate)
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Second): // calls that are never answered
	}
	if err := st.err.Load(); err != nil {
		return out, *err
	}
	if out.Rate == 0 {
		return out, errors.New("no call was answered")
	}
	return out, nil
}

// observe measures for a while and stops the loops.
func observe(st *state, slots []*Slot, sp Spec, cpu, server func() time.Duration) Out {
	sum := func() (n uint64) {
		for _, s := range slots {
			n += s.N.Load()
		}
		return n
	}
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	st.rec.Store(true)
	c0, s0, n0, t0 := cpu(), server(), sum(), time.Now()
	time.Sleep(sp.For)
	c1, s1, n1, t1 := cpu(), server(), sum(), time.Now()
	runtime.ReadMemStats(&m1)
	out := Out{Goroutines: runtime.NumGoroutine()}
	st.stop.Store(true)
	n := float64(n1 - n0)
	out.Rate = n / t1.Sub(t0).Seconds()
	if n > 0 {
		out.CPU = float64(c1-c0) / 1e3 / n
		out.ServerCPU = float64(s1-s0) / 1e3 / n
		out.Allocs = float64(m1.Mallocs-m0.Mallocs) / n
	}
	hs := make([]*Hist, len(slots))
	for i, s := range slots {
		hs[i] = &s.Hist
	}
	q := quantiles(hs, .5, .99, .999)
	out.P50, out.P99, out.P999 = q[0], q[1], q[2]
	return out
}

// request makes the k-th caller's request of a connection. The size is that of
// the message in the codec of this project, whose header takes 4 bytes.
func request(sp Spec, k int) []byte {
	req := make([]byte, max(4, sp.Size-4))
	for i := range req {
		req[i] = byte(i + k)
	}
	return req
}

func same(req, resp []byte) error {
	if len(req) != len(resp) || !bytes.Equal(req[:4], resp[:4]) || req[len(req)-1] != resp[len(resp)-1] {
		return fmt.Errorf("another echo: %d bytes for %d", len(resp), len(req))
	}
	return nil
}

// calls is one caller of a closed loop. Every eighth latency is kept.
func calls(c Caller, sp Spec, s *Slot, k int) error {
	req := request(sp, k)
	var resp []byte
	for it := 0; !s.Stopped(); it++ {
		var t0 time.Time
		if it&7 == 0 && s.Recording() {
			t0 = time.Now()
		}
		req[0] = byte(it)
		var err error
		if resp, err = c.Call(resp[:0], req); err != nil {
			return err
		}
		if err := same(req, resp); err != nil {
			return err
		}
		if !t0.IsZero() {
			s.Hist.Add(time.Since(t0), 1)
		}
		s.N.Add(1)
	}
	return nil
}

// flights keeps the window full with callbacks.
func flights(c Async, sp Spec, s *Slot) error {
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	for k := range sp.Window {
		wg.Add(1)
		f := &flight{req: request(sp, k), s: s, wg: &wg, failed: &failed}
		f.f = c.Flight(f.done)
		if err := f.f.Go(f.req); err != nil {
			return err
		}
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

type flight struct {
	f      Flight
	req    []byte
	s      *Slot
	wg     *sync.WaitGroup
	failed *atomic.Pointer[error]
	n      int
	t0     time.Time
}

func (f *flight) done(resp []byte, err error) {
	if err == nil {
		err = same(f.req, resp)
	}
	if err != nil || f.s.Stopped() {
		if err != nil {
			f.failed.CompareAndSwap(nil, &err)
		}
		f.wg.Done()
		return
	}
	if !f.t0.IsZero() {
		f.s.Hist.Add(time.Since(f.t0), 1)
		f.t0 = time.Time{}
	}
	f.s.N.Add(1)
	if f.n++; f.n&7 == 0 && f.s.Recording() {
		f.t0 = time.Now()
	}
	if err := f.f.Go(f.req); err != nil {
		f.failed.CompareAndSwap(nil, &err)
		f.wg.Done()
	}
}

// CPUOf returns the processor time of this process.
func CPUOf() time.Duration { return measure.CPU() }
