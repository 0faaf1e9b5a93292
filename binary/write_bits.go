package binary

import (
	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// constant writes a const member. A value of its own may not differ.
func (e *Encoder) constant(f *field, q ptr) {
	if !f.x.blank {
		v := valueOf(f.node, q)
		same := v.IsZero()
		switch {
		case same:
		case f.x.value != nil:
			same = bitsAt(f.node, q) == *f.x.value
		case f.node.op == opString:
			same = mem.GetString(q) == string(f.x.fixed)
		case f.node.op == opBytes:
			same = string(mem.GetBytes(q)) == string(f.x.fixed)
		default:
			same = string(array(f.node, q)) == string(f.x.fixed)
		}
		if !same {
			e.fail(because(ErrConst, "the member is %v, it must be %s or zero", v.Interface(), f.x.want))
			return
		}
	}
	e.b = append(e.b, f.x.fixed...)
}

// bits writes a run of bit fields.
func (e *Encoder) bits(run *bitRun, p ptr) {
	at := len(e.b)
	e.zeros(run.size)
	pos := 0
	for i := range run.fields {
		f := &run.fields[i]
		v := uint64(0)
		if !f.blank {
			v = f.load(p)
		}
		switch {
		case f.value != nil && !f.blank && v != 0 && v != *f.value:
			e.fail(because(ErrConst, "the member is %d, it must be %s or zero", v, f.want))
		case f.value != nil:
			v = *f.value
		case !binaryplan.FitsBits(v, f.node.plan, f.bits):
			e.fail(because(ErrRange, "the value does not fit %d bits", f.bits))
		}
		if e.err != nil {
			e.at(f.path)
			return
		}
		putBits(e.b[at:], pos, f.bits, v, run.lsb)
		pos += f.bits
	}
}

// putBits sets n bits from bit pos on to the low bits of v: from the highest bit
// of each byte down, or from the lowest up. The bits are zero before.
func putBits(b []byte, pos, n int, v uint64, lsb bool) {
	for n > 0 {
		k := min(8-pos%8, n) // bits in this byte
		if lsb {
			b[pos/8] |= byte(v&(1<<k-1)) << (pos % 8)
			v >>= k
		} else {
			b[pos/8] |= byte(v>>(n-k)&(1<<k-1)) << (8 - pos%8 - k)
		}
		pos, n = pos+k, n-k
	}
}

// getBits gives what putBits has set.
func getBits(b []byte, pos, n int, lsb bool) (v uint64) {
	for done := 0; done < n; {
		k := min(8-pos%8, n-done)
		if lsb {
			v |= uint64(b[pos/8]>>(pos%8)&(1<<k-1)) << done
		} else {
			v = v<<k | uint64(b[pos/8]>>(8-pos%8-k)&(1<<k-1))
		}
		pos, done = pos+k, done+k
	}
	return v
}

// load gives the bits of the field's value.
func (f *bitField) load(p ptr) uint64 {
	q := f.In(p)
	if f.node.op != opBool {
		return bitsAt(f.node, q)
	}
	if mem.GetBool(q) {
		return 1
	}
	return 0
}
