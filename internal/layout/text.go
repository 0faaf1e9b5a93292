package layout

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// Text prints the layout of a root type and of all types that it reaches, for
// people: an entry for each, the root's first, then in the order of first use,
// with an empty line between. The text is the same from both feeds.
//
//	type example.com/shop.Order
//	  0 ID string max=64 utf8
//	  1 Lines []example.com/shop.Line
//	  2 State u8 # example.com/shop.State
//
// A field line has the field's position on the wire, its name, type and
// options, and after # the Go type where that is a named one without an entry.
// Types are bool, i8 to i64, u8 to u64, f32, f64, c64, c128, string, bytes,
// guid, decimal, char, time, time-s, time-ms, time-ns and time-ticks; [N]T, []T
// and map[K]V; *T after a presence byte, ?T without a marker, &T by object
// number; self(NAME), binary(NAME), text(NAME), json(NAME) and gob(NAME) for
// what methods write; param(NAME) for a type parameter; struct{, lines and }
// for an anonymous struct; or the name of an entry. In the NewLife profile !
// follows the types that the switches leave alone.
//
// A type line says newlife, sized and root-shared of a struct, and min=0 of a
// type with methods of its own. Types that are not structs are written as what
// they are; they have an entry of the form "type NAME = TYPE" at the root and
// where they reach themselves without passing a struct that has a name.
func (p *Plan) Text() string { return printText(p, false) }

// Canonical prints what the fingerprint counts: the lines of [Plan.Text] without
// empty ones, the types numbered t0, t1 and so on in the order of first use
// instead of named, without embedded and Go types, and with only the bare name
// of types whose methods write them.
func (p *Plan) Canonical() string { return printText(p, true) }

// Fingerprint identifies the layout: types with equal fingerprints have the same
// bytes and the same names of fields. It is the start of the SHA-256 of
// [Plan.Canonical], and never 0 or 1, which callers give a meaning of their own.
func (p *Plan) Fingerprint() uint64 {
	sum := sha256.Sum256([]byte(p.Canonical()))
	return max(binary.BigEndian.Uint64(sum[:]), 2)
}

// A printer prints the entries of one plan.
type printer struct {
	b         strings.Builder
	canonical bool
	names     map[entryKey]string
	taken     map[string]int // how many entries have a name
	queue     []entry        // those that have a name
	loops     map[*Node]bool
}

// An entry is a type that is referred to by name.
type entry struct {
	name    string
	node    *Node // an OpStruct for all structs
	newLife bool  // the profile in which a type that is not a struct stands
}

// entryKey is what distinguishes entries: a struct has a profile of its own,
// and part of it may be left out.
type entryKey struct {
	ref     Ref
	newLife bool
	partial *Struct
}

func printText(plan *Plan, canonical bool) string {
	p := &printer{
		canonical: canonical,
		names:     map[entryKey]string{}, taken: map[string]int{}, loops: map[*Node]bool{},
	}
	root := plan.Root
	if root.Op == OpSized {
		root = root.Elem
	}
	if p.named(root) {
		p.ref(root, false)
	} else {
		p.add(root, false) // nothing refers to it
	}
	for i := 0; i < len(p.queue); i++ {
		if i > 0 && !canonical {
			p.b.WriteByte('\n')
		}
		p.entry(p.queue[i])
	}
	return p.b.String()
}

// add makes an entry for a node and returns its name.
func (p *printer) add(n *Node, newLife bool) string {
	name := "t" + strconv.Itoa(len(p.queue))
	if !p.canonical {
		name = n.Name
		p.taken[name]++
		if count := p.taken[name]; count > 1 { // types of different functions
			name += "·" + strconv.Itoa(count)
		}
		if strings.Contains(name, " ") {
			name = strconv.Quote(name)
		}
	}
	p.queue = append(p.queue, entry{name, n, newLife})
	return name
}

// ref returns the name of the entry of a node that has one.
func (p *printer) ref(n *Node, newLife bool) string {
	key := entryKey{ref: n.Type, newLife: newLife && n.Op != OpStruct}
	if n.Op == OpStruct && n.Struct.Partial {
		key.partial = n.Struct
	}
	name, ok := p.names[key]
	if !ok {
		name = p.add(n, key.newLife)
		p.names[key] = name
	}
	return name
}

// named reports whether a node is referred to by name.
func (p *printer) named(n *Node) bool {
	switch {
	case !n.named:
		return false
	case n.Op == OpStruct:
		return true
	case n.Op == OpSelf:
		return n.free
	}
	loops, ok := p.loops[n]
	if !ok {
		loops = n.loops()
		p.loops[n] = loops
	}
	return loops
}

// loops reports whether a node leads to itself without passing a named struct.
func (n *Node) loops() bool {
	seen := map[*Node]bool{}
	var search func(*Node) bool
	search = func(at *Node) bool {
		return at.any(func(m *Node) bool {
			if m == n {
				return true
			}
			if seen[m] || m.Op == OpStruct && m.named {
				return false
			}
			seen[m] = true
			return search(m)
		})
	}
	return search(n)
}

// entry prints an entry.
func (p *printer) entry(e entry) {
	p.b.WriteString("type " + e.name)
	if e.node.Op == OpStruct {
		p.typeOptions(e.node.Struct)
		p.b.WriteByte('\n')
		p.fields(e.node.Struct, "  ")
		return
	}
	p.flag(e.newLife, "newlife")
	p.flag(e.node.free, "min=0")
	p.b.WriteString(" = ")
	p.form(e.node, e.newLife, "")
	p.b.WriteByte('\n')
}

func (p *printer) typeOptions(s *Struct) {
	p.flag(s.NewLife, "newlife")
	p.flag(s.Sized, "sized")
	p.flag(s.RootShared, "root-shared")
}

// fields prints the lines of a struct.
func (p *printer) fields(s *Struct, indent string) {
	for i := range s.Fields {
		f := &s.Fields[i]
		p.b.WriteString(indent + strconv.Itoa(i) + " " + f.Name + " ")
		p.typ(f.Node, s.NewLife, indent)
		p.options(f)
		if !p.canonical {
			p.flag(f.Embedded, "embedded")
			p.flag(p.unwritten(f.Node), "# "+f.Node.Name)
		}
		p.b.WriteByte('\n')
	}
}

func (p *printer) flag(on bool, word string) {
	if on {
		p.b.WriteString(" " + word)
	}
}

func (p *printer) value(name string, v, without int) {
	if v != without {
		p.b.WriteString(" " + name + "=" + strconv.Itoa(v))
	}
}

// options prints the options of a field in the order of the format's
// description. They are those of the outermost length and of the leaf.
func (p *printer) options(f *Field) {
	leaf, length := p.leaf(f.Node)
	p.flag(leaf.Enc == EncVarint, "varint")
	p.flag(leaf.Enc == EncZigZag, "zigzag")
	p.flag(leaf.BE, "be")
	p.value("len", length.Prefix, 0)
	p.value("fixed", length.FixedLen, 0)
	p.flag(f.Optional, "optional")
	p.flag(leaf.Op == OpSized && !leaf.Elem.Struct.Sized, "sized")
	p.flag(length.Nilable, "nilable")
	if !length.MaxZero {
		p.value("max", length.Max, Unlimited)
	}
	p.flag(leaf.UTF8, "utf8")
	p.flag(f.omit != "", "omit="+f.omit)
}

// leaf follows pointers and the elements of lists to the node that has a field's
// leaf options, and finds the one that has those of its length.
func (p *printer) leaf(n *Node) (leaf, length *Node) {
	for !p.named(n) {
		switch n.Op {
		case OpPointer, OpInline, OpShared:
			n = n.Elem
			continue
		case OpArray, OpSlice, OpMap:
			if length == nil {
				length = n
			}
			n = n.Elem
			continue
		}
		break
	}
	if length == nil {
		length = n
	}
	return n, length
}

// unwritten reports whether a type's text leaves out the name of a type that is
// not a struct.
func (p *printer) unwritten(n *Node) bool {
	if p.named(n) || n.Op == OpStruct || n.Op == OpSized {
		return false
	}
	switch n.Op {
	case OpSelf, OpBinary, OpText, OpJSON, OpGob, OpGUID, OpDecimal, OpChar:
		return false
	case OpTime:
		return n.Name != "time.Time"
	}
	return n.named || n.any(p.unwritten)
}
