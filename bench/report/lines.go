package report

import (
	"fmt"
	"strings"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/suite"
)

// lineCharts are the charts of growth, goroutines and connections.
func lineCharts(d *Data) []lineChart {
	var ls []lineChart
	for _, op := range suite.Ops {
		ls = append(ls, lineChart{"growth", "growth-" + op, "Lists of 1 to 1,000,000 elements: " + op, "elements", "ns an element",
			linesOf(d, "growth", "Batch%d/"+op, suite.GrowthSizes(suite.Config{}), func(v, x float64) float64 { return v / x })})
	}
	for _, op := range suite.Ops {
		ls = append(ls, lineChart{"goroutines", "goroutines-" + op, "Simple in several goroutines: " + op, "goroutines", "million messages a second",
			linesOf(d, "goroutines", "Simple/"+op+"/%d", suite.Goroutines, func(v, _ float64) float64 { return v / 1e6 })})
	}
	ls = append(ls, lineChart{"rpc", "rpc-serial", "One call after another on each connection, 32 bytes", "connections", "calls a second",
		linesOf(d, "rpc", "serial/%d", suite.Conns, func(v, _ float64) float64 { return v })})
	ls = append(ls, lineChart{"rpc", "rpc-window", "255 calls in flight on each connection, 32 bytes", "connections", "calls a second",
		linesOf(d, "rpc", "window/%d", suite.Conns, func(v, _ float64) float64 { return v })})
	ls = append(ls, lineChart{"rpc", "rpc-callers", "One client, several goroutines, 32 bytes", "goroutines", "calls a second",
		linesOf(d, "rpc", "callers/%d", []int{1, 16, 64, 256, 1024, 4096}, func(v, _ float64) float64 { return v })})
	out := ls[:0]
	for _, l := range ls {
		points := 0
		for _, x := range l.lines {
			points = max(points, len(x.x))
		}
		if points > 1 { // a curve of one point shows nothing
			out = append(out, l)
		}
	}
	return out
}

// drawn are the rows of calls that have a curve: more could not be told apart.
var drawn = map[string]bool{
	"raw": true, "raw batched": true, "prototype inline blocking": true, "prototype inline callbacks": true,
	"spanwire goroutine blocking": true, "spanwire inline blocking": true, "spanwire goroutine callbacks": true, "spanwire inline callbacks": true,
	"net/rpc": true, "net/http JSON": true, "grpc-go": true, "connect-go": true, "drpc": true, "ttrpc": true, "nats request": true,
}

// linesOf makes a curve of each row over blocks named by a number.
func linesOf(d *Data, suite, format string, xs []int, y func(v, x float64) float64) []line {
	var blocks []string
	for _, x := range xs {
		blocks = append(blocks, fmt.Sprintf(format, x))
	}
	var ls []line
	shown := map[string]bool{}
	for _, alias := range []bool{false, true} {
		for _, r := range readmeRows(d, alias) {
			shown[r.row.Name] = true
		}
	}
	for _, row := range d.rows(suite, blocks...) {
		if suite == "rpc" && !drawn[row] || suite != "rpc" && !shown[row] {
			continue
		}
		l := line{row: row}
		for i, b := range blocks {
			r := d.get(suite, b, row)
			if r == nil && strings.HasSuffix(format, "/marshal") {
				continue
			}
			if r != nil && len(r.Runs) > 0 {
				x := float64(xs[i])
				l.x = append(l.x, x)
				l.y = append(l.y, y(measure.Median(r.Runs), x))
			}
		}
		if len(l.x) > 0 {
			ls = append(ls, l)
		}
	}
	return ls
}
