package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spanwire/spanwire/bench/load"
	"github.com/spanwire/spanwire/bench/measure"
)

func TestMain(m *testing.M) {
	if os.Getenv(load.Role) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestReport measures three blocks for a moment, writes the report, and writes it
// again from what was kept.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, "ROOT.md")
	if err := os.WriteFile(readme, []byte("before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, only := range []bool{false, true} {
		s := settings{
			Options: measure.Options{Rounds: 2, Scale: 0.01, Noise: 0.5}, suites: "models,frames", block: "imple/",
			results: filepath.Join(dir, "results"), out: filepath.Join(dir, "report"), readme: readme, only: only,
		}
		if err := run(s); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"report/README.md": "| **spanwire alias** |", "report/README.zh-CN.md": "| **spanwire alias** |", "report/index.html": "<figure>",
			"report/data.json": `"Row": "spanwire alias"`, "report/charts/simple.svg": "<svg", "ROOT.md": "| **spanwire: span.Append, span.Unmarshal** |",
		} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "before\n<!-- bench:begin -->\nStrings copied") || !strings.HasSuffix(string(text), "<!-- bench:end -->\nafter\n") || strings.Contains(string(text), "old") {
			t.Errorf("the README became\n%s", text)
		}
	}
}
