package load

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const sub = 16 // parts of each power of two

// Hist counts latencies on a scale of 16 parts to a power of two.
type Hist struct{ b [48 * sub]atomic.Uint32 }

func index(ns int64) int {
	if ns < sub {
		return int(max(ns, 0))
	}
	p := bits.Len64(uint64(ns)) - 1
	return min((p-3)*sub+int(uint64(ns)>>(p-4)&(sub-1)), 48*sub-1)
}

func middle(i int) float64 {
	if i < sub {
		return float64(i)
	}
	p := i/sub + 3
	return float64(uint64(1)<<p) + (float64(i%sub)+0.5)*float64(uint64(1)<<(p-4))
}

// Add counts n latencies.
func (h *Hist) Add(d time.Duration, n int) { h.b[index(int64(d))].Add(uint32(n)) }

// quantiles returns the latencies in microseconds below which the shares of all
// that the hists hold lie.
func quantiles(hs []*Hist, shares ...float64) []float64 {
	var sum [48 * sub]uint64
	total := uint64(0)
	for _, h := range hs {
		for i := range h.b {
			n := uint64(h.b[i].Load())
			sum[i] += n
			total += n
		}
	}
	out := make([]float64, len(shares))
	for k, share := range shares {
		acc := uint64(0)
		for i, n := range sum {
			if acc += n; total > 0 && float64(acc) >= share*float64(total) {
				out[k] = middle(i) / 1e3
				break
			}
		}
	}
	return out
}
