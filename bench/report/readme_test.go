package report

import (
	"strings"
	"testing"

	"github.com/spanwire/spanwire/bench/measure"
)

// The README's tables begin with the calls that its example makes, name each peer once in each way to read strings, and end in the
// floor; its line on hostile input counts peers, not rows.
func TestReadmeTable(t *testing.T) {
	d := &Data{}
	add := func(row string, write, read float64) {
		for op, v := range map[string]float64{"marshal": write, "unmarshal": read} {
			d.Results = append(d.Results, measure.Result{Suite: "models", Block: "Simple/" + op, Row: row, Runs: []float64{v}, Extra: map[string]float64{"bytes": 29}})
		}
	}
	for i, row := range []string{"floor alias", "floor copy", "spanwire alias", "spanwire copy", "spanwire any alias", "spanwire any copy", "spanwire any shared",
		"spanwire reflection alias", "spanwire reflection copy", "benc std", "benc unsafe", "benc tagged", "gob stream", "encoding/json"} {
		add(row, float64(i+1), float64(i+1))
	}
	hostile := func(row string, panics, alloc float64) {
		d.Results = append(d.Results, measure.Result{Suite: "hostile", Block: "Simple", Row: row, Extra: map[string]float64{"panics": panics, "most alloc": alloc}})
	}
	hostile("benc std", 0, 100)
	hostile("benc unsafe", 3, 100) // another row of the peer stands it
	hostile("gob stream", 1, 2<<30)
	text := english.readmeTable(d)
	copied, alias, ok := strings.Cut(text, "Strings that alias")
	if !ok {
		t.Fatal(text)
	}
	for part, names := range map[string][]string{
		copied: {"span.Append, span.Unmarshal** | 29 | 5 / 6", "one copy a message", "v.AppendSpan", "without generated code", "benc std", "gob stream", "encoding/json", "hand-written floor"},
		alias:  {"span.Append, span.Unmarshal** | 29 | 5 / 5", "v.AppendSpan", "without generated code", "benc unsafe", "hand-written floor"},
	} {
		at := 0
		for _, name := range names {
			i := strings.Index(part[at:], name)
			if i < 0 {
				t.Fatalf("%q is missing, or not in its place:\n%s", name, part)
			}
			at += i
		}
		if strings.Contains(part, "benc tagged") {
			t.Error("two rows of one peer")
		}
	}
	if !strings.Contains(text, "of 2 peers 1 panic, 0 crash or hang, and 1 allocate") {
		t.Error(text)
	}
}

func TestToHTML(t *testing.T) {
	got := string(toHTML("## In short\n\nA **b** & `c`.\n\n- one\n- [two](x.md)\n\n| a | b |\n|---|--:|\n| **x** | 1 |\n"))
	for _, want := range []string{`<h2 id="in-short">In short</h2>`, "<p>A <b>b</b> &amp; <code>c</code>.</p>", `<li><a href="x.md">two</a></li>`, `<tr class="ours"><td><b>x</b></td><td>1</td></tr>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
