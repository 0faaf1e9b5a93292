package measure

import (
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the processor time this process has taken, of all its threads.
func CPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// Loop times f, which does its work n times, for about d. times is kept from one
// call to the next, so that it is found once; it begins with 0. The value is processor
// time of the whole process an iteration: on an idle machine the same as time on
// the clock, on a busy one without what the others took. The collector runs on
// the one processor that Loop leaves to the program, so its work is in it.
func Loop(d time.Duration, times *int, f func(n int) error) (Sample, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var err error
	if *times == 0 {
		if *times, err = calibrate(d, f); err != nil {
			return Sample{}, err
		}
	} else if err = f(max(1, *times/20)); err != nil { // warm up
		return Sample{}, err
	}
	n := *times
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	t0, c0 := time.Now(), CPU()
	err = f(n)
	c, t := CPU()-c0, time.Since(t0)
	runtime.ReadMemStats(&m1)
	if err != nil {
		return Sample{}, err
	}
	per := func(v uint64) float64 { return float64(v) / float64(n) }
	return Sample{Value: float64(c) / float64(n), Extra: map[string]float64{
		"wall":   float64(t) / float64(n),
		"B/op":   per(m1.TotalAlloc - m0.TotalAlloc),
		"allocs": per(m1.Mallocs - m0.Mallocs),
	}}, nil
}

// calibrate finds how often f can do its work in d, and warms it up.
func calibrate(d time.Duration, f func(n int) error) (int, error) {
	n := 1
	for {
		c0 := CPU()
		if err := f(n); err != nil {
			return 0, err
		}
		took := CPU() - c0
		if took >= d/8 {
			return max(1, int(float64(n)*float64(d)/float64(took))), nil
		}
		if took <= 0 {
			took = 1
		}
		n = min(n*100, max(n+1, int(float64(n)*float64(d/6)/float64(took))))
	}
}

// Parallel times the functions side by side for about d and returns how many
// iterations a second they did together, by the clock. Each does n iterations a
// call.
func Parallel(d time.Duration, n int, fs []func(n int) error) (Sample, error) {
	var wg sync.WaitGroup
	counts := make([]int, len(fs))
	errs := make([]error, len(fs))
	runtime.GC()
	start := time.Now()
	for i, f := range fs {
		wg.Go(func() {
			for time.Since(start) < d && errs[i] == nil {
				errs[i] = f(n)
				counts[i] += n
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	total := 0
	for i := range fs {
		if errs[i] != nil {
			return Sample{}, errs[i]
		}
		total += counts[i]
	}
	return Sample{Value: float64(total) / took.Seconds(), Extra: map[string]float64{}}, nil
}
