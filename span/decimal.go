package span

import (
	"cmp"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/spanwire/spanwire/span/wire"
)

// Decimal is .NET's Decimal: an integer of 96 bits, a scale of 0 to 28 that says
// how many of its digits stand behind the point, and a sign. It is made to carry
// such numbers exactly; for arithmetic convert to *big.Rat, or to the decimal
// package of your choice by way of text.
//
// The zero value is 0. The scale is part of the value: 1.1 and 1.10 are Equal,
// but == tells them apart, as it does 0 and the negative zero.
type Decimal struct {
	lo, mid, hi, flags uint32
}

const (
	maxScale = 28

	decimalSign  = 1 << 31        // in flags
	decimalScale = 0xff << 16     // in flags
	maxCoefHi    = 1<<32 - 1      // upper half of the largest coefficient, 2^96-1
	decimalText  = 1 + 29 + 2 + 1 // longest text, a little rounded up
)

// NewDecimal returns coef / 10^scale: NewDecimal(110, 2) is 1.10. A scale
// outside 0 to 28 is ErrRange.
func NewDecimal(coef int64, scale int) (Decimal, error) {
	if scale < 0 || scale > maxScale {
		return Decimal{}, because(ErrRange, "a decimal of scale %d", scale)
	}
	abs := uint64(coef)
	if coef < 0 {
		abs = -abs
	}
	return makeDecimal(coef < 0, u128{lo: abs}, scale), nil
}

// makeDecimal joins the parts, which must be in range.
func makeDecimal(neg bool, coef u128, scale int) Decimal {
	d := Decimal{uint32(coef.lo), uint32(coef.lo >> 32), uint32(coef.hi), uint32(scale) << 16}
	if neg {
		d.flags |= decimalSign
	}
	return d
}

// DecimalFromBits makes a Decimal of the four words that it has on the wire and
// that .NET's Decimal.GetBits gives: the low, middle and high 32 bits of the
// integer, then the scale in bits 16..23 and the sign in bit 31. A scale above
// 28 or any other bit in the last word is ErrMalformed.
func DecimalFromBits(words [4]uint32) (Decimal, error) {
	d := Decimal{words[0], words[1], words[2], words[3]}
	if !d.valid() {
		return Decimal{}, because(ErrMalformed, "decimal flags %08x", words[3])
	}
	return d, nil
}

// valid reports whether the flags are such as DecimalFromBits takes.
func (d Decimal) valid() bool { return wire.ValidDecimal(d.flags) }

// Bits returns the four words on the wire; see DecimalFromBits.
func (d Decimal) Bits() [4]uint32 {
	return [4]uint32{d.lo, d.mid, d.hi, d.flags}
}

// PutBits stores the four words, little-endian, in the first 16 bytes of b.
func (d Decimal) PutBits(b []byte) {
	binary.LittleEndian.PutUint64(b, uint64(d.mid)<<32|uint64(d.lo))
	binary.LittleEndian.PutUint64(b[8:], uint64(d.flags)<<32|uint64(d.hi))
}

// coef returns the integer without its sign.
func (d Decimal) coef() u128 {
	return u128{hi: uint64(d.hi), lo: uint64(d.mid)<<32 | uint64(d.lo)}
}

// Scale returns the number of digits behind the point, 0 to 28.
func (d Decimal) Scale() int {
	return int(d.flags & decimalScale >> 16)
}

// Int64 returns d as coef / 10^scale, the reverse of NewDecimal, and false when
// the integer does not fit. The sign of a negative zero is lost.
func (d Decimal) Int64() (coef int64, scale int, ok bool) {
	abs := uint64(d.mid)<<32 | uint64(d.lo)
	coef = int64(abs)
	limit := uint64(math.MaxInt64)
	if d.negative() {
		coef, limit = -coef, limit+1
	}
	if d.hi != 0 || abs > limit {
		return 0, 0, false
	}
	return coef, d.Scale(), true
}

// negative reports the sign bit, which a zero may have as well.
func (d Decimal) negative() bool {
	return d.flags&decimalSign != 0
}

// Float64 returns the float64 nearest to d. A negative zero keeps its sign.
func (d Decimal) Float64() float64 {
	var b [decimalText]byte
	f, _ := strconv.ParseFloat(string(d.appendText(b[:0])), 64) // always a number in range
	if d.negative() {
		return -math.Abs(f)
	}
	return f
}

// Sign returns -1, 0 or 1 as d is below, equal to or above zero.
func (d Decimal) Sign() int {
	switch {
	case d.lo|d.mid|d.hi == 0:
		return 0
	case d.negative():
		return -1
	}
	return 1
}

// Neg returns -d with the scale of d. The Neg of zero is the negative zero.
func (d Decimal) Neg() Decimal {
	d.flags ^= decimalSign
	return d
}

// Cmp compares the numbers and returns -1, 0 or 1: 1.1 and 1.10 are the same,
// and so are 0 and the negative zero.
func (d Decimal) Cmp(e Decimal) int {
	sign := d.Sign()
	if other := e.Sign(); sign != other || sign == 0 {
		return cmp.Compare(sign, other)
	}
	return sign * compareScaled(d.coef(), d.Scale(), e.coef(), e.Scale())
}

// Equal reports whether d and e are the same number; see Cmp.
func (d Decimal) Equal(e Decimal) bool {
	return d.Cmp(e) == 0
}
