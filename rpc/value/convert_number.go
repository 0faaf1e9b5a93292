package value

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

func (d *Dialect) setBool(v reflect.Value, s string) error {
	switch strings.ToLower(s) {
	case "true", "1", "yes", "y":
		v.SetBool(true)
	case "false", "0", "no", "n", "":
		v.SetBool(false)
	default:
		if !d.Compat {
			return ErrConvert
		}
		v.SetBool(false)
	}
	return nil
}

// setInt converts text to an integer: digits, in groups of three or not, a number with fraction or exponent, which is rounded
// to the even neighbour, true and false.
func (d *Dialect) setInt(v reflect.Value, s string) error {
	switch strings.ToLower(s) {
	case "", "false":
		s = "0"
	case "true":
		s = "1"
	}
	s = d.ungroup(s)
	bits := v.Type().Bits()
	var err error
	if v.CanInt() {
		var n int64
		if n, err = strconv.ParseInt(s, 10, bits); err == nil {
			v.SetInt(n)
			return nil
		}
	} else {
		var n uint64
		if n, err = strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, bits); err == nil {
			v.SetUint(n)
			return nil
		}
	}
	if !dotnet.IsDigits(strings.TrimPrefix(s, "+")) && isNumber([]byte(s)) {
		f, ferr := strconv.ParseFloat(s, 64)
		f = math.RoundToEven(f)
		switch {
		case ferr != nil:
		case v.CanInt() && f >= -math.Ldexp(1, bits-1) && f < math.Ldexp(1, bits-1):
			v.SetInt(int64(f))
			return nil
		case v.CanUint() && f >= 0 && f < math.Ldexp(1, bits):
			v.SetUint(uint64(f))
			return nil
		}
	}
	if d.Compat {
		v.SetZero()
		return nil
	}
	return err
}

func (d *Dialect) setFloat(v reflect.Value, s string) error {
	switch s {
	case "NaN":
		v.SetFloat(math.NaN())
		return nil
	case "Infinity", "∞":
		v.SetFloat(math.Inf(1))
		return nil
	case "-Infinity", "-∞":
		v.SetFloat(math.Inf(-1))
		return nil
	case "":
		s = "0"
	}
	s = d.ungroup(s)
	f, err := 0.0, ErrConvert
	if isNumber([]byte(s)) {
		f, err = strconv.ParseFloat(s, v.Type().Bits())
	}
	if err != nil && d.Compat {
		f, err = 0, nil
	}
	v.SetFloat(f)
	return err
}

// ungroup drops the commas of a number whose digits stand in groups of three; under Compat all commas.
func (d *Dialect) ungroup(s string) string {
	if !strings.Contains(s, ",") {
		return s
	}
	if !d.Compat {
		whole, _, _ := strings.Cut(s, ".")
		first := true
		for g := range strings.SplitSeq(strings.TrimLeft(whole, "+-"), ",") {
			if !dotnet.IsDigits(g) || len(g) > 3 || !first && len(g) != 3 {
				return s
			}
			first = false
		}
	}
	return strings.ReplaceAll(s, ",", "")
}
