package frame

import "time"

// Progress is how far a stream is: see Reader.Progress.
type Progress struct {
	Start   int64 // place in the stream of the unfinished frame
	Pending int   // bytes of it that are there
}

// Watch tells when an unfinished frame has expired: after Silence without a byte, or when, Grace after its beginning, it has
// come slower than Rate on average. Between frames nothing expires. The zero value has the defaults.
//
// Check is called from a clock tick; times are therefore known to one tick, and always late, never early. A Watch belongs to
// one goroutine at a time.
type Watch struct {
	Silence time.Duration // 0 is 5 s; negative never
	Grace   time.Duration // 0 is 30 s; negative never
	Rate    int           // bytes a second; 0 is 1,024

	last    Progress
	moved   time.Time // the tick that first saw last
	began   time.Time // the tick that first saw this frame
	waiting bool
}

const (
	defaultSilence = 5 * time.Second
	defaultGrace   = 30 * time.Second
	defaultRate    = 1 << 10
)

// Check compares p with the tick before. It returns ErrSilent, ErrSlow or nil.
func (w *Watch) Check(now time.Time, p Progress) error {
	if p.Pending == 0 {
		w.waiting = false
		w.last = p
		return nil
	}
	if !w.waiting || p.Start != w.last.Start {
		w.waiting = true
		w.began, w.moved, w.last = now, now, p
		return nil
	}
	if p != w.last {
		w.moved, w.last = now, p
	}
	if d := or(w.Silence, defaultSilence); d >= 0 && now.Sub(w.moved) >= d {
		return ErrSilent
	}
	rate := w.Rate
	if rate == 0 {
		rate = defaultRate
	}
	age := now.Sub(w.began)
	if d := or(w.Grace, defaultGrace); d >= 0 && age >= d && float64(p.Pending) < age.Seconds()*float64(rate) {
		return ErrSlow
	}
	return nil
}

func or(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}
