package dotnet

import (
	"math"
	"strconv"
	"strings"
)

// AppendBool writes True or False.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, "True"...)
	}
	return append(b, "False"...)
}

// AppendFloat writes f in the shortest form that reads back as f, as .NET does: an exponent of two digits or more from 1E+15
// (1E+07 for float32, or where the digits end) up and below 0.0001.
func AppendFloat(b []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "Infinity"...)
	case math.IsInf(f, -1):
		return append(b, "-Infinity"...)
	}
	var a [32]byte
	s := strconv.AppendFloat(a[:0], f, 'e', -1, bits) // d.ddde±dd
	e := len(s) - 1
	for s[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(s[e+1:]))
	digits := e
	if s[0] == '-' {
		digits--
	}
	if digits > 1 {
		digits-- // the point
	}
	most := 15
	if bits == 32 {
		most = 7
	}
	if exp+1 > max(digits, most) || exp < -4 {
		b = append(b, s[:e]...)
		b = append(b, 'E', s[e+1])
		return append(b, s[e+2:]...)
	}
	return strconv.AppendFloat(b, f, 'f', -1, bits)
}

// IsDigits reports whether s is an integer in decimal digits, which may have a minus sign.
func IsDigits(s string) bool {
	s = strings.TrimPrefix(s, "-")
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
