package value

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// setText converts text - bare, or what stood in quotes - to v.
func (d *Dialect) setText(v reflect.Value, s []byte) error {
	v = settle(v)
	c, i := d.classOf(v.Type())
	switch c {
	case classString:
		v.SetString(textOf(s))
		return nil
	case classAny:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(textOf(s)))
			return nil
		}
	case classText:
		return unmarshalText(v, s)
	case classJSON:
		u, ok := addr(v).Interface().(json.Unmarshaler)
		if !ok {
			return &Error{Type: v.Type().String(), Reason: ErrType}
		}
		if !json.Valid(s) {
			s = appendString(nil, s)
		}
		if err := u.UnmarshalJSON(s[:len(s):len(s)]); err != nil {
			return &Error{Type: v.Type().String(), Reason: ErrConvert}
		}
		return nil
	case classBytes, classPacket:
		return setBase64(v, s)
	case classEnum:
		return d.setEnum(v, i, bytes.TrimSpace(s))
	}
	return d.setScalar(v, c, string(bytes.TrimSpace(s)))
}

// setScalar converts text without white space around it.
func (d *Dialect) setScalar(v reflect.Value, c class, s string) error {
	var err error
	switch c {
	case classBool:
		err = d.setBool(v, s)
	case classInt, classUint:
		err = d.setInt(v, s)
	case classFloat:
		err = d.setFloat(v, s)
	case classTime:
		var t time.Time
		if t, err = parseTime(s); err == nil {
			*addr(v).Interface().(*time.Time) = t
		}
	case classDuration:
		var t time.Duration
		if t, err = parseDuration(s); err == nil {
			v.SetInt(int64(t))
		}
	case classNumber:
		if s != "" && !isNumber([]byte(s)) {
			err = ErrConvert
		} else {
			v.SetString(strings.Clone(s))
		}
	default:
		err = ErrConvert
	}
	if err != nil {
		return &Error{Type: v.Type().String(), Reason: fmt.Errorf("%w: %q", ErrConvert, shown(s))}
	}
	return nil
}

// setWord converts a JSON number or literal to v.
func (d *Dialect) setWord(v reflect.Value, w []byte) error {
	c, _ := d.classOf(v.Type())
	if !d.Compat && (c == classInt || c == classFloat) && isNumber(w) && d.setScalar(v, c, string(w)) == nil {
		return nil // the most frequent without a copy
	}
	s := string(w)
	truth := s == "true" || s == "True"
	word := truth || s == "false" || s == "False"
	switch {
	case s == "null":
		return nil
	case c == classAny && v.NumMethod() == 0:
		v.Set(reflect.ValueOf(wordValue(s, truth, word)))
	case c == classString && word:
		v.SetString(string(appendBool(nil, truth)))
	case c == classString:
		v.SetString(numberText(s))
	case c == classBool && !word:
		f, _ := strconv.ParseFloat(s, 64)
		v.SetBool(f != 0)
	case (c == classInt || c == classUint) && d.Compat && v.Type().Bits() == 64 && isDigits(s):
		setInteger(v, wrapped(s))
	case c == classBytes, c == classPacket, c == classDuration:
		return &Error{Type: v.Type().String(), Reason: fmt.Errorf("%w: %s", ErrConvert, shown(s))}
	default:
		return d.setText(v, w)
	}
	return nil
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

// numberText is how a number becomes a string: integers as they stand, others in their shortest form.
func numberText(s string) string {
	if isDigits(s) {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return string(appendFloat(nil, f, 64))
}

func isDigits(s string) bool {
	s = strings.TrimPrefix(s, "-")
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
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
	if !isDigits(strings.TrimPrefix(s, "+")) && isNumber([]byte(s)) {
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
			if !isDigits(g) || len(g) > 3 || !first && len(g) != 3 {
				return s
			}
			first = false
		}
	}
	return strings.ReplaceAll(s, ",", "")
}

// errBase64 is what bytes are that somebody has sent as they are: a client's []byte to a parameter of that type, for one.
var errBase64 = fmt.Errorf("%w: not base64 text (bytes as they are go to a single Packet)", ErrConvert)

// setBase64 reads bytes from base64, with or without padding.
func setBase64(v reflect.Value, s []byte) error {
	s = bytes.TrimRight(bytes.TrimSpace(s), "=")
	p := make([]byte, base64.RawStdEncoding.DecodedLen(len(s)))
	n, err := base64.RawStdEncoding.Decode(p, s)
	switch {
	case err != nil:
		return &Error{Type: v.Type().String(), Reason: errBase64}
	case v.Kind() == reflect.Array && n != v.Len():
		return noConversion(v)
	}
	if v.Kind() == reflect.Array {
		for i, c := range p[:n] {
			v.Index(i).SetUint(uint64(c))
		}
		return nil
	}
	v.SetBytes(p[:n])
	return nil
}

func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }
