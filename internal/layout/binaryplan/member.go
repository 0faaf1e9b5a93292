package binaryplan

import (
	"cmp"
	"strconv"

	"github.com/spanwire/spanwire/internal/layout"
)

// tagged sets on a member what its tag says.
func (b *builder) tagged(f *Field, m member) {
	t := m.tag
	f.Pad, f.Align = t.number("pad"), t.number("align")
	if f.Node.isOpenEnded() || !b.fits(f, m) {
		return
	}
	if t.Has("null") {
		b.null(f)
	}
	b.lengths(f, m)
	if t.Has("const") {
		b.constant(f, m)
	}
	if t.Has("if") || t.Has("rest") || t.Has("count") || f.Sizes != nil {
		f.Min = 0
	}
	if t.Has("sum") {
		b.sum(f, m)
	}
}

// fits reports the options that are not for members of this type.
func (b *builder) fits(f *Field, m member) bool {
	fits := true
	for i := range table {
		o := &table[i]
		if !m.tag.Has(o.Name) || o.fits == nil || o.fits(f.Node) {
			continue
		}
		fits, b.st.spoilt = false, true
		b.target(m.site, m.Type, "the option "+o.Name+" is for "+o.of+", not for "+b.shape(m.Type).Name,
			cmp.Or(o.instead, "remove the option or change the type"))
	}
	return fits
}

// isOpenEnded reports whether n is known only by an instance of a generic type,
// or not at all.
func (n *Node) isOpenEnded() bool {
	return n != nil && (n.kind == layout.TypeParam || n.kind == layout.Unresolved)
}

// own gives a member a node of its own, where its tag changes that of its type.
func (b *builder) own(n *Node) *Node {
	c := *n
	b.order = append(b.order, &c)
	b.sites[&c] = b.sites[n]
	return &c
}

// set gives a member a length of its own.
func (b *builder) set(f *Field, l Length) {
	f.Node = b.own(f.Node)
	f.Node.Length = l
	f.Node.measure()
	f.Min = f.Node.Min
}

// lengths applies the options that say how long a member is. Where that is
// always the same the member gets a node of its own.
func (b *builder) lengths(f *Field, m member) {
	t := m.tag
	switch {
	case t.Has("fixed"):
		b.set(f, Length{Form: Trimmed, N: t.number("fixed")})
	case t.Has("rest"):
		b.set(f, Length{Form: Rest})
	case t.Has("until"):
		b.until(f, m)
	case t.Has("bcd"):
		b.bcd(f, m)
	case len(t.sizes) > 0 && b.form.fieldSize:
		b.sizes(f, t.sizes)
	}
}

// until ends a member with a value.
func (b *builder) until(f *Field, m member) {
	end, _ := strconv.ParseInt(m.tag.text("until"), 0, 64) // the table has checked it
	n := f.Node
	name, low, high := "byte", int64(0), int64(255)
	switch {
	case n.Op == OpSlice && n.Elem.Size == 8:
		low, high = -1<<63, 1<<63-1
	case n.Op == OpSlice:
		name, low, high = n.Elem.Name, -1<<(8*n.Elem.Size-1), 1<<(8*n.Elem.Size)-1
	}
	if end < low || end > high {
		b.report(m.site, m.Type, layout.Fault{
			Code:   layout.CodeTagValue,
			Reason: "the option until takes a " + name + " here, not " + strconv.FormatInt(end, 10),
			Fix:    "write a value that the " + name + " can have",
		})
	}
	b.set(f, Length{Form: Until, End: end})
}

// bcd writes a member as decimal digits.
func (b *builder) bcd(f *Field, m member) {
	size := m.tag.number("bcd")
	if f.Node.Op != OpString && size > 10 {
		b.report(m.site, m.Type, layout.Fault{
			Code: layout.CodeTagValue, Reason: "the option bcd takes at most 10 bytes for a number", Fix: "write at most bcd=10, or use a string",
		})
		return
	}
	f.Node = b.own(f.Node)
	if f.Node.Op == OpString {
		f.Node.Length = Length{Form: Exact, N: size}
	}
	f.Node.BCD, f.Node.Min, f.Min = size, size, size
}

// sizes applies FieldSize attributes. One that holds for every version and
// names no member needs nothing at run time.
func (b *builder) sizes(f *Field, all []sizeTag) {
	if s := all[0]; s.version == "" && s.ref == "" {
		b.set(f, s.length(b.form.length))
		return
	}
	for _, s := range all {
		f.Sizes = append(f.Sizes, SizeCase{Version: s.version, Length: s.length(b.form.length)})
	}
}

// length returns the length of what has no reference.
func (s sizeTag) length(prefix Length) Length {
	switch {
	case s.size > 0:
		return Length{Form: Exact, N: s.size}
	case s.width >= 0:
		prefix.Width = int8(s.width)
	}
	return prefix
}

// null gives a pointer, or the pointers that are the elements of a list or map,
// the form without a flag.
func (b *builder) null(f *Field) {
	p := f.Node.nullable()
	if p == nil || p.Op == OpObject {
		return // it has no flag anyway
	}
	q := b.own(p)
	q.Null = NullElement
	if p == f.Node {
		q.Null = NullMember
	}
	q.measure()
	if p == f.Node {
		f.Node = q
	} else {
		f.Node = b.own(f.Node)
		f.Node.Elem = q
		f.Node.measure()
	}
	f.Min = f.Node.Min
}

// sum plans a checksum.
func (b *builder) sum(f *Field, m member) {
	s := Sums[m.tag.number("sum")]
	if f.Node.Size != s.Size {
		b.target(m.site, m.Type, "the option sum="+s.Name+" needs an unsigned integer of "+strconv.Itoa(8*s.Size)+" bits", "change the type")
		return
	}
	f.Sum = &Sum{Name: s.Name, Size: s.Size, Slot: -1, from: m.tag.text("from")}
}

// What the options are for. A nil node is that of a blank field.

func (n *Node) isText() bool {
	return n != nil && (n.Op == OpString || n.Op == OpChars || n.Op == OpBytes)
}

func (n *Node) isList() bool { return n.isText() || n != nil && n.Op == OpSlice }

func (n *Node) isSizable() bool { return n.isList() || n != nil && n.Op == OpMap }

func (n *Node) isEnded() bool { return n.isText() || n.isList() && n.Elem.isInt() }

func (n *Node) isUnsigned() bool { return n.isInt() && !n.Signed }

func (n *Node) isDigits() bool { return n.isUnsigned() || n != nil && n.Op == OpString }

func (n *Node) isBits() bool { return n.isInt() || n != nil && n.Op == OpBool }

func (n *Node) isConst() bool {
	return n.isInt() || n != nil && (n.Op == OpByteArray || n.Op == OpString || n.Op == OpBytes)
}

func (n *Node) isNullable() bool { return n.nullable() != nil }

// nullable returns the pointer that the option null is for: the node, or the
// elements of a list or map.
func (n *Node) nullable() *Node {
	if n != nil && (n.Op == OpSlice || n.Op == OpArray || n.Op == OpMap) {
		n = n.Elem
	}
	if n == nil || n.kind != layout.Pointer {
		return nil
	}
	switch n.Elem.Op {
	case OpString, OpChars, OpBytes, OpSlice, OpMap, OpAddr, OpAddrPort:
		return n
	}
	if n.Op == OpObject || n.Elem.isOpenEnded() {
		return n
	}
	return nil
}

// hasNumber reports whether n is a number whose byte order can be chosen. Of a
// blank field without a value nothing is known that speaks against it.
func (n *Node) hasNumber() bool { return n == nil || n.holdsNumber(map[*Node]bool{}) }

func (n *Node) holdsNumber(seen map[*Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	switch n.Op {
	case OpInt16, OpInt32, OpInt64, OpInt, OpUint, OpFloat32, OpFloat64, OpTime, OpDecimal,
		OpDate, OpTimeOfDay, OpOffset, OpDuration, OpAddrPort:
		return true
	case OpStruct:
		for i := range n.Struct.Fields {
			if n.Struct.Fields[i].Node.holdsNumber(seen) {
				return true
			}
		}
	}
	return n.isOpenEnded() || n.Elem.holdsNumber(seen) || n.Key.holdsNumber(seen)
}
