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
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, "Noto Sans CJK SC", sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem 1.5rem 4rem; color: #1b1f24; background: #fff }
h1 { margin-bottom: .2em } h2 { margin-top: 2.2em; border-bottom: 1px solid #d0d7de }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; font-size: .92em }
th, td { padding: .25em .7em; border-bottom: 1px solid #e3e7eb; text-align: right } th:first-child, td:first-child { text-align: left }
tr.ours { background: #eef5fd } code { font-family: ui-monospace, "Liberation Mono", Consolas, monospace; font-size: .92em }
figure { margin: 1.5em 0 } img { max-width: 100%; height: auto } figcaption { color: #57606a; font-size: .9em }
.wide { overflow-x: auto }
.note { background: #fff8e1; padding: .6em 1em; border-left: 4px solid #e0a800 } nav { display: flex; flex-wrap: wrap } nav a { margin-right: 1em }
</style>
</head>
<body>
<h1>spanwire benchmarks</h1>
<nav>{{range .Sections}}<a href="#{{.ID}}">{{.Title}}</a>{{end}}<a href="README.md">all tables</a><a href="README.zh-CN.md">中文</a><a href="data.json">raw data</a></nav>
<p>{{.Env.CPU}}, {{.Env.Cores}} cores, {{.Env.Go}}, kernel {{.Env.Kernel}}, {{.Env.Month}}. Medians of rounds that take turns; bars carry the interval of the median.</p>
{{if .Busy}}<p class="note">The machine was busy with other work while this was measured: look at ratios, not at times.</p>{{end}}
{{if .Quick}}<p class="note">A quick look: short runs, few loads. Not for quoting.</p>{{end}}
{{range .Sections}}{{if .Charts}}<h2 id="{{.ID}}">{{.Title}}</h2>
{{end}}{{.Text}}
{{range .Charts}}<figure><img src="{{.File}}" alt="{{.Title}}" loading="lazy"><figcaption>{{.Title}}</figcaption></figure>
{{end}}{{end}}
</body>
</html>
`))

// pageSection is charts under a title, or text that has its own.
type pageSection struct {
	ID, Title string
	Charts    []chart
	Text      template.HTML
}

func writePage(d *Data, charts []chart, dir string) error {
	var b strings.Builder
	err := page.Execute(&b, struct {
		Env         Env
		Busy, Quick bool
		Sections    []pageSection
	}{d.Env, busy(d) > 1.05 || unstable(d, "rpc") > 0.3, d.Quick, pageSections(d, charts)})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), []byte(b.String()), 0o644)
}

// pageSections are the summary, the pictures, and the tables of the report that a visitor should see.
func pageSections(d *Data, charts []chart) []pageSection {
	section := func(write func(w *writer)) pageSection {
		w := &writer{lang: english, d: d}
		write(w)
		text := w.b.String()
		_, title, _ := strings.Cut(strings.SplitN(text, "\n", 2)[0], "## ")
		return pageSection{ID: anchor(title), Title: title, Text: toHTML(text)}
	}
	pictures := func(id, title string) pageSection {
		s := pageSection{ID: id, Title: title}
		for _, c := range charts {
			if c.Section == id {
				s.Charts = append(s.Charts, c)
			}
		}
		return s
	}
	var out []pageSection
	for _, s := range []pageSection{
		section((*writer).headlines), pictures("models", "Serializers"), section((*writer).hostile), pictures("rpc", "Remote procedure calls"),
		pictures("growth", "Growth"), pictures("goroutines", "Goroutines"), section((*writer).method),
	} {
		if len(s.Charts) > 0 || s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}
