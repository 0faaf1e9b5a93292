package binary

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
			same = getStr(q) == string(f.x.fixed)
		case f.node.op == opBytes:
			same = string(getRaw(q)) == string(f.x.fixed)
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
	out := e.b[at:]
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
		case !fitsBits(v, *f):
			e.fail(because(ErrRange, "the value does not fit %d bits", f.bits))
		}
		if e.err != nil {
			e.at(f.path)
			return
		}
		for k := range f.bits {
			bit := f.bits - 1 - k // the highest first
			at, shift := pos/8, 7-pos%8
			if run.lsb {
				bit, shift = k, pos%8
			}
			out[at] |= byte(v>>bit&1) << shift
			pos++
		}
	}
}

// load gives the bits of the field's value.
func (f *bitField) load(p ptr) uint64 {
	q := f.in(p)
	if f.node.op != opBool {
		return bitsAt(f.node, q)
	}
	if getBool(q) {
		return 1
	}
	return 0
}

// fitsBits reports whether a value given by its bits fits the field.
func fitsBits(v uint64, f bitField) bool {
	if f.bits >= 8*f.node.size && f.node.op != opBool {
		return true
	}
	if f.node.signed {
		width := 8 * f.node.size
		s := int64(v<<(64-width)) >> (64 - width)
		high := s >> (f.bits - 1)
		return high == 0 || high == -1
	}
	return v>>f.bits == 0
}
