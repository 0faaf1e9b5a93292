// Package randomtypes writes Go source with random types: all kinds, tags,
// nesting, generics, and types of other packages. Every type has a wire form.
package randomtypes

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Package is the source of a package with random types.
type Package struct {
	Source string
	// Types are those with generated methods, instances of generic ones.
	Types []string
}

// New makes a package of n types with generated methods. The same seed gives the
// same package.
func New(name string, seed uint64, n int) Package {
	g := &source{Rand: rand.New(rand.NewPCG(seed, 1))}
	fmt.Fprintf(&g.text, "// Package %s has random types of seed %d.\npackage %s\n\nimport (\n", name, seed, name)
	for _, path := range []string{"math/big", "net/netip", "net/url", "time"} {
		fmt.Fprintf(&g.text, "\t%q\n", path)
	}
	fmt.Fprintf(&g.text, "\n\t%q\n\t%q\n)\n\nvar (\n\t_ big.Int\n\t_ netip.Addr\n\t_ url.URL\n\t_ time.Time\n\t_ span.GUID\n\t_ lib.Point\n)\n",
		"github.com/spanwire/spanwire/internal/test/randomtypes/lib", "github.com/spanwire/spanwire/span")
	var p Package
	for i := range n {
		g.helper(i)
		p.Types = append(p.Types, g.root(i))
	}
	p.Source = g.text.String()
	return p
}

// A kind is what tags and places ask of a type.
type kind int

const (
	boolean kind = iota
	small        // an integer of one byte
	integer
	float
	char
	text
	blob
	instant
	wide // GUID and Decimal
	methods
	self
	list
	mapping
	array
	record
	pointer
)

// A typ is a type that source can mention.
type typ struct {
	expr   string
	kind   kind
	elem   *typ
	key    bool // it can be the key of a map
	signed bool
	name   string // of the field that embedding it gives, "" where it can't be embedded
	named  bool   // of a record: it has a name
	empty  bool   // it takes no byte
	hollow bool   // its values take no memory
	sized  bool   // of a record: every use is sized
	weight int    // about how many parts its values have at least
	loose  bool   // it can only be the last part of a message

	promotes bool // of a record: a field that it embeds has marshaler methods
}

// source is a package in the making.
type source struct {
	*rand.Rand
	text  strings.Builder
	known []*typ // that have been declared
	open  *typ   // the type that is being declared, nil where it may not be used
	depth int
}

func (g *source) one(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *source, all ...T) T { return all[g.IntN(len(all))] }

var scalars = []*typ{
	{expr: "bool", kind: boolean, key: true}, {expr: "int8", kind: small, key: true}, {expr: "uint8", kind: small, key: true},
	{expr: "int16", kind: integer, signed: true, key: true}, {expr: "int32", kind: integer, signed: true, key: true},
	{expr: "int64", kind: integer, signed: true, key: true}, {expr: "int", kind: integer, signed: true, key: true},
	{expr: "uint16", kind: integer, key: true}, {expr: "uint32", kind: integer, key: true},
	{expr: "uint64", kind: integer, key: true}, {expr: "uint", kind: integer, key: true},
	{expr: "float32", kind: float, key: true}, {expr: "float64", kind: float, key: true},
	{expr: "complex64", kind: float, key: true}, {expr: "complex128", kind: float, key: true},
	{expr: "string", kind: text, key: true}, {expr: "[]byte", kind: blob},
	{expr: "time.Time", kind: instant, name: "Time"}, {expr: "time.Duration", kind: integer, signed: true, key: true},
	{expr: "span.GUID", kind: wide, key: true, name: "GUID"}, {expr: "span.Decimal", kind: wide, key: true, name: "Decimal"},
	{expr: "span.Char", kind: char, key: true, name: "Char"},
}

var foreign = []*typ{
	{expr: "lib.Byte", kind: small, key: true, name: "Byte"}, {expr: "lib.Level", kind: integer, signed: true, key: true, name: "Level"},
	{expr: "lib.Label", kind: text, key: true, name: "Label"}, {expr: "lib.Flag", kind: boolean, key: true, name: "Flag"},
	{expr: "lib.Blob", kind: blob, name: "Blob"}, {expr: "lib.Bytes", kind: blob}, {expr: "lib.Hash", kind: array, elem: scalars[2], key: true},
	{expr: "lib.Words", kind: array, elem: scalars[7], key: true}, {expr: "lib.Names", kind: list, elem: scalars[15], name: "Names"},
	{expr: "lib.Sizes", kind: mapping, elem: scalars[5]}, {expr: "lib.Instant", kind: instant},
	{expr: "lib.Nothing", kind: record, named: true, key: true, empty: true, hollow: true, name: "Nothing"},
	{expr: "lib.Alias", kind: record, key: true, name: "Alias"},
	{expr: "lib.Point", kind: record, named: true, key: true, name: "Point"}, {expr: "lib.Item", kind: record, named: true, name: "Item"},
	{expr: "lib.Pair[string, lib.Point]", kind: record, named: true, name: "Pair"}, {expr: "lib.Pair[int8, []lib.Label]", kind: record, named: true},
	{expr: "lib.Tree", kind: record, named: true, name: "Tree"}, {expr: "lib.Old", kind: record, named: true, loose: true},
	{expr: "lib.Roomy", kind: record, named: true, sized: true, name: "Roomy"},
	{expr: "lib.Own", kind: self, key: true, name: "Own"}, {expr: "lib.Made", kind: methods, key: true, name: "Made"},
	{expr: "lib.Added", kind: methods, key: true}, {expr: "lib.Packed", kind: methods, name: "Packed", key: true},
	{expr: "lib.Grade", kind: small, key: true},
	{expr: "netip.Addr", kind: methods, key: true, name: "Addr"}, {expr: "url.URL", kind: methods, name: "URL"}, {expr: "big.Int", kind: methods},
}

// typ makes a type whose values are not too large.
func (g *source) typ() *typ {
	for {
		if t := g.any(); t.weight < 100 {
			return t
		}
	}
}

// any makes a type.
func (g *source) any() *typ {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 4 {
		return pick(g, scalars...)
	}
	switch n := g.IntN(100); {
	case n < 32:
		return pick(g, scalars...)
	case n < 50:
		return pick(g, foreign...)
	case n < 62 && len(g.known) > 0:
		return pick(g, g.known...)
	case n < 66 && g.open != nil:
		e := g.open
		return pick(g, &typ{expr: "[]" + e.expr, kind: list, elem: e}, &typ{expr: "*" + e.expr, kind: pointer, elem: e},
			&typ{expr: "map[int8]" + e.expr, kind: mapping, elem: e}, &typ{expr: "[]*" + e.expr, kind: list, elem: &typ{kind: pointer, elem: e}})
	case n < 75:
		return g.array()
	case n < 83:
		e := g.typ()
		if e.expr == "uint8" || e.expr == "lib.Byte" {
			return &typ{expr: "[]" + e.expr, kind: blob}
		}
		return &typ{expr: "[]" + e.expr, kind: list, elem: e}
	case n < 89:
		e := g.typ()
		return &typ{expr: "map[" + g.key().expr + "]" + e.expr, kind: mapping, elem: e}
	case n < 95:
		e := g.typ()
		return &typ{expr: "*" + e.expr, kind: pointer, elem: e}
	}
	return g.anonymous()
}

func (g *source) array() *typ {
	n, e := pick(g, 0, 1, 2, 3, 5), g.typ()
	return &typ{expr: fmt.Sprintf("[%d]%s", n, e.expr), kind: array, elem: e, key: e.key, empty: n == 0 || e.empty, loose: e.loose && n > 0, weight: n * (e.weight + 1), hollow: n == 0 || e.hollow}
}

// key makes a type for the keys of a map.
func (g *source) key() *typ {
	for {
		if t := g.typ(); t.key {
			return t
		}
	}
}

// anonymous makes a struct without a name.
func (g *source) anonymous() *typ {
	open := g.open
	g.open = nil
	defer func() { g.open = open }()
	t := &typ{kind: record, key: true, empty: true, hollow: true}
	var fields []string
	for i := range g.IntN(4) {
		f := g.typ()
		if t.loose || f.loose {
			t.loose = true
		}
		t.key, t.empty, t.weight = t.key && f.key, t.empty && f.empty, t.weight+1+f.weight
		tag := g.tag(f, "")
		if skips(tag) { // elements with memory and without bytes need a max, as few lists have
			tag = ""
		}
		t.hollow = t.hollow && f.hollow
		fields = append(fields, fmt.Sprintf("A%d %s%s", i, f.expr, tag))
	}
	t.empty = t.empty && len(fields) == 0 // a tag may add bytes
	t.expr = "struct{ " + strings.Join(fields, "; ") + " }"
	return t
}
