// Package suite lists what is measured: blocks of cells that are compared with
// each other.
package suite

import (
	"time"

	"github.com/spanwire/spanwire/bench/measure"
)

// Names are the suites in the order of the report.
var Names = []string{"models", "goser", "growth", "goroutines", "hostile", "frames", "rpc"}

// Config says how large the suites are.
type Config struct {
	Quick bool
	Scale float64 // of the time each cell is given
}

func (c Config) scaled(d time.Duration) time.Duration {
	return time.Duration(float64(d) * c.Scale)
}

// Blocks returns the blocks of a suite.
func Blocks(name string, c Config) []measure.Block {
	switch name {
	case "models":
		return models(c)
	case "goser":
		return goser(c)
	case "growth":
		return growth(c)
	case "goroutines":
		return goroutines(c)
	case "hostile":
		return hostile(c)
	case "frames":
		return frames(c)
	case "rpc":
		return rpc(c)
	}
	return nil
}

// block makes a block of cells that are made when it is run, so that they do not
// take memory before.
func block(suite, name, unit string, more bool, cost time.Duration, cells func() ([]measure.Cell, error)) measure.Block {
	return measure.Block{Suite: suite, Name: name, Cost: cost, Run: func(o measure.Options) ([]measure.Result, error) {
		cs, err := cells()
		if err != nil {
			return nil, err
		}
		return measure.Run(suite, name, unit, more, cs, o), nil
	}}
}
