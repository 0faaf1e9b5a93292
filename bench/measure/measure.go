// Package measure runs cells in turn, repeats them, and keeps what came out.
//
// The method: the cells of a block (one model and direction, or one load) are run
// one after another, the whole round is repeated, and each value is compared with
// the floor's value of the same round. What slows the machine down for a while
// therefore slows a row and its floor alike.
package measure

import (
	"slices"
	"sort"
)

// Sample is what one run of one cell gave: the value, and figures beside it.
type Sample struct {
	Value float64
	Extra map[string]float64
}

// Cell is one row of a block.
type Cell struct {
	Row   string
	Floor string // row that this one is compared with; "" for none
	Run   func() (Sample, error)
}

// Result is what all runs of one cell gave.
type Result struct {
	Suite, Block, Row string
	Unit              string
	More              bool      `json:",omitempty"` // more is better
	Runs              []float64 `json:",omitempty"` // one a round
	Floor             string    `json:",omitempty"`
	FloorRuns         []float64 `json:",omitempty"` // of the same rounds
	Discarded         []float64 `json:",omitempty"` // of noisy rounds that were run again
	Extra             map[string]float64
	Unstable          bool   `json:",omitempty"`
	Err               string `json:",omitempty"`
}

// Options say how much is run.
type Options struct {
	Rounds int     // of each block
	Reruns int     // of a noisy cell
	Noise  float64 // a cell is noisy when the middle half of its runs spreads over more than this share
	Scale  float64 // of the time each cell is given: 1 in a full run
}

// Run runs the cells of a block in rounds.
func Run(suite, block, unit string, more bool, cells []Cell, o Options) []Result {
	res := make([]Result, len(cells))
	index := map[string]int{}
	for i, c := range cells {
		res[i] = Result{Suite: suite, Block: block, Row: c.Row, Unit: unit, More: more, Floor: c.Floor, Extra: map[string]float64{}}
		index[c.Row] = i
	}
	all := make([]int, len(cells))
	for i := range all {
		all[i] = i
	}
	rounds(cells, res, all, o.Rounds)
	pair(res, index)
	for try := 0; try < o.Reruns; try++ {
		again := map[int]bool{}
		for i := range res {
			if res[i].Err == "" && noisy(&res[i], o.Noise) {
				again[i] = true
				if f, ok := index[res[i].Floor]; ok {
					again[f] = true
				}
			}
		}
		if len(again) == 0 {
			break
		}
		var some []int
		for i := range all {
			if again[i] {
				some = append(some, i)
			}
		}
		fresh := make([]Result, len(res))
		copy(fresh, res)
		for _, i := range some {
			fresh[i].Runs, fresh[i].Extra = nil, map[string]float64{}
		}
		rounds(cells, fresh, some, o.Rounds)
		pair(fresh, index)
		for _, i := range some {
			if spread(&fresh[i]) <= spread(&res[i]) {
				fresh[i].Discarded = append(slices.Clone(res[i].Discarded), res[i].Runs...)
				res[i] = fresh[i]
			} else {
				res[i].Discarded = append(res[i].Discarded, fresh[i].Runs...)
			}
		}
	}
	for i := range res {
		res[i].Unstable = res[i].Err == "" && noisy(&res[i], o.Noise)
	}
	return res
}

// rounds runs the cells that are chosen, each round beginning at another one.
func rounds(cells []Cell, res []Result, chosen []int, n int) {
	extras := map[int]map[string][]float64{}
	for round := range n {
		for k := range chosen {
			i := chosen[(k+round)%len(chosen)]
			if res[i].Err != "" {
				continue
			}
			s, err := cells[i].Run()
			for try := 0; err != nil && try < 2; try++ { // a port that is taken, a start that took too long
				s, err = cells[i].Run()
			}
			if err != nil {
				res[i].Err = err.Error()
				continue
			}
			res[i].Runs = append(res[i].Runs, s.Value)
			if extras[i] == nil {
				extras[i] = map[string][]float64{}
			}
			for name, v := range s.Extra {
				extras[i][name] = append(extras[i][name], v)
			}
		}
	}
	for i, e := range extras {
		for name, vs := range e {
			res[i].Extra[name] = Median(vs)
		}
	}
}

// pair hands each result the runs of its floor. Runs are in the order of the
// rounds, so a result and its floor have the same index in the same round.
func pair(res []Result, index map[string]int) {
	for i := range res {
		if f, ok := index[res[i].Floor]; ok && res[f].Err == "" {
			res[i].FloorRuns = slices.Clone(res[f].Runs)
		}
	}
}

// Shares are the runs as shares of the floor's, round by round.
func (r *Result) Shares() []float64 {
	var s []float64
	for i := range min(len(r.Runs), len(r.FloorRuns)) {
		if r.FloorRuns[i] > 0 {
			s = append(s, r.Runs[i]/r.FloorRuns[i])
		}
	}
	return s
}

// spread is the middle half of the runs as a share of their median; where there
// is a floor, of the shares, which is what is compared.
func spread(r *Result) float64 {
	v := r.Runs
	if s := r.Shares(); len(s) > 0 && r.Floor != r.Row {
		v = s
	}
	if len(v) == 0 {
		return 0
	}
	m := Median(v)
	if m == 0 {
		return 0
	}
	s := slices.Clone(v)
	sort.Float64s(s)
	return (s[len(s)*3/4] - s[len(s)/4]) / m
}

func noisy(r *Result, limit float64) bool { return spread(r) > limit }

// Median returns the median, 0 of nothing.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	sort.Float64s(s)
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

// Interval returns the narrowest interval of order statistics that holds the
// median with 95 % confidence; with fewer than six runs it is their range.
func Interval(v []float64) (lo, hi float64) {
	if len(v) == 0 {
		return 0, 0
	}
	s := slices.Clone(v)
	sort.Float64s(s)
	n := len(s)
	// P(median outside [s[k], s[n-1-k]]) = 2 * P(Binomial(n, 1/2) <= k)
	tail, choose, total := 0.0, 1.0, 1.0
	for range n {
		total *= 2
	}
	k := 0
	for i := 0; i < n/2; i++ {
		tail += choose / total
		if 2*tail > 0.05 {
			break
		}
		k = i
		choose = choose * float64(n-i) / float64(i+1)
	}
	return s[k], s[n-1-k]
}
