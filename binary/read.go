package binary

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span"
)

// value reads the value at p: through the chain if there is one.
func (d *Decoder) value(n *node, p ptr) {
	if d.Handlers != nil {
		d.chained(n, p)
		return
	}
	d.sized(n, p, n.sz)
}

// sized reads the value at p, whose length is where sz says.
func (d *Decoder) sized(n *node, p ptr, sz sizing) {
	switch n.op {
	case opStruct:
		d.structure(n, p)
	case opString:
		mem.SetString(p, d.stringNode(n, sz))
	case opBytes:
		d.bytes(n, p, sz)
	case opObject:
		d.object(n, p)
	case opSlice:
		d.list(n, p, sz)
	case opMap:
		d.mapping(n, p, sz)
	case opNullable:
		d.nullable(n, p, sz)
	case opArray:
		d.array(n, p)
	case opByteArray:
		copy(array(n, p), d.take(n.len))
	case opAny:
		d.fail(because(ErrUnsupported, "a value of any type is written but can't be read"))
	case opAccessor, opSpan:
		d.methods(n, p)
	case opTime:
		*at[timeT](p) = d.time(n.full, n.le, n.varint)
	case opGUID:
		copy(at[span.GUID](p)[:], d.take(16))
	default:
		d.scalar(n, p, sz)
	}
}

// scalar reads what is left of the types.
func (d *Decoder) scalar(n *node, p ptr, sz sizing) {
	switch n.op {
	case opBool:
		mem.SetBool(p, d.ReadBool())
	case op8, opInt16, opInt32, opInt64, opInt, opUint, opFloat32, opFloat64:
		d.number(n, p)
	default:
		d.special(n, p, sz)
	}
}

// number reads an integer or float.
func (d *Decoder) number(n *node, p ptr) {
	var v uint64
	switch {
	case n.bcd > 0:
		var err error
		if v, err = intBCD(d.take(n.bcd)); err == nil && n.size < 8 && v>>(8*n.size) != 0 {
			err = because(ErrRange, "%d does not fit in %s", v, n.typ)
		}
		d.fail(err)
	case n.op == opFloat32 || n.op == opFloat64:
		v = d.fixed(n.size, n.le)
	default:
		v = d.word(n.size, n.le, n.varint)
	}
	if d.err == nil {
		d.setBits(n, p, v)
	}
}

// setBits stores the bits of an integer or float.
func (d *Decoder) setBits(n *node, p ptr, v uint64) {
	switch n.op {
	case op8:
		mem.Set8(p, uint8(v))
	case opInt16:
		mem.Set16(p, uint16(v))
	case opInt32, opFloat32:
		mem.Set32(p, uint32(v))
	case opInt64, opFloat64:
		mem.Set64(p, v)
	case opInt:
		if int64(int(v)) != int64(v) {
			d.fail(because(ErrRange, "%d does not fit in an int on this platform", int64(v)))
			return
		}
		mem.SetInt(p, int(v))
	case opUint:
		if uint64(uint(v)) != v {
			d.fail(because(ErrRange, "%d does not fit in a uint on this platform", v))
			return
		}
		mem.SetUint(p, uint(v))
	}
}

// structure reads a struct that is not the target of a pointer.
func (d *Decoder) structure(n *node, p ptr) {
	if !d.UseRef {
		d.members(n, p)
		return
	}
	if len(d.hosts) > 0 {
		start := d.off
		if k := d.size(d.prefix()); k != len(d.hosts)+1 && d.err == nil {
			d.off = start
			d.fail(because(ErrMalformed, "the mark %d where an object must follow", k))
		}
	}
	d.hosted(n, p)
}

// hosted reads an object that those inside may refer to.
func (d *Decoder) hosted(n *node, p ptr) {
	if d.err != nil {
		return
	}
	d.hosts = append(d.hosts, host{n, p})
	d.members(n, p)
	d.hosts = d.hosts[:len(d.hosts)-1]
}

// members reads the members of a struct.
func (d *Decoder) members(n *node, p ptr) {
	if !d.enter() {
		return
	}
	if n.st.plain && !d.slow() {
		d.plain(n, p)
	} else {
		d.tagged(n, p)
	}
	d.level--
}

// ends reports that a member is missing at the end of the input.
func (d *Decoder) ends(f *field) bool { return f.min > 0 || d.inner == 0 && !d.Strict }

// missing ends a struct at the end of the input, before member i: it and those
// behind it are zero.
func (d *Decoder) missing(n *node, p ptr, i int) {
	if d.err != nil {
		return
	}
	if !d.lenient(n.st, i) {
		d.fail(because(io.ErrUnexpectedEOF, "the member needs at least %d bytes, 0 are left", max(n.st.fields[i].min, 1)))
		d.at(n.st.fields[i].path)
		return
	}
	for j := i; j < len(n.st.fields); j++ {
		f := &n.st.fields[j]
		switch {
		case f.x != nil && f.x.run != nil:
			for k := range f.x.run.fields {
				if bf := &f.x.run.fields[k]; !bf.blank {
					valueOf(bf.node, bf.In(p)).SetZero()
				}
			}
		case f.node != nil && f.name != "_" && !d.ignores(f.name):
			valueOf(f.node, f.In(p)).SetZero()
		}
	}
	for j := i; j < len(n.st.fields) && d.err == nil && !n.st.plain; j++ {
		d.promised(&n.st.fields[j], p, i)
	}
	d.cut = true
}

// stringNode reads a string, which may be BCD.
func (d *Decoder) stringNode(n *node, sz sizing) string {
	if n.bcd > 0 {
		return d.ReadBCD(n.bcd)
	}
	return d.string(sz)
}

// string reads text in Options.Encoding.
func (d *Decoder) string(sz sizing) string {
	b := d.raw(sz)
	switch sz.Form {
	case binaryplan.Trimmed:
		b = trimUnits(b, d.unitSize())
	case binaryplan.Exact:
		b = wholeUnits(b, d.unitSize())
	}
	if len(b) == 0 {
		return ""
	}
	b = b[:len(b):len(b)] // who decodes it may append
	if d.Encoding == nil {
		if d.Strict && !utf8.Valid(b) {
			d.fail(ErrUTF8)
			return ""
		}
		return d.trim(string(b))
	}
	s, err := d.Encoding.Text(b[:len(b):len(b)])
	if err != nil {
		d.fail(because(ErrMalformed, "%v", err))
		return ""
	}
	return d.trim(s)
}

// bytes reads a byte slice into the destination's own storage.
func (d *Decoder) bytes(_ *node, p ptr, sz sizing) {
	b := d.raw(sz)
	if d.err != nil {
		return
	}
	if sz.Form == binaryplan.Trimmed {
		b = trimZeros(b)
	}
	own := mem.GetBytes(p)
	if len(b) == 0 {
		mem.SetBytes(p, own[:0])
		return
	}
	if cap(own) < len(b) {
		own = make([]byte, len(b))
	}
	own = own[:len(b)]
	copy(own, b)
	mem.SetBytes(p, own)
}

// raw reads bytes with their length; they are valid until the next read.
func (d *Decoder) raw(sz sizing) []byte {
	switch sz.Form {
	case binaryplan.Prefixed:
		n := d.size(sz)
		if d.holds(n, 1); d.err != nil {
			return nil
		}
		return d.take(n)
	case binaryplan.Exact, binaryplan.Trimmed:
		return d.take(sz.N)
	case binaryplan.Until:
		return d.until(byte(sz.End))
	}
	return d.rest()
}

// rest reads up to the end of the input, or a trailer.
func (d *Decoder) rest() []byte {
	end, ok := d.restEnd()
	if !ok {
		return nil
	}
	return d.take(end - d.off)
}

// until reads up to a byte, which is not part of the value.
func (d *Decoder) until(end byte) []byte {
	for from := d.off; ; {
		if i := bytes.IndexByte(d.b[from:], end); i >= 0 {
			b := d.b[d.off : from+i : from+i]
			d.off = from + i + 1
			return b
		}
		from = len(d.b)
		if !d.fill(len(d.b) - d.off + 1) {
			d.off = len(d.b)
			d.fail(because(io.ErrUnexpectedEOF, "the byte %#02x that ends the value is missing", end))
			return nil
		}
	}
}
