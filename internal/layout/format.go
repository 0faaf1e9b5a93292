package layout

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// String prints the whole plan, one struct after the other: the text is the
// same from both feeds, except for what depends on memory.
func (p *Plan) String() string {
	d := newDump(false)
	for _, s := range p.Structs {
		d.number(s)
	}
	fmt.Fprintf(&d.b, "root %s", p.Root.Name)
	d.flag(!p.SelfDelimiting, "open-ended")
	d.b.WriteByte('\n')
	d.node(p.Root)
	d.b.WriteByte('\n')
	d.structs()
	return d.b.String()
}

// Hash identifies what a struct looks like on the wire, with all types below
// it: names, tags and forms. It is the same from both feeds and in every
// program.
func (s *Struct) Hash() uint64 {
	d := newDump(true)
	d.number(s)
	d.structs()
	h := fnv.New64a()
	_, _ = h.Write([]byte(d.b.String())) // never fails
	return h.Sum64()
}

// A dump prints nodes as nested lists and refers to structs by number.
type dump struct {
	b        strings.Builder
	wireOnly bool // leave out what follows from the rest
	numbers  map[*Struct]int
	queue    []*Struct
	open     map[*Node]bool
}

func newDump(wireOnly bool) *dump {
	return &dump{wireOnly: wireOnly, numbers: map[*Struct]int{}, open: map[*Node]bool{}}
}

// number returns a struct's number; a new one is printed later.
func (d *dump) number(s *Struct) int {
	n, ok := d.numbers[s]
	if !ok {
		n = len(d.queue)
		d.numbers[s] = n
		d.queue = append(d.queue, s)
	}
	return n
}

// structs prints all structs that have a number, and those they lead to.
func (d *dump) structs() {
	for i := 0; i < len(d.queue); i++ {
		d.structure(d.queue[i], i)
	}
}

func (d *dump) structure(s *Struct, number int) {
	fmt.Fprintf(&d.b, "#%d %s", number, s.Name)
	d.flag(s.NewLife, "newlife")
	d.flag(s.Sized, "sized")
	d.flag(s.Partial, "partial")
	if !d.wireOnly {
		d.flag(s.Generated, "generated")
		d.flag(!s.SelfDelimiting, "open-ended")
		d.flag(s.RootShared, "root-shared")
		d.flag(s.Canonical, "canonical")
		d.b.WriteString(" in " + strconv.Quote(s.Pkg))
	}
	d.b.WriteByte('\n')
	for _, f := range s.Fields {
		d.b.WriteByte('\t')
		if !d.wireOnly {
			fmt.Fprintf(&d.b, "%d ", f.Index)
		}
		d.b.WriteString(f.Name)
		d.flag(f.Embedded, "embedded")
		d.flag(f.Optional, "optional")
		if f.Tag != "" {
			d.b.WriteString(" " + strconv.Quote(f.Tag))
		}
		d.b.WriteByte(' ')
		d.node(f.Node)
		d.b.WriteByte('\n')
	}
}

// node prints a node and those below it up to structs.
func (d *dump) node(n *Node) {
	if d.open[n] {
		fmt.Fprintf(&d.b, "(again %s)", n.Name)
		return
	}
	d.open[n] = true
	d.b.WriteString("(" + n.Op.String())
	if n.Struct != nil {
		fmt.Fprintf(&d.b, " #%d", d.number(n.Struct))
	} else {
		d.b.WriteString(" " + n.Name)
	}
	d.encoding(n)
	d.lengths(n)
	if !d.wireOnly {
		d.analyses(n)
	}
	for _, m := range []*Node{n.Key, n.Elem} {
		if m != nil {
			d.b.WriteByte(' ')
			d.node(m)
		}
	}
	d.b.WriteByte(')')
	delete(d.open, n)
}

func (d *dump) encoding(n *Node) {
	d.value("size", n.Size, 0)
	d.flag(n.Signed, "signed")
	d.flag(n.Platform, "platform")
	d.flag(n.Enc == EncVarint, "varint")
	d.flag(n.Enc == EncZigZag, "zigzag")
	d.flag(n.BE, "be")
	if n.Op == OpTime {
		d.flag(true, n.Time.String())
	}
	d.flag(n.Switched, "switched")
	d.flag(n.Lenient, "lenient")
}

func (d *dump) lengths(n *Node) {
	d.value("prefix", n.Prefix, 0)
	d.value("max", n.Max, Unlimited)
	d.flag(n.MaxZero, "max-zero")
	d.value("fixed", n.FixedLen, 0)
	d.flag(n.Nilable, "nilable")
	d.flag(n.UTF8, "utf8")
	if n.Op == OpArray {
		d.value("len", n.Len, -1)
	}
	d.flag(n.free, "min=0")
}

func (d *dump) analyses(n *Node) {
	d.flag(n.ByteArray, "byte-array")
	d.flag(n.Generated, "generated")
	d.value("least", n.Min, -1)
	d.value("least-switched", n.MinSwitched, n.Min)
	d.value("exactly", n.Fixed, -1)
	d.flag(n.Cyclic, "cyclic")
	d.flag(n.MayEndNil, "may-end-nil")
	d.flag(n.Shares, "shares")
	d.flag(n.Structs, "structs")
}

func (d *dump) flag(on bool, name string) {
	if on {
		d.b.WriteString(" " + name)
	}
}

func (d *dump) value(name string, v, without int) {
	if v != without {
		d.b.WriteString(" " + name + "=" + strconv.Itoa(v))
	}
}
