package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

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
	// palette are colours that stay apart on white; who comes round again is dashed.
	palette = []color.RGBA{
		{0xe6, 0x19, 0x4b, 0xff}, {0xf5, 0x82, 0x31, 0xff}, {0x9a, 0x63, 0x24, 0xff}, {0x80, 0x80, 0x00, 0xff},
		{0x3c, 0xb4, 0x4b, 0xff}, {0x00, 0x80, 0x80, 0xff}, {0x91, 0x1e, 0xb4, 0xff}, {0xf0, 0x32, 0xe6, 0xff},
		{0x80, 0x00, 0x00, 0xff}, {0xd4, 0xa0, 0x00, 0xff},
	}
	blues  = []color.RGBA{{0x0b, 0x3d, 0x91, 0xff}, {0x1f, 0x7a, 0xe0, 0xff}, {0x00, 0xa5, 0xd8, 0xff}, {0x4b, 0x5f, 0xd6, 0xff}, {0x7f, 0xb3, 0xff, 0xff}} // ours
	greys  = []color.RGBA{{0x20, 0x20, 0x20, 0xff}, {0x60, 0x60, 0x60, 0xff}, {0x90, 0x90, 0x90, 0xff}, {0xb8, 0xb8, 0xb8, 0xff}}                           // floors
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
)

func drawCharts(d *Data, dir string) ([]chart, error) {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	var cs []chart
	add := func(section, name, title string, p *plot.Plot, names *plot.Legend, height vg.Length) error {
		if p == nil {
			return nil
		}
		if err := save(p, names, height, filepath.Join(dir, name+".svg")); err != nil {
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
		if err := add("models", strings.ToLower(m), title, p, nil, vg.Length(len(rows))*0.36*vg.Inch+0.9*vg.Inch); err != nil {
			return nil, err
		}
	}
	for _, l := range lineCharts(d) {
		p, names := curves(l)
		if err := add(l.section, l.name, l.title, p, names, 4.8*vg.Inch); err != nil {
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
		if (r.Group == ser.Generated || r.Group == ser.Floor) && r.Name != "harness" {
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

// curves draws lines on two logarithmic axes; the names of the lines stand beside the plot, so that its axes are those of the data.
func curves(l lineChart) (*plot.Plot, *plot.Legend) {
	if len(l.lines) == 0 {
		return nil, nil
	}
	p, names := plot.New(), plot.NewLegend()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = l.title, l.x, l.y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = logTicks{}, logTicks{}
	p.Add(plotter.NewGrid())
	used := map[string]int{}
	for _, ln := range l.lines {
		var pts plotter.XYs
		for k := range ln.x {
			if ln.y[k] > 0 {
				pts = append(pts, plotter.XY{X: ln.x[k], Y: ln.y[k]})
			}
		}
		pl, sc, err := plotter.NewLinePoints(pts)
		if err != nil {
			continue // there is no point
		}
		pl.LineStyle = styleOf(ln.row, used)
		sc.Color, sc.Radius = pl.Color, 2
		p.Add(pl, sc)
		names.Add(ln.row, pl)
	}
	names.Top, names.Left, names.TextStyle.Font.Size = true, true, 8
	names.Padding = 2
	p.X.Padding, p.Y.Padding = 4, 4
	return p, &names
}

// styleOf gives a line a look of its own: ours are blue and thick, floors grey.
func styleOf(row string, used map[string]int) draw.LineStyle {
	kind, colours := "peer", palette
	switch {
	case strings.HasPrefix(row, "spanwire"):
		kind, colours = "ours", blues
	case strings.HasPrefix(row, "floor") || strings.HasPrefix(row, "raw") || strings.HasPrefix(row, "prototype"):
		kind, colours = "floor", greys
	}
	n := used[kind]
	used[kind]++
	s := draw.LineStyle{Color: colours[n%len(colours)], Width: 1.2, Dashes: dashes[n/len(colours)%len(dashes)]}
	if kind == "ours" {
		s.Width = 2.5
	}
	return s
}

// save writes a picture; names, when not nil, stand to its right.
func save(p *plot.Plot, names *plot.Legend, height vg.Length, file string) error {
	const width, aside = 8 * vg.Inch, 2.3 * vg.Inch
	whole := width
	if names != nil {
		whole += aside
	}
	c := vgsvg.New(whole, height)
	all := draw.New(c)
	if names == nil {
		p.Draw(all)
	} else {
		all.SetColor(color.White)
		all.Fill(all.Rectangle.Path())
		p.Draw(draw.Crop(all, 0, -aside, 0, 0))
		names.Draw(draw.Crop(all, width, 0, 0, -0.3*vg.Inch))
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	text := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arial,Helvetica,'DejaVu Sans',sans-serif;"))
	return os.WriteFile(file, text, 0o644)
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
