package value

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
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
		if t, err = dotnet.ParseTime(s); err == nil {
			*addr(v).Interface().(*time.Time) = t
		}
	case classDuration:
		var t time.Duration
		if t, err = dotnet.ParseDuration(s); err == nil {
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
		v.SetString(string(dotnet.AppendBool(nil, truth)))
	case c == classString:
		v.SetString(numberText(s))
	case c == classBool && !word:
		f, _ := strconv.ParseFloat(s, 64)
		v.SetBool(f != 0)
	case (c == classInt || c == classUint) && d.Compat && v.Type().Bits() == 64 && dotnet.IsDigits(s):
		setInteger(v, wrapped(s))
	case c == classBytes, c == classPacket, c == classDuration:
		return &Error{Type: v.Type().String(), Reason: fmt.Errorf("%w: %s", ErrConvert, shown(s))}
	default:
		return d.setText(v, w)
	}
	return nil
}

// setEnum converts a name, or a number that need not have one.
func (d *Dialect) setEnum(v reflect.Value, i *info, s []byte) error {
	if n, ok := d.enumValue(v.Type(), i, string(s)); ok {
		setInteger(v, n)
		return nil
	}
	if !dotnet.IsDigits(string(s)) {
		return noConversion(v)
	}
	strict := *d
	strict.Compat = false
	if strict.setInt(v, string(s)) != nil {
		return noConversion(v)
	}
	return nil
}

// unmarshalText gives text to a value's UnmarshalText, and nothing of the memory
// behind it.
func unmarshalText(v reflect.Value, s []byte) error {
	u, ok := addr(v).Interface().(encoding.TextUnmarshaler)
	if !ok {
		return &Error{Type: v.Type().String(), Reason: ErrType}
	}
	if err := u.UnmarshalText(s[:len(s):len(s)]); err != nil {
		return &Error{Type: v.Type().String(), Reason: fmt.Errorf("%w: %w", ErrConvert, err)}
	}
	return nil
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
