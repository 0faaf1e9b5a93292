package span

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// DecimalFromRat returns the Decimal equal to r with the smallest scale. One
// that does not exist - too large, too fine, or with a fraction like 1/3 - is
// ErrRange, a nil r ErrNil.
func DecimalFromRat(r *big.Rat) (Decimal, error) {
	if r == nil {
		return Decimal{}, because(ErrNil, "*big.Rat")
	}
	// Of a fraction in lowest terms that is an integer over 10^28 or less, the
	// numerator is no longer than the integer and the denominator no longer than
	// the power.
	coef, okNum := fromBig(r.Num())
	den, okDen := fromBig(r.Denom())
	if okNum && okDen {
		if scale, ok := scaleOf(&coef, den); ok {
			return makeDecimal(r.Sign() < 0, coef, scale), nil
		}
	}
	if r.Num().BitLen()+r.Denom().BitLen() > 1000 { // nobody reads that
		return Decimal{}, because(ErrRange, "the fraction does not fit a decimal exactly")
	}
	return Decimal{}, because(ErrRange, "%s does not fit a decimal exactly", r)
}

// scaleOf multiplies num so that it stands over the power of ten which is the
// smallest multiple of den, and returns that power.
func scaleOf(num *u128, den u128) (scale int, ok bool) {
	twos := bits.TrailingZeros64(den.lo)
	if den.lo == 0 {
		twos = 64 + bits.TrailingZeros64(den.hi)
	}
	for range twos {
		den.lo = den.lo>>1 | den.hi<<63
		den.hi >>= 1
	}
	fives := 0
	for {
		q, rem := den.quoRem(5)
		if rem != 0 {
			break
		}
		den = q
		fives++
	}
	scale = max(twos, fives)
	ok = den == u128{lo: 1} && scale <= maxScale
	for i := twos; ok && i < scale; i++ {
		*num, ok = num.mul(2)
	}
	for i := fives; ok && i < scale; i++ {
		*num, ok = num.mul(5)
	}
	return scale, ok
}

// Rat returns d as a fraction. A negative zero becomes 0.
func (d Decimal) Rat() *big.Rat {
	num := d.coef().big()
	if d.negative() {
		num.Neg(num)
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale())), nil)
	return new(big.Rat).SetFrac(num, ten)
}

// big converts x.
func (x u128) big() *big.Int {
	n := new(big.Int).SetUint64(x.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x.lo))
}

// fromBig converts the absolute value of n and reports whether it is below 2^96.
func fromBig(n *big.Int) (u128, bool) {
	if n.BitLen() > 96 {
		return u128{}, false
	}
	var b [16]byte
	n.FillBytes(b[:])
	return u128{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}, true
}
