package binary

// Binary coded decimals: two digits a byte, the first in the high half.

// ToBCD gives the byte of a number from 0 to 99: 25 is 0x25. It is
// BinaryHelper.ToBCD, which wraps where this gives ErrRange.
func ToBCD(n int) (byte, error) {
	if n < 0 || n > 99 {
		return 0, because(ErrRange, "%d does not fit in a byte of BCD", n)
	}
	return byte(n/10<<4 | n%10), nil
}

// FromBCD gives the number of a byte: 0x25 is 25. A half above 9 is
// ErrMalformed.
func FromBCD(b byte) (int, error) {
	if b>>4 > 9 || b&15 > 9 {
		return 0, because(ErrMalformed, "%#02x is not BCD", b)
	}
	return int(b>>4)*10 + int(b&15), nil
}

// AppendBCD appends n bytes of the decimal digits, and zeros behind fewer than
// 2n: it is Binary.WriteBCD, which leaves the bytes behind the digits undefined
// and drops an odd digit. An odd number of digits, and other characters, are
// ErrMalformed; more than 2n digits are ErrRange.
func AppendBCD(b []byte, digits string, n int) ([]byte, error) {
	return appendBCD(b, digits, n, false)
}

func appendBCD(b []byte, digits string, n int, compat bool) ([]byte, error) {
	if len(digits) > 2*n && compat {
		digits = digits[:2*n]
	}
	switch {
	case n < 0 || len(digits) > 2*n:
		return b, because(ErrRange, "%d digits in %d bytes of BCD", len(digits), n)
	case len(digits)%2 != 0 && !compat:
		return b, because(ErrMalformed, "%d digits, which is not a whole number of bytes", len(digits))
	}
	start := len(b)
	for i := 0; i+1 < len(digits); i += 2 {
		hi, lo := digits[i]-'0', digits[i+1]-'0'
		if hi > 9 || lo > 9 {
			return b[:start], because(ErrMalformed, "%.40q is not made of decimal digits", digits)
		}
		b = append(b, hi<<4|lo)
	}
	for len(b) < start+n {
		b = append(b, 0)
	}
	return b, nil
}

// DigitsBCD gives the two digits of each byte: Binary.ReadBCD. A half above 9,
// for which NewLife gives ":" to "?", is ErrMalformed.
func DigitsBCD(b []byte) (string, error) {
	digits := make([]byte, 0, 64)
	for _, c := range b {
		if c>>4 > 9 || c&15 > 9 {
			return "", because(ErrMalformed, "%#02x is not BCD", c)
		}
		digits = append(digits, '0'+c>>4, '0'+c&15)
	}
	return string(digits), nil
}

// appendIntBCD appends v as n bytes of BCD with leading zeros.
func appendIntBCD(b []byte, v uint64, n int) ([]byte, error) {
	start := len(b)
	for range n {
		b = append(b, 0)
	}
	rest := v
	for i := len(b) - 1; i >= start; i-- {
		b[i] = byte(rest/10%10<<4 | rest%10)
		rest /= 100
	}
	if rest != 0 {
		return b[:start], because(ErrRange, "%d in %d bytes of BCD", v, n)
	}
	return b, nil
}

// intBCD gives the number that appendIntBCD wrote.
func intBCD(b []byte) (v uint64, err error) {
	for _, c := range b {
		n, err := FromBCD(c)
		if err != nil {
			return 0, err
		}
		if v > (1<<64-1-uint64(n))/100 {
			return 0, because(ErrRange, "the digits exceed 64 bits")
		}
		v = v*100 + uint64(n)
	}
	return v, nil
}
