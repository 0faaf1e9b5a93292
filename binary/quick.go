package binary

import (
	"encoding/binary"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span/wire"
)

// The fast path: structs whose members have no tag that matters, walked in one
// loop. What is not in it is left to the nodes.

// quick is what the fast path does with a member.
type quick uint8

const (
	quickNone quick = iota
	quickBool
	quick8
	quick16BE
	quick16LE
	quick32BE
	quick32LE
	quick64BE
	quick64LE
	quickVar16
	quickVar32
	quickVar64
	quickString // with a uvarint before it
	quickTimeBE // as seconds
	quickTimeLE
	quickTimeVar
	quickStruct
)

// quick chooses the fast path of a node.
func (n *node) quick() quick {
	if n.bcd > 0 {
		return quickNone
	}
	order := quick(0)
	if n.le {
		order = 1
	}
	switch n.op {
	case opBool:
		return quickBool
	case op8:
		return quick8
	case opInt16, opInt32, opInt64:
		if n.varint {
			return quickVar16 + quick(n.op-opInt16)
		}
		return quick16BE + 2*quick(n.op-opInt16) + order
	case opFloat32:
		return quick32BE + order
	case opFloat64:
		return quick64BE + order
	case opString:
		if n.sz.Form == binaryplan.Prefixed && n.sz.Width == 0 {
			return quickString
		}
	case opTime:
		switch {
		case n.full:
		case n.varint:
			return quickTimeVar
		default:
			return quickTimeBE + order
		}
	case opStruct:
		return quickStruct
	}
	return quickNone
}

// plain writes a struct none of whose members has a tag that matters.
func (e *Encoder) plain(st *structPlan, p ptr) {
	b := e.b
	for i := range st.fields {
		f := &st.fields[i]
		q := f.In(p)
		switch f.quick {
		case quickBool:
			v := byte(0)
			if mem.GetBool(q) {
				v = 1
			}
			b = append(b, v)
			continue
		case quick8:
			b = append(b, mem.Get8(q))
			continue
		case quick16BE:
			b = binary.BigEndian.AppendUint16(b, mem.Get16(q))
			continue
		case quick16LE:
			b = binary.LittleEndian.AppendUint16(b, mem.Get16(q))
			continue
		case quick32BE:
			b = binary.BigEndian.AppendUint32(b, mem.Get32(q))
			continue
		case quick32LE:
			b = binary.LittleEndian.AppendUint32(b, mem.Get32(q))
			continue
		case quick64BE:
			b = binary.BigEndian.AppendUint64(b, mem.Get64(q))
			continue
		case quick64LE:
			b = binary.LittleEndian.AppendUint64(b, mem.Get64(q))
			continue
		case quickVar16:
			b = appendUvarint(b, uint64(mem.Get16(q)))
			continue
		case quickVar32:
			b = appendUvarint(b, uint64(mem.Get32(q)))
			continue
		case quickVar64:
			b = appendUvarint(b, mem.Get64(q))
			continue
		case quickString:
			if s := mem.GetString(q); e.usual && len(s) < 0x80 {
				b = append(append(b, byte(len(s))), s...)
				continue
			}
		case quickTimeBE, quickTimeLE, quickTimeVar:
			if sec, ok := wire.TimeSeconds(*at[timeT](q)); ok && e.usual {
				b = appendSeconds(b, sec, f.quick)
				continue
			}
		}
		e.b = b
		if f.quick == quickStruct {
			e.structure(f.node, q)
		} else {
			e.sized(f.node, q, f.node.sz)
		}
		if b = e.b; e.err != nil {
			e.at(f.path)
			return
		}
	}
	e.b = b
}

func appendSeconds(b []byte, sec uint32, q quick) []byte {
	switch q {
	case quickTimeBE:
		return binary.BigEndian.AppendUint32(b, sec)
	case quickTimeLE:
		return binary.LittleEndian.AppendUint32(b, sec)
	}
	return appendUvarint(b, uint64(sec))
}

// appendUvarint is binary.AppendUvarint, inlined for one byte.
func appendUvarint(b []byte, v uint64) []byte {
	if v < 0x80 {
		return append(b, byte(v))
	}
	return binary.AppendUvarint(b, v)
}

// plain reads a struct none of whose members has a tag that matters.
func (d *Decoder) plain(n *node, p ptr) {
	st := n.st
	b, off := d.b, d.off
	for i := range st.fields {
		f := &st.fields[i]
		if off >= len(b) && (f.min > 0 || f.own) {
			if d.off = off; !d.more() && d.ends(f) {
				d.missing(n, p, i)
				return
			}
			b, off = d.b, d.off
		}
		q := f.In(p)
		left := len(b) - off
		switch f.quick {
		case quickBool:
			if left > 0 && b[off] <= 1 {
				mem.SetBool(q, b[off] == 1)
				off++
				continue
			}
		case quick8:
			if left > 0 {
				mem.Set8(q, b[off])
				off++
				continue
			}
		case quick16BE, quick16LE:
			if left >= 2 {
				mem.Set16(q, uint16(fixedAt(b[off:off+2], f.quick == quick16LE)))
				off += 2
				continue
			}
		case quick32BE:
			if left >= 4 {
				mem.Set32(q, binary.BigEndian.Uint32(b[off:]))
				off += 4
				continue
			}
		case quick32LE:
			if left >= 4 {
				mem.Set32(q, binary.LittleEndian.Uint32(b[off:]))
				off += 4
				continue
			}
		case quick64BE:
			if left >= 8 {
				mem.Set64(q, binary.BigEndian.Uint64(b[off:]))
				off += 8
				continue
			}
		case quick64LE:
			if left >= 8 {
				mem.Set64(q, binary.LittleEndian.Uint64(b[off:]))
				off += 8
				continue
			}
		case quickVar16, quickVar32, quickVar64:
			if left > 0 && b[off] < 0x80 {
				d.setBits(f.node, q, uint64(b[off]))
				off++
				continue
			}
		case quickString:
			if left > 0 && b[off] < 0x80 && left > int(b[off]) && d.usual {
				end := off + 1 + int(b[off])
				mem.SetString(q, string(b[off+1:end]))
				off = end
				continue
			}
		case quickTimeBE, quickTimeLE:
			if left >= 4 && d.usual {
				v := uint32(fixedAt(b[off:off+4], f.quick == quickTimeLE))
				if t, ok := wire.TimeFromSeconds(v); ok {
					*at[timeT](q) = t
					off += 4
					continue
				}
			}
		}
		d.off = off
		if f.quick == quickStruct {
			d.structure(f.node, q)
		} else {
			d.sized(f.node, q, f.node.sz)
		}
		if b, off = d.b, d.off; d.err != nil {
			d.at(f.path)
			return
		}
	}
	d.off = off
}
