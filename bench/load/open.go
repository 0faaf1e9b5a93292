package load

import (
	"sync"
	"time"
)

// pacer plans the calls of an open loop: an equal share of the rate for each
// connection, evenly spaced. A call that cannot begin in time waits in the
// channel, and its latency counts from its planned time.
type pacer struct {
	chans []chan time.Time
	every time.Duration // of one connection
	done  chan struct{}
	once  sync.Once
}

func newPacer(sp Spec) *pacer {
	p := &pacer{every: time.Duration(float64(time.Second) * float64(sp.Conns) / sp.Rate), done: make(chan struct{})}
	for range sp.Conns {
		p.chans = append(p.chans, make(chan time.Time, 1<<16))
	}
	return p
}

func (p *pacer) stop() { p.once.Do(func() { close(p.done) }) }

func (p *pacer) run(st *state) {
	start := time.Now()
	next := make([]time.Duration, len(p.chans))
	for i := range next { // connections are out of step
		next[i] = p.every * time.Duration(i) / time.Duration(len(next))
	}
	for !st.stop.Load() {
		now := time.Since(start)
		soon := now + time.Millisecond
		for i, c := range p.chans {
			for next[i] <= now {
				select {
				case c <- start.Add(next[i]):
				default: // far behind: the share that is missing tells
				}
				next[i] += p.every
			}
			soon = min(soon, next[i])
		}
		if d := soon - time.Since(start); d > 0 {
			time.Sleep(d)
		}
	}
	<-p.done
	for _, c := range p.chans {
		close(c)
	}
}

// planned is one caller of an open loop.
func planned(c Caller, sp Spec, s *Slot, due <-chan time.Time, k int) error {
	req := request(sp, k)
	var resp []byte
	for at := range due {
		if s.Stopped() {
			return nil
		}
		var err error
		if resp, err = c.Call(resp[:0], req); err != nil {
			return err
		}
		if s.Recording() {
			s.Hist.Add(time.Since(at), 1)
		}
		s.N.Add(1)
	}
	return nil
}
