package report

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// toHTML renders the parts of Markdown that the report uses: headings, paragraphs, lists, tables, bold, code and links.
func toHTML(text string) template.HTML {
	var b strings.Builder
	for block := range strings.SplitSeq(text, "\n\n") {
		block = strings.Trim(block, "\n")
		switch {
		case block == "" || strings.HasPrefix(block, "!["):
		case strings.HasPrefix(block, "#"):
			title := strings.TrimLeft(block, "#")
			level := string(rune('0' + len(block) - len(title)))
			b.WriteString("<h" + level + ` id="` + anchor(title) + `">` + inline(title) + "</h" + level + ">\n")
		case strings.HasPrefix(block, "- "):
			b.WriteString("<ul>\n")
			for line := range strings.Lines(block) {
				b.WriteString("<li>" + inline(strings.TrimPrefix(line, "- ")) + "</li>\n")
			}
			b.WriteString("</ul>\n")
		case strings.HasPrefix(block, "|"):
			b.WriteString(tableHTML(strings.Split(block, "\n")))
		default:
			b.WriteString("<p>" + inline(block) + "</p>\n")
		}
	}
	return template.HTML(b.String())
}

// anchor is the name of a heading in links.
func anchor(title string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-")
}

func tableHTML(lines []string) string {
	var b strings.Builder
	b.WriteString(`<div class="wide"><table>` + "\n")
	cell := "th"
	for i, line := range lines {
		if i == 1 { // the line of dashes
			cell = "td"
			continue
		}
		row := "<tr>"
		if strings.Contains(line, "**") {
			row = `<tr class="ours">`
		}
		b.WriteString(row)
		for c := range strings.SplitSeq(strings.Trim(line, "| "), " | ") {
			b.WriteString("<" + cell + ">" + inline(c) + "</" + cell + ">")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table></div>\n")
	return b.String()
}

var (
	boldText = regexp.MustCompile(`\*\*(.+?)\*\*`)
	slanted  = regexp.MustCompile(`\*(\S.*?)\*`)
	codeText = regexp.MustCompile("`(.+?)`")
	linkText = regexp.MustCompile(`\[(.+?)\]\((.+?)\)`)
)

// inline renders what stands inside a line.
func inline(s string) string {
	s = html.EscapeString(strings.TrimSpace(s))
	s = codeText.ReplaceAllString(s, "<code>$1</code>")
	s = boldText.ReplaceAllString(s, "<b>$1</b>")
	s = slanted.ReplaceAllString(s, "<i>$1</i>")
	return linkText.ReplaceAllString(s, `<a href="$2">$1</a>`)
}
