package report

import (
	"slices"
	"sort"
	"strings"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// Stage is one row, model and direction.
type Stage struct {
	Row, Model, Op string
	Share          float64 // of the floor
}

// Slowest returns the two stages of generated code that are furthest from their
// floor, and the one of reflection.
func Slowest(rs []measure.Result) []Stage {
	var gen, refl []Stage
	for i := range rs {
		r := &rs[i]
		if r.Suite != "models" || len(r.Shares()) == 0 {
			continue
		}
		row := ser.ByName(r.Row)
		if row == nil || !row.Ours || strings.HasPrefix(r.Row, "spanwire any") || row.Group == ser.Stream {
			continue
		}
		model, op, _ := strings.Cut(r.Block, "/")
		s := Stage{r.Row, model, op, measure.Median(r.Shares())}
		if row.Group == ser.Generated {
			gen = append(gen, s)
		} else {
			refl = append(refl, s)
		}
	}
	for _, l := range [][]Stage{gen, refl} {
		sort.Slice(l, func(i, j int) bool { return l[i].Share > l[j].Share })
	}
	return slices.Concat(gen[:min(2, len(gen))], refl[:min(1, len(refl))])
}
