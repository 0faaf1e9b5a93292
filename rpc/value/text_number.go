package value

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// isNumber tells that w is made of a number's characters, beginning like one.
func isNumber(w []byte) bool {
	digits := 0
	for i, c := range w {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case (c == '-' || c == '+') && (i == 0 || w[i-1]|0x20 == 'e'):
		case (c == '.' || c|0x20 == 'e') && digits > 0:
		default:
			return false
		}
	}
	return digits > 0
}

func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }

// numberText is how a number becomes a string: integers as they stand, others in their shortest form.
func numberText(s string) string {
	if dotnet.IsDigits(s) {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return string(dotnet.AppendFloat(nil, f, 64))
}

// wordValue is a JSON word where any value fits. A number that no float64 holds keeps its text.
func wordValue(s string, truth, word bool) any {
	if word {
		return truth
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if isRange(err) {
		return json.Number(s)
	}
	return f
}

// wrapped is an integer modulo 2^64.
func wrapped(s string) int64 {
	digits, negative := strings.CutPrefix(s, "-")
	var u uint64
	for i := range len(digits) {
		u = u*10 + uint64(digits[i]-'0')
	}
	if negative {
		u = -u
	}
	return int64(u)
}

// numberLength is how many bytes at the front of b are a JSON number, 0 for none.
func numberLength(b []byte) int {
	digits := func(i int) int {
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i
	}
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	if i = digits(i); i == first || b[first] == '0' && i > first+1 {
		return 0
	}
	if i < len(b) && b[i] == '.' {
		at := i + 1
		if i = digits(at); i == at {
			return 0
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		at := i + 1
		if at < len(b) && (b[at] == '+' || b[at] == '-') {
			at++
		}
		if i = digits(at); i == at {
			return 0
		}
	}
	return i
}

// exactFloat is the number that s says, false when none of that size is it as exactly as it is written.
func exactFloat(s string, bits int) (float64, bool) {
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		return 0, false
	}
	var mem [32]byte
	short := strconv.AppendFloat(mem[:0], f, 'e', -1, bits)
	if string(short) == s {
		return f, true
	}
	digits, exp := normal(s)
	want, wantExp := normal(string(short))
	return f, digits == want && exp == wantExp
}

// normal takes a number apart: its digits without zeros around them, and the power of ten that the first stands for.
func normal(s string) (digits string, exp int) {
	s = strings.TrimPrefix(s, "-")
	mantissa, power := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, power = s[:i], s[i+1:]
	}
	exp, _ = strconv.Atoi(power) // where it overflows the number is 0 or none
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	exp += len(whole)
	digits = strings.TrimLeft(all, "0")
	exp -= len(all) - len(digits)
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "", 0
	}
	return digits, exp
}

// anyNumber is a number where any type fits.
func anyNumber(s string) any {
	if !strings.ContainsAny(s, ".eE") && s != "-0" {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(s, 10, 64); err == nil {
			return n
		}
		return json.Number(s)
	}
	if f, same := exactFloat(s, 64); same {
		return f
	}
	return json.Number(s)
}
