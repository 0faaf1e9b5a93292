// Package report writes what was measured: tables in two languages, charts, an
// HTML page, the raw data, and the table of the root README.
package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spanwire/spanwire/bench/measure"
	"github.com/spanwire/spanwire/bench/suite"
)

// Data is all that a report is made of.
type Data struct {
	Env      Env
	Options  map[string]measure.Options // of each suite
	Missing  []string                   `json:",omitempty"` // blocks that were not run
	Quick    bool
	Results  []measure.Result
	Profiles []suite.Profile
}

// get returns a result or nil.
func (d *Data) get(suite, block, row string) *measure.Result {
	for i := range d.Results {
		r := &d.Results[i]
		if r.Suite == suite && r.Block == block && r.Row == row {
			return r
		}
	}
	return nil
}

// rows returns the rows of a suite in the order of the results.
func (d *Data) rows(suite string, blocks ...string) []string {
	seen := map[string]bool{}
	var rows []string
	for _, r := range d.Results {
		for _, b := range blocks {
			if r.Suite == suite && r.Block == b && !seen[r.Row] {
				seen[r.Row] = true
				rows = append(rows, r.Row)
			}
		}
	}
	return rows
}

// Keep adds what the report in a folder has of blocks that are not in d.
func (d *Data) Keep(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		return err
	}
	var old Data
	if err := json.Unmarshal(text, &old); err != nil {
		return err
	}
	anew := map[[2]string]bool{}
	for _, r := range d.Results {
		anew[[2]string{r.Suite, r.Block}] = true
	}
	for _, r := range old.Results {
		if !anew[[2]string{r.Suite, r.Block}] {
			d.Results = append(d.Results, r)
		}
	}
	for suite, o := range old.Options {
		if _, ok := d.Options[suite]; !ok {
			if d.Options == nil {
				d.Options = map[string]measure.Options{}
			}
			d.Options[suite] = o
		}
	}
	if len(d.Profiles) == 0 {
		d.Profiles = old.Profiles
	}
	d.Missing = nil
	return nil
}

func (d *Data) has(suite string) bool {
	for _, r := range d.Results {
		if r.Suite == suite {
			return true
		}
	}
	return false
}

// Write writes the report to a folder, and the table of the README if there is
// one with markers.
func Write(d *Data, dir, readme string) error {
	if err := os.MkdirAll(filepath.Join(dir, "charts"), 0o755); err != nil {
		return err
	}
	charts, err := drawCharts(d, filepath.Join(dir, "charts"))
	if err != nil {
		return err
	}
	for _, l := range []lang{english, chinese} {
		w := &writer{lang: l, d: d, charts: charts}
		if err := os.WriteFile(filepath.Join(dir, l.file), []byte(w.report()), 0o644); err != nil {
			return err
		}
	}
	if err := writePage(d, charts, dir); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "data.json"), append(raw, '\n'), 0o644); err != nil {
		return err
	}
	if readme == "" {
		return nil
	}
	if err := updateReadme(d, readme); err != nil {
		return fmt.Errorf("%s: %w", readme, err)
	}
	return nil
}
