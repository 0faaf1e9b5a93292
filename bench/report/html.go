package report

import (
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

// page has the charts of the report, the summary and the environment.
var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>spanwire benchmarks</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem 1.5rem 4rem; color: #1b1f24; background: #fff }
h1 { margin-bottom: .2em } h2 { margin-top: 2.2em; border-bottom: 1px solid #d0d7de }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums }
th, td { padding: .25em .7em; border-bottom: 1px solid #e3e7eb; text-align: right } th:first-child, td:first-child { text-align: left }
figure { margin: 1.5em 0 } img { max-width: 100%; height: auto } figcaption { color: #57606a; font-size: .9em }
.wide { overflow-x: auto }
.note { background: #fff8e1; padding: .6em 1em; border-left: 4px solid #e0a800 } nav { display: flex; flex-wrap: wrap } nav a { margin-right: 1em }
</style>
</head>
<body>
<h1>spanwire benchmarks</h1>
<nav><a href="README.md">tables</a><a href="README.zh-CN.md">中文</a><a href="data.json">raw data</a>{{range .Sections}}<a href="#{{.ID}}">{{.Title}}</a>{{end}}</nav>
<p>{{.Env.CPU}}, {{.Env.Cores}} cores, {{.Env.Go}}, kernel {{.Env.Kernel}}, {{.Env.Month}}. Medians of rounds that take turns; bars carry the interval of the median.</p>
{{if .Busy}}<p class="note">The machine was busy with other work while this was measured: look at ratios, not at times.</p>{{end}}
{{if .Quick}}<p class="note">A quick look: short runs, few loads. Not for quoting.</p>{{end}}
{{if .Best}}<h2>In short</h2>
<div class="wide"><table><tr><th>model</th><th>spanwire</th><th>ns</th><th>fastest peer measured</th><th>ns</th></tr>
{{range .Best}}<tr><td>{{.Model}}, {{.Strings}}</td><td>{{.Ours}}</td><td>{{.OursText}}</td><td>{{.Peer}}</td><td>{{.PeerText}}</td></tr>
{{end}}</table></div>{{end}}
{{range .Sections}}<h2 id="{{.ID}}">{{.Title}}</h2>
{{range .Charts}}<figure><img src="{{.File}}" alt="{{.Title}}" loading="lazy"><figcaption>{{.Title}}</figcaption></figure>
{{end}}{{end}}
</body>
</html>
`))

type pageSection struct {
	ID, Title string
	Charts    []chart
}

type pageBest struct {
	Best
	OursText, PeerText string
}

func writePage(d *Data, charts []chart, dir string) error {
	var sections []pageSection
	for _, s := range []pageSection{{ID: "models", Title: "Serializers"}, {ID: "growth", Title: "Growth"},
		{ID: "goroutines", Title: "Goroutines"}, {ID: "rpc", Title: "Remote procedure calls"}} {
		for _, c := range charts {
			if c.Section == s.ID {
				s.Charts = append(s.Charts, c)
			}
		}
		if len(s.Charts) > 0 {
			sections = append(sections, s)
		}
	}
	var best []pageBest
	for _, b := range bests(d) {
		best = append(best, pageBest{b, pair(b.OursMed), pair(b.PeerMed)})
	}
	var b strings.Builder
	err := page.Execute(&b, struct {
		Env         Env
		Busy, Quick bool
		Best        []pageBest
		Sections    []pageSection
	}{d.Env, busy(d) > 1.05 || unstable(d, "rpc") > 0.3, d.Quick, best, sections})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), []byte(b.String()), 0o644)
}
