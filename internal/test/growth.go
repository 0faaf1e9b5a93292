package test

import (
	"math"
	"time"
)

// Growth gives how many times as long large takes as small: the best of five
// turns each, so that whatever else the machine does hardly counts.
func Growth(small, large func()) float64 {
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for range 5 {
		for i, f := range []func(){small, large} {
			start := time.Now()
			f()
			best[i] = min(best[i], time.Since(start))
		}
	}
	return float64(best[1]) / float64(max(best[0], 1))
}
