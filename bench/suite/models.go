package suite

import (
	"fmt"
	"slices"
	"time"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// Ops are the directions.
var Ops = []string{"marshal", "unmarshal"}

const cellTime = 50 * time.Millisecond

// models compares all rows on all models.
func models(c Config) []measure.Block {
	var bs []measure.Block
	for _, m := range ser.Models {
		for _, op := range Ops {
			bs = append(bs, serBlock("models", m, op, ser.Rows(), c))
		}
	}
	return bs
}

// serBlock compares rows on one model in one direction.
func serBlock(suite, model, op string, rows []*ser.Row, c Config) measure.Block {
	d := c.scaled(cellTime)
	return block(suite, model+"/"+op, "ns", false, time.Duration(len(rows)*6)*d*5/4, func() ([]measure.Cell, error) {
		var cells []measure.Cell
		for _, r := range rows {
			if op == "marshal" && r.Encoder != "" {
				continue // another row has the same encoder
			}
			cell, err := serCell(r, model, op, d)
			if err != nil {
				return nil, err
			}
			if cell.Run != nil {
				cells = append(cells, cell)
			}
		}
		return cells, nil
	})
}

func serCell(r *ser.Row, model, op string, d time.Duration) (measure.Cell, error) {
	codec, err := r.Codec(model)
	if err != nil || codec == nil {
		return measure.Cell{}, err
	}
	w, err := codec.Worker()
	if err != nil {
		return measure.Cell{}, fmt.Errorf("%s %s: %w", r.Name, model, err)
	}
	f, floor := w.Unmarshal, ser.FloorOf(r)
	if op == "marshal" {
		f, floor = w.Marshal, "floor alias"
	}
	n := 0
	return measure.Cell{Row: r.Name, Floor: floor, Run: func() (measure.Sample, error) {
		s, err := measure.Loop(d, &n, f)
		if err == nil {
			s.Extra["bytes"] = w.Size()
		}
		return s, err
	}}, nil
}

// some are the rows of growth curves and goroutines.
var some = []string{
	"floor alias", "floor copy", "spanwire alias", "spanwire copy", "spanwire reflection copy", "benc unsafe", "benc std", "bebop",
	"mus unsafe", "mus safe", "msgp tuple", "vtprotobuf", "gogofaster", "protobuf-go", "flatbuffers", "cbor toarray", "sonic", "encoding/json",
}

func someRows() []*ser.Row {
	var rows []*ser.Row
	for _, r := range ser.Rows() {
		if slices.Contains(some, r.Name) {
			rows = append(rows, r)
		}
	}
	return rows
}

// GrowthSizes are the numbers of elements of growth curves.
func GrowthSizes(c Config) []int {
	if c.Quick {
		return []int{1, 1000}
	}
	return []int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}
}

// growth compares some rows on batches of growing size.
func growth(c Config) []measure.Block {
	var bs []measure.Block
	for _, n := range GrowthSizes(c) {
		for _, op := range Ops {
			b := serBlock("growth", fmt.Sprintf("Batch%d", n), op, someRows(), c)
			if n > 100_000 { // one encoding may take longer than a cell is given
				b.Cost *= 3
				run := b.Run
				b.Run = func(o measure.Options) ([]measure.Result, error) {
					o.Rounds, o.Reruns = min(o.Rounds, 3), 0
					return run(o)
				}
			}
			bs = append(bs, b)
		}
	}
	return bs
}

// Goroutines are the numbers of goroutines.
var Goroutines = []int{1, 4, 8, 16, 32}

// goroutines compares some rows in several goroutines at a time.
func goroutines(c Config) []measure.Block {
	d := c.scaled(cellTime)
	var bs []measure.Block
	for _, model := range []string{"Simple", "Rich"} {
		for _, op := range Ops {
			for _, n := range Goroutines {
				if c.Quick && (n != 8 || model != "Simple") {
					continue
				}
				bs = append(bs, block("goroutines", fmt.Sprintf("%s/%s/%d", model, op, n), "op/s", true,
					time.Duration(len(some)*6)*d*5/4, func() ([]measure.Cell, error) { return parallelCells(model, op, n, d) }))
			}
		}
	}
	return bs
}

func parallelCells(model, op string, n int, d time.Duration) ([]measure.Cell, error) {
	var cells []measure.Cell
	for _, r := range someRows() {
		if op == "marshal" && r.Encoder != "" {
			continue
		}
		codec, err := r.Codec(model)
		if err != nil || codec == nil {
			return nil, err
		}
		fs := make([]func(int) error, n)
		for i := range fs {
			w, err := codec.Worker()
			if err != nil {
				return nil, err
			}
			if fs[i] = w.Unmarshal; op == "marshal" {
				fs[i] = w.Marshal
			}
		}
		floor := ser.FloorOf(r)
		if op == "marshal" {
			floor = "floor alias"
		}
		cells = append(cells, measure.Cell{Row: r.Name, Floor: floor, Run: func() (measure.Sample, error) {
			return measure.Parallel(d, 200, fs)
		}})
	}
	return cells, nil
}
