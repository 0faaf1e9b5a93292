package span

import (
	"cmp"
	"math/bits"
)

// u128 is an integer in the making: a Decimal's 96 bits and what they become
// while being scaled.
type u128 struct {
	hi, lo uint64
}

// mul returns x*m and whether that is a Decimal's integer, below 2^96.
func (x u128) mul(m uint64) (u128, bool) {
	return x.mulAdd(m, 0)
}

// mulAdd returns x*m + a and whether that is a Decimal's integer. x must be
// below 2^96.
func (x u128) mulAdd(m, a uint64) (u128, bool) {
	over, hi := bits.Mul64(x.hi, m)
	carry, lo := bits.Mul64(x.lo, m)
	lo, c := bits.Add64(lo, a, 0)
	carry += c // no overflow: the upper half of a product is at most 2^64-2
	hi, c = bits.Add64(hi, carry, 0)
	return u128{hi, lo}, over+c == 0 && hi <= maxCoefHi
}

// quoRem divides x by m.
func (x u128) quoRem(m uint64) (u128, uint64) {
	hi, rem := x.hi/m, x.hi%m
	lo, rem := bits.Div64(rem, x.lo, m)
	return u128{hi, lo}, rem
}

// isZero reports whether x is 0.
func (x u128) isZero() bool {
	return x.hi|x.lo == 0
}

// pow10 holds the powers of ten that fit a uint64.
var pow10 = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// mulPow10 returns x * 10^n, n at most 28, in three words: lowest first.
func (x u128) mulPow10(n int) [3]uint64 {
	p := [3]uint64{x.lo, x.hi}
	for n > 0 {
		k := min(n, len(pow10)-1)
		m, carry := pow10[k], uint64(0)
		for i, w := range p {
			hi, lo := bits.Mul64(w, m)
			var c uint64
			p[i], c = bits.Add64(lo, carry, 0)
			carry = hi + c
		}
		n -= k
	}
	return p
}

// compareScaled compares x / 10^xs with y / 10^ys.
func compareScaled(x u128, xs int, y u128, ys int) int {
	a, b := x.mulPow10(max(ys-xs, 0)), y.mulPow10(max(xs-ys, 0))
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return cmp.Compare(a[i], b[i])
		}
	}
	return 0
}
