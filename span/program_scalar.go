package span

import (
	"strconv"

	"github.com/spanwire/spanwire/internal/layout"
)

// The operations of numbers, times and strings.

// fix makes the operation one of a fixed number of bytes.
func (o *op) fix(code opcode, size int) {
	o.code, o.size, o.room, o.need = code, uint8(size), int32(size), int32(size)
}

// vary makes the operation one of a varying number of bytes, most at most.
func (o *op) vary(code opcode, size, most int) {
	o.code, o.size, o.room, o.need = code, uint8(size), int32(most), 1
}

// number makes the operation of an integer, float or complex number.
func (c *compiler) number(o *op, n *layout.Node) {
	o.mem = uint8(o.typ.Size())
	if n.Signed {
		o.flags |= fSigned
	}
	enc, be := n.Enc, n.BE
	if n.Switched && n.Op == layout.OpInt && c.switches&swEncodeInt != 0 && n.Size > 1 {
		enc = layout.EncVarint
	}
	if n.Switched && c.switches&swBigEndian != 0 {
		be = true
	}
	if be {
		o.flags |= fBE
	}
	switch isInt := n.Op == layout.OpInt; {
	case isInt && enc == layout.EncVarint:
		o.vary(cVarint, n.Size, (8*n.Size+6)/7)
	case isInt && enc == layout.EncZigZag:
		o.vary(cZigZag, n.Size, (8*n.Size+6)/7)
	case n.Op == layout.OpComplex && n.Size == 8:
		o.fix(cComplex64, 8)
	case n.Op == layout.OpComplex && n.Size == 16:
		o.fix(cComplex128, 16)
	case isInt && n.Platform && strconv.IntSize == 32:
		o.fix(cPlatform, 8)
	case n.Op == layout.OpFloat, isInt && enc == layout.EncFixed:
		o.fix(numberCode(n.Size, be), n.Size)
	}
}

func numberCode(size int, be bool) opcode {
	switch {
	case size == 1:
		return c8
	case size == 2 && be:
		return c16BE
	case size == 2:
		return c16
	case size == 4 && be:
		return c32BE
	case size == 4:
		return c32
	case size == 8 && be:
		return c64BE
	case size == 8:
		return c64
	}
	return cInvalid
}

// decimal makes the operation of a Decimal: four integers to the switches.
func (c *compiler) decimal(o *op, n *layout.Node) {
	switch {
	case n.Switched && c.switches&swEncodeInt != 0:
		o.vary(cDecimalVar, 16, 20)
		return
	case n.Switched && c.switches&swBigEndian != 0:
		o.flags |= fBE
	}
	o.fix(cDecimal, 16)
}

// time makes the operation of a time. Its form is in size: see timeForm.
func (c *compiler) time(o *op, n *layout.Node) {
	form, enc, be := n.Time, n.Enc, n.BE
	if n.Switched {
		if c.switches&swFullTime != 0 {
			form = layout.TimeTicks
		}
		if c.switches&swEncodeInt != 0 {
			enc = layout.EncVarint
		}
		be = be || c.switches&swBigEndian != 0
		o.flags |= fSeconds
	}
	size := 0
	switch form {
	case layout.TimeFull:
		size = 12
	case layout.TimeSeconds:
		size = 4
	case layout.TimeUnixMilli, layout.TimeUnixNano, layout.TimeTicks:
		size = 8
	default:
		return
	}
	o.mem = uint8(form)
	switch {
	case enc == layout.EncVarint:
		o.flags |= fVarint
		o.vary(cTime, size, (8*size+6)/7)
	case enc == layout.EncFixed && form == layout.TimeUnixNano && !be:
		o.fix(cNano, size)
	case enc == layout.EncFixed:
		if be {
			o.flags |= fBE
		}
		o.fix(cTime, size)
	}
}

// quickString is the longest string that the inner loops handle.
const quickString = 127

// stringOp makes the operation of a string or byte slice.
func stringOp(o *op, n *layout.Node) {
	o.quick = -1
	switch text := n.Op == layout.OpString; {
	case n.FixedLen > 0:
		o.code, o.length = cFixedBytes, n.FixedLen
		if text {
			o.code = cFixedText
		}
	case !text:
		o.code = cBytes
	case n.Prefix == 0 && !n.UTF8 && !n.Nilable:
		o.code, o.quick, o.room = cString, min(quickString, o.max), 1
	default:
		o.code = cText
	}
	o.need = int32(n.Min)
	if n.FixedLen > 0 {
		o.need = 1
	}
}
