package binary

import (
	"math"

	"github.com/spanwire/spanwire/internal/mem"
)

// target follows the path from the struct at p, false at a nil pointer.
func (r *reference) target(p ptr) (ptr, bool) {
	for i := range r.steps {
		s := &r.steps[i]
		p = s.In(p)
		for n := s.node; n.op == opNullable || n.op == opObject; n = n.elem {
			q, ok := mem.Load(p)
			if !ok {
				return p, false
			}
			p = q
		}
	}
	return p, true
}

// int64At gives an integer; those beyond int64 are its largest.
func int64At(n *node, p ptr) int64 {
	v := bitsAt(n, p)
	if n.signed {
		shift := 64 - 8*n.size
		if n.op == opInt {
			shift = 0
		}
		return int64(v<<shift) >> shift
	}
	return int64(min(v, math.MaxInt64))
}

// setInt64 stores an integer and reports whether it fits.
func setInt64(n *node, p ptr, v int64) bool {
	switch n.op {
	case op8:
		mem.Set8(p, uint8(v))
	case opInt16:
		mem.Set16(p, uint16(v))
	case opInt32:
		mem.Set32(p, uint32(v))
	case opInt64:
		mem.Set64(p, uint64(v))
	case opInt:
		mem.SetInt(p, int(v))
	case opUint:
		mem.SetUint(p, uint(v))
	}
	return int64At(n, p) == v
}

// same reports references to one member.
func (r *reference) same(o *reference) bool {
	if len(r.steps) != len(o.steps) || r.field != o.field {
		return false
	}
	for i := range r.steps {
		if !r.steps[i].Is(o.steps[i].place) {
			return false
		}
	}
	return true
}
