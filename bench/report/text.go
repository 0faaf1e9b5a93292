package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/spanwire/spanwire/bench/measure"
)

// lang is one language of the report.
type lang struct {
	file  string
	other string // line that leads to the other language
	pick  int
}

var (
	english = lang{"README.md", "[中文](README.zh-CN.md)", 0}
	chinese = lang{"README.zh-CN.md", "[English](README.md)", 1}
)

// writer writes one report.
type writer struct {
	lang
	d      *Data
	charts []chart
	b      strings.Builder
}

// p writes a paragraph in the report's language.
func (w *writer) p(en, zh string, args ...any) {
	s := [2]string{en, zh}[w.pick]
	if len(args) > 0 {
		s = fmt.Sprintf(s, args...)
	}
	w.b.WriteString(s + "\n\n")
}

// t returns a text in the language.
func (l lang) t(en, zh string) string { return [2]string{en, zh}[l.pick] }

// table writes a table. Numbers stand right, the first column left.
func (w *writer) table(head []string, rows [][]string) {
	w.b.WriteString(table(head, rows) + "\n")
}

func table(head []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|---" + strings.Repeat("|--:", len(head)-1) + "|\n")
	for _, r := range rows {
		b.WriteString("| " + strings.Join(r, " | ") + " |\n")
	}
	return b.String()
}

// num writes a number with three digits that count.
func num(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case v == math.Trunc(v) && a < 10_000:
		return fmt.Sprintf("%.0f", v)
	case a < 0.01:
		return fmt.Sprintf("%.4f", v)
	case a < 1:
		return fmt.Sprintf("%.2f", v)
	case a < 100:
		return fmt.Sprintf("%.1f", v)
	case a < 10_000:
		return fmt.Sprintf("%.0f", v)
	case a < 1e6:
		return fmt.Sprintf("%.1fk", v/1e3)
	case a < 1e9:
		return fmt.Sprintf("%.2fM", v/1e6)
	}
	return fmt.Sprintf("%.2fG", v/1e9)
}

// nanos writes a time that is given in nanoseconds.
func nanos(v float64) string {
	switch {
	case v < 100:
		return fmt.Sprintf("%.1f ns", v)
	case v < 10_000:
		return fmt.Sprintf("%.0f ns", v)
	case v < 1e7:
		return fmt.Sprintf("%.1f us", v/1e3)
	}
	return fmt.Sprintf("%.1f ms", v/1e6)
}

// ranged writes the median with its interval; a dagger marks what stayed noisy.
func ranged(r *measure.Result, f func(float64) string) string {
	if r == nil {
		return ""
	}
	if r.Err != "" {
		return "✗"
	}
	s := f(measure.Median(r.Runs))
	if len(r.Runs) > 1 {
		lo, hi := measure.Interval(r.Runs)
		unit := ""
		if i := strings.IndexByte(s, ' '); i > 0 {
			unit = s[i:]
		}
		s += " (" + strings.TrimSuffix(f(lo), unit) + "–" + strings.TrimSuffix(f(hi), unit) + ")"
	}
	if r.Unstable {
		s += "†"
	}
	return s
}

// share writes the median of the shares of the floor.
func share(r *measure.Result) string {
	if r == nil || len(r.Shares()) == 0 {
		return ""
	}
	v := measure.Median(r.Shares())
	if v < 10 {
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// bold marks our own rows.
func bold(ours bool, s string) string {
	if ours {
		return "**" + s + "**"
	}
	return s
}
