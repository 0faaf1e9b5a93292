package measure

import (
	"errors"
	"io"
	"testing"
	"time"
)

func TestMedianAndInterval(t *testing.T) {
	if m := Median([]float64{3, 1, 2}); m != 2 {
		t.Errorf("median of 1, 2, 3 is %v", m)
	}
	if m := Median([]float64{4, 1, 2, 3}); m != 2.5 {
		t.Errorf("median of 1..4 is %v", m)
	}
	six := []float64{6, 5, 4, 3, 2, 1}
	if lo, hi := Interval(six); lo != 1 || hi != 6 { // 2/64 outside: 96.9 %
		t.Errorf("interval of six is %v to %v", lo, hi)
	}
	var twelve []float64
	for i := range 12 {
		twelve = append(twelve, float64(i))
	}
	if lo, hi := Interval(twelve); lo != 2 || hi != 9 { // 2*(1+12+66)/4096: 96.1 %
		t.Errorf("interval of twelve is %v to %v", lo, hi)
	}
}

func TestRunPairsWithFloor(t *testing.T) {
	n := 0.0
	cells := []Cell{
		{Row: "floor", Floor: "floor", Run: func() (Sample, error) { n++; return Sample{Value: n}, nil }},
		{Row: "twice", Floor: "floor", Run: func() (Sample, error) { return Sample{Value: 2 * n}, nil }},
		{Row: "broken", Floor: "floor", Run: func() (Sample, error) { return Sample{}, errors.New("no") }},
	}
	// Rounds begin at another cell each, so only the first is in this order.
	res := Run("s", "b", "ns", false, cells, Options{Rounds: 1})
	if s := res[1].Shares(); len(s) != 1 || s[0] != 2 {
		t.Errorf("shares %v", s)
	}
	if res[2].Err != "no" {
		t.Errorf("error %q", res[2].Err)
	}
}

func TestRerunsAreKept(t *testing.T) {
	vs, i := []float64{1, 9, 1, 9, 1, 9, 5, 5, 5, 5, 5, 5}, 0
	c := Cell{Row: "r", Run: func() (Sample, error) { i++; return Sample{Value: vs[i-1]}, nil }}
	res := Run("s", "b", "ns", false, []Cell{c}, Options{Rounds: 6, Reruns: 3, Noise: 0.1})[0]
	if res.Unstable || len(res.Runs) != 6 || len(res.Discarded) != 6 || Median(res.Runs) != 5 {
		t.Errorf("%+v", res)
	}
	k := 0.0
	c.Run = func() (Sample, error) { k++; return Sample{Value: 1 + float64(int(k)%2)*8}, nil }
	res = Run("s", "b", "ns", false, []Cell{c}, Options{Rounds: 6, Reruns: 3, Noise: 0.1})[0]
	if !res.Unstable || len(res.Runs)+len(res.Discarded) != 24 {
		t.Errorf("%+v", res)
	}
}

func TestRunnerResumes(t *testing.T) {
	ran := 0
	blocks := []Block{{Suite: "s", Name: "b", Run: func(Options) ([]Result, error) {
		ran++
		return []Result{{Row: "r", Runs: []float64{1}}}, nil
	}}}
	r := Runner{Dir: t.TempDir(), Out: io.Discard, Options: Options{Rounds: 1}}
	for range 2 {
		if res, err := r.Do(blocks); err != nil || len(res) != 1 || res[0].Row != "r" {
			t.Fatal(res, err)
		}
	}
	if ran != 1 {
		t.Errorf("ran %d times", ran)
	}
	r.Rounds = 2
	if _, err := r.Do(blocks); err != nil || ran != 2 {
		t.Errorf("other options: ran %d times, %v", ran, err)
	}
}

func TestLoop(t *testing.T) {
	times := 0
	s, err := Loop(time.Millisecond, &times, func(n int) error {
		x := 0.0
		for i := range n * 1000 {
			x += float64(i) * x
		}
		sink = x
		return nil
	})
	if err != nil || s.Value <= 0 || s.Extra["allocs"] > 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

var sink float64
