package report

import (
	"strings"
	"testing"

	"github.com/spanwire/spanwire/bench/measure"
)

func TestNum(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 29: "29", 6.25: "6.2", 0.25: "0.25", 123.4: "123", 6504.5: "6504", 31_000: "31.0k", 2.5e6: "2.50M", 3e9: "3.00G", 0.0012: "0.0012"} {
		if got := num(v); got != want {
			t.Errorf("num(%v) is %s, want %s", v, got, want)
		}
	}
}

func TestRanged(t *testing.T) {
	r := &measure.Result{Runs: []float64{5, 1, 3}, Unstable: true}
	if got := ranged(r, num); got != "3 (1–5)†" {
		t.Error(got)
	}
	if got := ranged(&measure.Result{Err: "no"}, num); got != "✗" {
		t.Error(got)
	}
	if got := ranged(nil, num); got != "" {
		t.Error(got)
	}
}

func TestBetween(t *testing.T) {
	for text, want := range map[string]string{
		"a\n" + begin + "\nold\n" + end + "\nb\n": "a\n" + begin + "\nnew\n" + end + "\nb\n",
		"no markers": "no markers",
		end + begin:  end + begin,
	} {
		if got, _ := between(text, "new\n"); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if err := updateReadme(&Data{}, "not-there.md"); err != nil {
		t.Error("a README that is not there:", err)
	}
}

// TestEmpty writes a report of nothing: every section tolerates that its suite
// was not run.
func TestEmpty(t *testing.T) {
	for _, l := range []lang{english, chinese} {
		w := &writer{lang: l, d: &Data{}}
		if s := w.report(); !strings.Contains(s, "go run -v . -quick") || strings.Contains(s, "%!") {
			t.Error(s)
		}
	}
}

// TestLanguages holds the two reports to the same tables.
func TestLanguages(t *testing.T) {
	d := &Data{Results: []measure.Result{
		{Suite: "models", Block: "Simple/marshal", Row: "floor alias", Floor: "floor alias", Runs: []float64{6}, FloorRuns: []float64{6}},
		{Suite: "models", Block: "Simple/unmarshal", Row: "floor alias", Floor: "floor alias", Runs: []float64{6}, FloorRuns: []float64{6}},
		{Suite: "rpc", Block: "serial/1", Row: "raw", Floor: "raw", Runs: []float64{6}, FloorRuns: []float64{6}},
		{Suite: "rpc", Block: "idle", Row: "raw", Floor: "raw", Runs: []float64{6}, FloorRuns: []float64{6}},
	}}
	var rows [2]int
	for i, l := range []lang{english, chinese} {
		w := &writer{lang: l, d: d}
		rows[i] = strings.Count(w.report(), "\n|")
	}
	if rows[0] != rows[1] || rows[0] == 0 {
		t.Errorf("%d rows in English, %d in Chinese", rows[0], rows[1])
	}
}
