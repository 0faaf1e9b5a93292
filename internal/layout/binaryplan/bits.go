package binaryplan

import (
	"strconv"

	"github.com/spanwire/spanwire/internal/layout"
)

// openRun is a run of bit fields that has not ended.
type openRun struct {
	*BitRun
	first Field // as far as it says where the run is
	at    layout.Site
	typ   layout.Ref
}

// bits adds a bit field to the run at the end of the members.
func (b *builder) bits(m member, f Field) {
	n := &Node{Type: m.Type, Name: b.shape(m.Type).Name, kind: b.shape(m.Type).Kind}
	n.scalar()
	if n.isOpenEnded() {
		return
	}
	width := 8 * n.Size
	if n.Op == OpBool {
		width = 1
	}
	bits := m.tag.number("bits")
	if probe := (Field{Node: n}); !b.fits(&probe, m) {
		b.whole(m, f)
		return
	}
	if bits > width {
		b.whole(m, f)
		b.report(m.site, m.Type, layout.Fault{
			Code: layout.CodeTagValue, Reason: strconv.Itoa(bits) + " bits do not fit in " + n.Name, Fix: "use a larger type or fewer bits",
		})
		return
	}
	lsb := m.tag.Has("lsb")
	if b.run != nil && b.run.LSB != lsb {
		b.endRun()
	}
	if b.run == nil {
		b.run = &openRun{BitRun: &BitRun{LSB: lsb}, first: f, at: m.site, typ: m.Type}
	}
	bf := BitField{Index: m.index, Node: n, Name: f.Name, Path: f.Path, Bits: bits, Blank: f.Blank}
	if m.tag.Has("const") {
		bf.Const = b.bitConst(m, n, bits)
	}
	b.run.Fields = append(b.run.Fields, bf)
}

// whole adds a member whose bits make no sense as one without a tag.
func (b *builder) whole(m member, f Field) {
	m.tag, b.st.spoilt = nil, true
	b.add(m, f)
}

// bitConst reads the value of a bit field with const.
func (b *builder) bitConst(m member, n *Node, bits int) *Const {
	c := &Const{Text: m.tag.text("const")}
	v, ok := constInt(c.Text, n)
	if !ok || n.Op == OpBool || !FitsBits(v, n, bits) {
		b.noConst(m, c)
	}
	c.Value = &v
	return c
}

// FitsBits reports whether a value given by its bits fits a bit field.
func FitsBits(v uint64, n *Node, bits int) bool {
	if bits >= 8*n.Size && n.Op != OpBool {
		return true
	}
	if n.Signed {
		width := 8 * n.Size
		s := int64(v<<(64-width)) >> (64 - width)
		high := s >> (bits - 1)
		return high == 0 || high == -1
	}
	return v>>bits == 0
}

// endRun ends a run of bit fields: it is one member of the struct.
func (b *builder) endRun() {
	run := b.run
	if run == nil {
		return
	}
	b.run = nil
	total := 0
	for _, f := range run.Fields {
		total += f.Bits
	}
	if total%8 != 0 && !b.st.spoilt {
		b.report(run.at, run.typ, layout.Fault{
			Code:   layout.CodeTagValue,
			Reason: "the bit fields from here on have " + strconv.Itoa(total) + " bits, which is not a whole number of bytes",
			Fix:    "add a blank field with the missing bits",
		})
	}
	run.Size = total / 8
	f := run.first
	f.Blank, f.Bits, f.Min = false, run.BitRun, run.Size
	b.append(f, nil, run.at)
}

// checks reports whether r is a run with a constant.
func (r *BitRun) checks() bool {
	for _, f := range r.Fields {
		if f.Const != nil {
			return true
		}
	}
	return false
}
