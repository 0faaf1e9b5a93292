package randomtypes

import (
	"fmt"
	"strings"
)

// helper declares a type that the types with methods may use.
func (g *source) helper(i int) {
	name := fmt.Sprintf(pick(g, "N%d", "n%d", "H%d"), i)
	embeds := strings.ToUpper(name[:1]) == name[:1]
	switch g.IntN(6) {
	case 0:
		t := pick(g, scalars...)
		if t.kind == wide || t.kind == char || t.kind == instant && g.one(50) {
			t = scalars[4] // the defined type of such a type is none
		}
		c := *t
		fmt.Fprintf(&g.text, "\ntype %s %s\n", name, t.expr)
		c.expr, c.name = name, ""
		g.known = append(g.known, &c)
	case 1:
		t := g.typ()
		for t.kind != list && t.kind != mapping && t.kind != array && t.kind != blob {
			t = g.typ()
		}
		c := *t
		fmt.Fprintf(&g.text, "\ntype %s %s\n", name, t.expr)
		c.expr, c.name = name, ""
		if embeds {
			c.name = name
		}
		g.known = append(g.known, &c)
	case 2:
		g.generic(name, i)
	default:
		t := &typ{expr: name, kind: record, named: true, name: name}
		g.record(t, name, false)
		g.known = append(g.known, t)
	}
}

// generic declares a generic struct without methods.
func (g *source) generic(name string, _ int) {
	fmt.Fprintf(&g.text, "\ntype %s[K comparable, V any] struct {\n\tKey K\n\tVal V\n\tAll map[K][]V\n\tOther %s\n}\n", name, g.typ().expr)
	for range 2 {
		t := &typ{expr: fmt.Sprintf("%s[%s, %s]", name, g.key().expr, g.typ().expr), kind: record, named: true, loose: true}
		g.known = append(g.known, t)
	}
}

// root declares a type with generated methods, and gives how tests name it.
func (g *source) root(i int) string {
	name := fmt.Sprintf("T%d", i)
	switch g.IntN(12) {
	case 0:
		t := g.typ()
		for t.kind != list && t.kind != mapping && t.kind != array && t.kind != text && t.kind != integer || strings.HasPrefix(t.expr, "time") {
			t = g.typ()
		}
		fmt.Fprintf(&g.text, "\n//span:generate\ntype %s %s\n", name, t.expr)
		c := *t
		c.expr, c.name = name, ""
		if c.kind == list && c.elem == nil || c.kind == blob {
			return name
		}
		g.known = append(g.known, &c)
		return name
	case 1:
		fmt.Fprintf(&g.text, "\n//span:generate\ntype %s[K comparable, V any] struct {\n\tKey K\n\tVal *V\n\tAll map[K][]V\n\tSelf []%s[K, V]\n\tOther %s\n}\n", name, name, g.typ().expr)
		one := fmt.Sprintf("%s[%s, %s]", name, g.key().expr, g.typ().expr)
		g.known = append(g.known, &typ{expr: one, kind: record, named: true, loose: true})
		return one
	}
	t := &typ{expr: name, kind: record, named: true, name: name}
	ends := g.one(20) // it has optional fields, so nothing else uses it
	fmt.Fprintf(&g.text, "\n//span:generate")
	g.record(t, name, ends)
	if !ends {
		g.known = append(g.known, t)
	}
	return name
}

// record declares a struct.
func (g *source) record(t *typ, name string, ends bool) {
	var options, fields []string
	switch {
	case g.one(15):
		t.loose = true
		options = append(options, "newlife")
	case g.one(10) && !ends:
		t.sized = true
		options = append(options, "sized")
	}
	if g.one(50) && !ends {
		g.open = &typ{expr: name, kind: record, named: true, sized: t.sized}
	}
	defer func() { g.open = nil }()
	n := g.IntN(9)
	if g.one(3) {
		n = 40 // in parts
	}
	first := n
	if ends {
		first = g.IntN(n + 1)
	}
	t.key, t.hollow, t.empty = true, true, n == 0 && !t.sized
	embedded := map[string]bool{}
	if g.open != nil && len(options) > 0 && options[0] == "newlife" {
		// A pointer without a presence byte may lead back here: a byte comes first.
		fields = append(fields, "First uint8")
		t.empty, t.hollow, t.weight = false, false, 1
	}
	for i := range n {
		f, more := g.typ(), ""
		if i >= first {
			more = "optional"
		}
		tag := g.tag(f, more)
		t.loose = t.loose || f.loose
		t.key, t.weight = t.key && f.key && !skips(tag), t.weight+1+f.weight
		t.hollow = t.hollow && f.hollow
		if f.name != "" && !embedded[f.name] && g.one(25) && !skips(tag) {
			embedded[f.name] = true
			t.promotes = t.promotes || f.promotes || f.hasMethods()
			fields = append(fields, f.expr+tag)
			continue
		}
		fields = append(fields, fmt.Sprintf("F%d %s%s", i, f.expr, tag))
	}
	if t.promotes {
		options = append(options, "fields")
	}
	fmt.Fprintf(&g.text, "\ntype %s struct {\n", name)
	if len(options) > 0 {
		fmt.Fprintf(&g.text, "\t_ struct{} `span:\"%s\"`\n", strings.Join(options, ","))
	}
	for _, f := range fields {
		g.text.WriteString("\t" + f + "\n")
	}
	g.text.WriteString("}\n")
}

// skips reports a tag that leaves its field out.
func skips(tag string) bool { return strings.Contains(tag, `"-"`) }

// hasMethods reports a type whose methods an embedding struct gets.
func (t *typ) hasMethods() bool {
	switch t.kind {
	case methods, self, wide, char:
		return true
	}
	return t.expr == "time.Time"
}

// tag makes a tag that fits a type.
func (g *source) tag(t *typ, more string) string {
	var words []string
	add := func(percent int, word string) {
		if g.one(percent) {
			words = append(words, word)
		}
	}
	if g.one(60) {
		g.outerTags(t, add)
		g.leafTags(t, add)
	}
	if g.one(2) && more == "" {
		words = []string{"-"}
	}
	if more != "" {
		words = append(words, more)
	}
	if len(words) == 0 {
		return ""
	}
	return " `span:\"" + strings.Join(words, ",") + "\"`"
}

// outerTags adds tags of the outermost length.
func (g *source) outerTags(t *typ, add func(int, string)) {
	for t.kind == pointer && t.elem != nil {
		t = t.elem
	}
	switch t.kind {
	case text, blob:
		if g.one(25) {
			add(100, pick(g, "fixed=1", "fixed=6", "fixed=200"))
			return
		}
		if t.kind == blob {
			add(20, "nilable")
		}
	case list, mapping:
		add(20, "nilable")
	default:
		return
	}
	add(30, pick(g, "len=1", "len=2", "len=4"))
	add(20, pick(g, "max=1", "max=3", "max=1000"))
}

// leafTags adds tags of what is behind pointers and in lists.
func (g *source) leafTags(t *typ, add func(int, string)) {
	shares := false
	for t.elem != nil {
		if t.kind == pointer {
			shares = t.elem.kind == record && t.elem.named && !t.elem.empty
		}
		t = t.elem
	}
	switch t.kind {
	case integer:
		switch {
		case t.signed:
			add(60, pick(g, "varint", "zigzag", "be"))
		default:
			add(60, pick(g, "varint", "be"))
		}
	case float:
		add(40, "be")
	case instant:
		add(70, pick(g, "unix", "unixmilli", "unixnano", "ticks"))
		add(20, "be")
	case text:
		add(40, "utf8")
	case record:
		if t.sized {
			return
		}
		if shares && g.one(50) {
			add(100, "shared")
			return
		}
		add(50, "sized")
	case small:
		if strings.HasSuffix(t.expr, "lib.Grade") {
			add(60, "marshal")
		}
	}
}
