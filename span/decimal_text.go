package span

import (
	"errors"
	"strconv"
)

// ParseDecimal reads a number such as -12.50, .5, 7. or 1.25e-3: a sign, digits
// with an optional point, an exponent. The digits behind the point become the
// scale, so that 1.10 stays 1.10, and 1.5e3 is 1500; zeros at the end are
// dropped only where the number fits no other way. Nothing is rounded: a number
// that no Decimal equals exactly is ErrRange. Text of another form is
// ErrMalformed.
func ParseDecimal(s string) (Decimal, error) {
	d, fault := parseDecimal(s)
	return d, decimalError(fault, s)
}

// UnmarshalText reads any text that ParseDecimal reads. On an error d keeps its
// value.
func (d *Decimal) UnmarshalText(text []byte) error {
	v, fault := parseDecimal(text)
	if fault == nil {
		*d = v
	}
	return decimalError(fault, text)
}

// decimalError adds the text to a fault.
func decimalError[T string | []byte](fault error, s T) error {
	switch {
	case fault == nil:
		return nil
	case errors.Is(fault, ErrRange):
		return because(fault, "%.60q does not fit a decimal exactly", s)
	}
	return because(fault, "%.60q is not a decimal number", s)
}

// parseDecimal is ParseDecimal for text in either form of storage; its faults
// are bare sentinels.
func parseDecimal[T string | []byte](s T) (Decimal, error) {
	i, neg := 0, false
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		i++
	}
	var n number
	point, digits := -1, 0
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && point < 0 {
			point = digits
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		n.digit(c - '0')
	}
	if digits == 0 {
		return Decimal{}, ErrMalformed
	}
	scale := int64(0)
	if point >= 0 {
		scale = int64(digits - point)
	}
	if i < len(s) {
		exp, ok := parseExponent(s[i:])
		if !ok {
			return Decimal{}, ErrMalformed
		}
		scale -= exp
	}
	return n.decimal(neg, scale)
}

// parseExponent reads an exponent, e-3. One beyond all reason gives a number
// beyond all reason.
func parseExponent[T string | []byte](s T) (int64, bool) {
	if s[0]|0x20 != 'e' {
		return 0, false
	}
	s = s[1:]
	neg := false
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		s = s[1:]
	}
	if len(s) == 0 {
		return 0, false
	}
	const most = 1 << 60 // no text has so many digits as to make up for it
	exp := int64(0)
	for i := range len(s) {
		c := s[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		exp = min(exp*10+int64(c-'0'), most)
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

// number collects digits. Zeros at the end are counted, not multiplied, since
// they may have to go again.
type number struct {
	coef  u128
	zeros int64
	over  bool // coef did not fit
}

// digit appends one digit.
func (n *number) digit(v byte) {
	if v == 0 {
		if !n.coef.isZero() {
			n.zeros++
		}
		return
	}
	if n.over {
		return
	}
	ok := true
	for ; ok && n.zeros > 0; n.zeros-- { // ends soon: coef is not zero
		n.coef, ok = n.coef.mul(10)
	}
	if ok {
		n.coef, ok = n.coef.mulAdd(10, uint64(v))
	}
	n.over = !ok
}

// decimal returns the number over 10^scale with as many of its zeros as fit.
func (n *number) decimal(neg bool, scale int64) (Decimal, error) {
	if n.over {
		return Decimal{}, ErrRange
	}
	if n.coef.isZero() {
		return makeDecimal(neg, n.coef, int(min(max(scale, 0), maxScale))), nil
	}
	zeros := n.zeros
	if scale < 0 { // an exponent that the point can't take: more zeros
		zeros, scale = zeros-scale, 0
	}
	if scale > maxScale {
		zeros, scale = zeros-(scale-maxScale), maxScale
	}
	coef := n.coef
	for zeros > 0 {
		c, ok := coef.mul(10)
		if !ok {
			break
		}
		coef = c
		zeros--
	}
	// Zeros that did not fit must stand behind the point; a lack of them means
	// digits beyond the largest scale.
	if zeros < 0 || zeros > scale {
		return Decimal{}, ErrRange
	}
	return makeDecimal(neg, coef, int(scale-zeros)), nil
}

// String gives the number with all digits of its scale: 1.10 is "1.10". A
// negative zero is written without its sign, as .NET does.
func (d Decimal) String() string {
	var b [decimalText]byte
	return string(d.appendText(b[:0]))
}

// AppendText appends what String gives. It never fails.
func (d Decimal) AppendText(b []byte) ([]byte, error) {
	return d.appendText(b), nil
}

// MarshalText gives what String gives. It never fails.
func (d Decimal) MarshalText() ([]byte, error) {
	return d.appendText(make([]byte, 0, decimalText)), nil
}

func (d Decimal) appendText(b []byte) []byte {
	var buf [decimalText]byte
	digits := d.coef().appendDigits(buf[:0])
	if d.Sign() < 0 {
		b = append(b, '-')
	}
	point := len(digits) - d.Scale()
	if point == len(digits) {
		return append(b, digits...)
	}
	if point <= 0 {
		b = append(b, "0.0000000000000000000000000000"[:2-point]...)
		return append(b, digits...)
	}
	b = append(append(b, digits[:point]...), '.')
	return append(b, digits[point:]...)
}

// appendDigits appends x, below 2^96, in base ten.
func (x u128) appendDigits(b []byte) []byte {
	const half = 19 // digits that fit a uint64
	q, rem := x.quoRem(pow10[half])
	if q.isZero() {
		return strconv.AppendUint(b, rem, 10)
	}
	b = strconv.AppendUint(b, q.lo, 10)
	i := len(b)
	b = append(b, "0000000000000000000"...)
	for j := len(b) - 1; j >= i; j-- {
		b[j] = '0' + byte(rem%10)
		rem /= 10
	}
	return b
}

// MarshalJSON gives the decimal as a JSON number, as .NET does.
func (d Decimal) MarshalJSON() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalJSON reads a JSON number or a string that holds one; null changes
// nothing. Errors are those of ParseDecimal.
func (d *Decimal) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if n := len(b); n >= 2 && b[0] == '"' && b[n-1] == '"' {
		b = b[1 : n-1]
	}
	return d.UnmarshalText(b)
}
