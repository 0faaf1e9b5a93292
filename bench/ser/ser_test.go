package ser

import (
	"strings"
	"testing"

	"github.com/spanwire/spanwire/bench/floor/model"
)

// models for the tests: what is measured, with smaller batches, and the extremes.
var small = []string{"Simple", "Small", "Nested", "Batch0", "Batch3", "Batch100", "Rich", "Rich1"}

// TestRoundTrip holds every row to the truth: a row that loses something is no
// comparison.
func TestRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows() {
		if seen[r.Name] {
			t.Errorf("two rows %q", r.Name)
		}
		seen[r.Name] = true
		if r.Name == "harness" {
			continue
		}
		for _, m := range small {
			t.Run(r.Name+"/"+m, func(t *testing.T) {
				c, err := r.Codec(m)
				if err != nil {
					t.Fatal(err)
				}
				if c == nil {
					t.Skip("the peer cannot express the model: its note says why")
				}
				if err := c.Check(); err != nil {
					if m == "Batch0" && strings.Contains(err.Error(), "got") {
						t.Skip("nil and empty lists are the same here")
					}
					t.Fatal(err)
				}
			})
		}
	}
	for _, r := range Rows() {
		if r.Group != Floor && ByName(FloorOf(r)) == nil {
			t.Errorf("%s: no %s", r.Name, FloorOf(r))
		}
	}
}

// BenchmarkRows runs every row and model once in go test's own way, so that
// nothing rots; the report measures with package measure.
func BenchmarkRows(b *testing.B) {
	for _, r := range Rows() {
		for _, m := range Models {
			c, err := r.Codec(m)
			if err != nil {
				b.Fatal(err)
			}
			if c == nil {
				continue
			}
			w, err := c.Worker()
			if err != nil {
				b.Fatal(err)
			}
			b.Run(r.Name+"/"+m+"/marshal", func(b *testing.B) {
				b.ReportAllocs()
				if err := w.Marshal(b.N); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(w.Size(), "bytes")
			})
			b.Run(r.Name+"/"+m+"/unmarshal", func(b *testing.B) {
				b.ReportAllocs()
				if err := w.Unmarshal(b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// TestGoser holds the entries of the public suite to the truth.
func TestGoser(t *testing.T) {
	for _, e := range GoserEntries() {
		s := e.New()
		for i, v := range smalls[:20] {
			b, err := s.Marshal(v)
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			var out model.Small
			if err := s.Unmarshal(append([]byte(nil), b...), &out); err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			if out.BirthDay = out.BirthDay.UTC(); out != *v {
				t.Errorf("%s: record %d: got %+v, want %+v", e.Name, i, out, *v)
			}
		}
	}
}
