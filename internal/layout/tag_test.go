package layout

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScanTag(t *testing.T) {
	for _, test := range []struct {
		tag  string
		want scannedTag
	}{
		{"", scannedTag{}},
		{"   ", scannedTag{}},
		{`span:"-"`, scannedTag{text: "-", count: 1}},
		{`json:"b"    xml:"b"     span:"-"     `, scannedTag{text: "-", count: 1}},
		{`span:"max=3" json:"a,omitempty"`, scannedTag{text: "max=3", count: 1}},
		{`span:"a\tb"`, scannedTag{text: "a\tb", count: 1}},
		{`json:"span:-"`, scannedTag{}},
		{`spans:"x"`, scannedTag{}},
		{`span:"fixed=8" span:"fixed=9"`, scannedTag{text: "fixed=8", count: 2}},
		{`span: "-"`, scannedTag{bad: true}},
		{`span:-`, scannedTag{bad: true}},
		{`span:"-`, scannedTag{bad: true}},
		{`span`, scannedTag{bad: true}},
		{`span:`, scannedTag{bad: true}},
		{`:"x"`, scannedTag{bad: true}},
		{`"x"`, scannedTag{bad: true}},
		{"span:`-`", scannedTag{bad: true}},
		{`json:"a"span:"-"`, scannedTag{bad: true}},
		{`json:"a",span:"-"`, scannedTag{bad: true}},
		{`json:"a";span:"-"`, scannedTag{bad: true}},
		{"json:\"a\"\tspan:\"-\"", scannedTag{bad: true}},
		{"span:\"-\"\r", scannedTag{text: "-", count: 1, bad: true}},
		{`span:"-" json`, scannedTag{text: "-", count: 1, bad: true}},
		{`json:"\q" span:"-"`, scannedTag{bad: true}},
	} {
		if got := scanTag(test.tag, "span"); got != test.want {
			t.Errorf("scanTag(%q) = %+v, want %+v", test.tag, got, test.want)
		}
	}
}

func TestBaseName(t *testing.T) {
	for name, want := range map[string]string{
		"int":                                "int",
		"example.com/go-geo.v2.Point":        "Point",
		"[]example.com/a.T":                  "[]T",
		"map[a/b.K]*[3]c.d/e.V":              "map[K]*[3]V",
		"x/y.Pair[int32,example.com/q.Tag]":  "Pair[int32,Tag]",
		"func(a/b.T, ...c/d.U) (e.F, error)": "func(T, ...U) (F, error)",
		"[]struct { A a/b.T }":               "[]struct",
		"chan<- a/b.T":                       "chan<- T",
	} {
		if got := baseName(name); got != want {
			t.Errorf("baseName(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestUnknownOptions has what people write for options (G12).
func TestUnknownOptions(t *testing.T) {
	for text, want := range map[string]string{
		"200=max":      "did you mean max=200?",
		"2=len":        "did you mean len=2?",
		"3=len":        "did you mean len=2?",
		"json=marshal": "did you mean marshal=json?",
		"mx=20":        "did you mean max=20?",
		"maxx":         "did you mean max=1024?",
		"Varint":       "did you mean varint?",
		" varint":      "did you mean varint?",
		"varnit=5":     "did you mean varint?",
		"nillable":     "did you mean nilable?",
		"unixmili":     "did you mean unixmilli?",
		"size":         "did you mean sized?",
		"newlive":      "newlife is a type option: put it on a blank field, as in _ struct{} `span:\"newlife\"`",
		"min=0":        "min=0 is a type option: put it on a blank field, as in _ struct{} `span:\"min=0\"`",
		"omitempty": "the options here are varint, zigzag, be, len=2, fixed=16, unix, unixmilli, unixnano, ticks, optional, sized, nilable, max=1024, " +
			"shared, utf8, marshal=json, fields, omit=A.B|C",
	} {
		_, faults := SpanTags.Options(text, fieldOptionTable)
		require.Len(t, faults, 1, text)
		require.Equal(t, want, faults[0].Fix, text)
	}
	_, faults := SpanTags.Options("zigzag", typeOptionTable)
	require.Equal(t, "zigzag is a field option: put it on the field it is meant for", faults[0].Fix)
}
