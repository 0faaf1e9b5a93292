package suite

import (
	"math/rand"
	"time"

	"github.com/spanwire/spanwire/bench/floor/model"
	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// goser compares in the manner of alecthomas/go_serialization_benchmarks: its
// record, its interface (any value in, a slice out, and back), one of a thousand
// records at random, and a destination that is cleared before each read.
func goser(c Config) []measure.Block {
	d := c.scaled(cellTime)
	entries := ser.GoserEntries()
	var bs []measure.Block
	for _, op := range Ops {
		bs = append(bs, block("goser", op, "ns", false, time.Duration(len(entries)*6)*d*5/4, func() ([]measure.Cell, error) {
			var cells []measure.Cell
			for _, e := range entries {
				cell, err := goserCell(e, op, d)
				if err != nil {
					return nil, err
				}
				cells = append(cells, cell)
			}
			return cells, nil
		}))
	}
	return bs
}

func goserCell(e ser.GoserEntry, op string, d time.Duration) (measure.Cell, error) {
	s := e.New()
	data := model.Smalls()[:1000]
	in := make([][]byte, len(data))
	size := 0
	for i, v := range data {
		b, err := s.Marshal(v)
		if err != nil {
			return measure.Cell{}, err
		}
		in[i] = append([]byte(nil), b...)
		size += len(b)
	}
	rnd := rand.New(rand.NewSource(1))
	out := new(model.Small)
	f := func(n int) error {
		for range n {
			if _, err := s.Marshal(data[rnd.Intn(len(data))]); err != nil {
				return err
			}
		}
		return nil
	}
	if op == "unmarshal" {
		f = func(n int) error {
			for range n {
				*out = model.Small{}
				if err := s.Unmarshal(in[rnd.Intn(len(in))], out); err != nil {
					return err
				}
			}
			return nil
		}
	}
	n := 0
	return measure.Cell{Row: e.Name, Floor: "floor", Run: func() (measure.Sample, error) {
		r, err := measure.Loop(d, &n, f)
		if err == nil {
			r.Extra["bytes"] = float64(size) / float64(len(in))
		}
		return r, err
	}}, nil
}
