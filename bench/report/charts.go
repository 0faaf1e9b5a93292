package report

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/ser"
)

// chart is one picture.
type chart struct {
	File, Section string // relative to the report
	Title         string
}

// line is one curve.
type line struct {
	row    string
	x, y   []float64
	lo, hi []float64
}

var (
	colMarshal   = [2]color.RGBA{{0x9d, 0xb8, 0xd9, 0xff}, {0x1f, 0x5f, 0xa8, 0xff}} // of others, of ours
	colUnmarshal = [2]color.RGBA{{0xf0, 0xc0, 0x8f, 0xff}, {0xd9, 0x6a, 0x0b, 0xff}}
	palette      = []color.RGBA{
		{0x1f, 0x77, 0xb4, 0xff}, {0xff, 0x7f, 0x0e, 0xff}, {0x2c, 0xa0, 0x2c, 0xff}, {0xd6, 0x27, 0x28, 0xff},
		{0x94, 0x67, 0xbd, 0xff}, {0x8c, 0x56, 0x4b, 0xff}, {0xe3, 0x77, 0xc2, 0xff}, {0x7f, 0x7f, 0x7f, 0xff},
		{0xbc, 0xbd, 0x22, 0xff}, {0x17, 0xbe, 0xcf, 0xff}, {0x39, 0x3b, 0x79, 0xff}, {0x63, 0x79, 0x39, 0xff},
		{0x8c, 0x6d, 0x31, 0xff}, {0x84, 0x3c, 0x39, 0xff}, {0x7b, 0x41, 0x73, 0xff},
	}
)

func drawCharts(d *Data, dir string) ([]chart, error) {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	var cs []chart
	add := func(section, name, title string, p *plot.Plot, height vg.Length) error {
		if p == nil {
			return nil
		}
		if err := p.Save(8*vg.Inch, height, filepath.Join(dir, name+".svg")); err != nil {
			return err
		}
		cs = append(cs, chart{"charts/" + name + ".svg", section, title})
		return nil
	}
	for _, m := range ser.Models {
		rows := fastest(d, m)
		p, err := bars(d, m, rows)
		if err != nil {
			return nil, err
		}
		title := m + ": generated code and floors"
		if err := add("models", strings.ToLower(m), title, p, vg.Length(len(rows))*0.36*vg.Inch+0.9*vg.Inch); err != nil {
			return nil, err
		}
	}
	for _, l := range lineCharts(d) {
		p, err := curves(l)
		if err != nil {
			return nil, err
		}
		if err := add(l.section, l.name, l.title, p, 4.8*vg.Inch); err != nil {
			return nil, err
		}
	}
	return cs, nil
}

// marshalOf is the result of the row's encoder, which may be another row's.
func marshalOf(d *Data, suite, block string, r *ser.Row) *measure.Result {
	name := r.Name
	if r.Encoder != "" {
		name = r.Encoder
	}
	return d.get(suite, block, name)
}

// fastest are the rows of floors and generated code, quickest in both directions
// together first.
func fastest(d *Data, model string) []*ser.Row {
	var rows []*ser.Row
	for _, r := range sortedRows(d, model) {
		if (r.Group == ser.Generated || r.Group == ser.Floor) && r.Name != "harness" && !strings.HasPrefix(r.Name, "spanwire any") {
			rows = append(rows, r)
		}
	}
	return rows
}

// bars draws times in both directions with their intervals.
func bars(d *Data, model string, rows []*ser.Row) (*plot.Plot, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text = model + ": time a message, ns (interval of the median)"
	p.X.Min = 0
	p.Legend.Top = true
	names := make([]string, len(rows))
	for k, op := range []string{"unmarshal", "marshal"} {
		vals := [2]plotter.Values{make(plotter.Values, len(rows)), make(plotter.Values, len(rows))}
		var pts plotter.XYs
		var errs plotter.XErrors
		for i := range rows {
			r := rows[len(rows)-1-i] // the first on top
			names[i] = r.Name
			res := d.get("models", model+"/"+op, r.Name)
			if op == "marshal" {
				res = marshalOf(d, "models", model+"/marshal", r)
			}
			if res == nil || len(res.Runs) == 0 {
				continue
			}
			m := measure.Median(res.Runs)
			lo, hi := measure.Interval(res.Runs)
			ours := 0
			if r.Ours {
				ours = 1
			}
			vals[ours][i] = m
			pts = append(pts, plotter.XY{X: m, Y: float64(i) + (float64(k)-0.5)*0.36})
			errs = append(errs, struct{ Low, High float64 }{m - lo, hi - m})
		}
		for ours, v := range vals {
			b, err := plotter.NewBarChart(v, 0.12*vg.Inch)
			if err != nil {
				return nil, err
			}
			b.Horizontal, b.LineStyle.Width = true, 0
			b.Offset = vg.Length(float64(k)-0.5) * 0.13 * vg.Inch
			b.Color = [][2]color.RGBA{colUnmarshal, colMarshal}[k][ours]
			p.Add(b)
			if ours == 1 {
				p.Legend.Add(op, b)
			}
		}
		if len(pts) > 0 {
			e, err := plotter.NewXErrorBars(struct {
				plotter.XYs
				plotter.XErrors
			}{pts, errs})
			if err != nil {
				return nil, err
			}
			p.Add(e)
		}
	}
	p.NominalY(names...)
	return p, nil
}

type lineChart struct {
	section, name, title, x, y string
	lines                      []line
}

// curves draws lines on two logarithmic axes.
func curves(l lineChart) (*plot.Plot, error) {
	if len(l.lines) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = l.title, l.x, l.y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = logTicks{}, logTicks{}
	p.Add(plotter.NewGrid())
	for i, ln := range l.lines {
		var pts plotter.XYs
		for k := range ln.x {
			if ln.y[k] > 0 {
				pts = append(pts, plotter.XY{X: ln.x[k], Y: ln.y[k]})
			}
		}
		if len(pts) == 0 {
			continue
		}
		pl, sc, err := plotter.NewLinePoints(pts)
		if err != nil {
			return nil, err
		}
		c := palette[i%len(palette)]
		pl.Color, sc.Color = c, c
		sc.Radius = 2
		if strings.HasPrefix(ln.row, "spanwire") {
			pl.Width = 2.5
		}
		if i >= len(palette) || strings.HasPrefix(ln.row, "floor") || strings.HasPrefix(ln.row, "raw") || strings.HasPrefix(ln.row, "prototype") {
			pl.Dashes = []vg.Length{4, 3}
		}
		p.Add(pl, sc)
		p.Legend.Add(ln.row, pl)
	}
	p.Legend.XOffs = -4
	p.Legend.Top, p.Legend.TextStyle.Font.Size = true, 8
	p.X.Padding, p.Y.Padding = 4, 4
	p.X.Max = widen(p.X.Max, p.X.Min)
	return p, nil
}

// widen leaves a quarter of a logarithmic axis for the legend.
func widen(hi, lo float64) float64 {
	if lo <= 0 || hi <= lo {
		return hi
	}
	return math.Exp(math.Log(hi) + (math.Log(hi)-math.Log(lo))*0.4)
}

// logTicks are the powers of ten with the two and the five between them.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	var ts []plot.Tick
	if lo <= 0 {
		lo = 1e-3
	}
	wide := hi/lo > 1e3
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for _, f := range []float64{1, 2, 5} {
			v := f * math.Pow(10, e)
			if v < lo*0.999 || v > hi*1.001 {
				continue
			}
			t := plot.Tick{Value: v}
			if f == 1 || !wide {
				t.Label = short(v)
			}
			ts = append(ts, t)
		}
	}
	return ts
}

func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%gM", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%gk", v/1e3)
	}
	return fmt.Sprintf("%.3g", v)
}
