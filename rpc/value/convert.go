package value

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// setText converts text to v. What kind of text it is matters to errors alone.
func (d *Dialect) setText(v reflect.Value, kind string, s []byte) error {
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
		return unmarshalText(v, kind, s)
	case classJSON:
		u, ok := addr(v).Interface().(json.Unmarshaler)
		if !ok {
			return &Error{Type: v.Type().String(), Reason: ErrType}
		}
		in := s[:len(s):len(s)]
		if !json.Valid(s) {
			in = appendString(nil, s)
		}
		if err := u.UnmarshalJSON(in); err != nil {
			return unfit(v, kind, s, err)
		}
		return nil
	case classBytes, classPacket:
		return setBase64(v, kind, s)
	case classEnum:
		return d.setEnum(v, i, kind, bytes.TrimSpace(s))
	}
	return d.setScalar(v, c, kind, string(bytes.TrimSpace(s)))
}

// setScalar converts text without white space around it.
func (d *Dialect) setScalar(v reflect.Value, c class, kind, s string) error {
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
		return unfit(v, kind, s, numberError(err))
	}
	return nil
}

// setWord converts a JSON number or literal to v.
func (d *Dialect) setWord(v reflect.Value, w []byte) error {
	c, _ := d.classOf(v.Type())
	if !d.Compat && (c == classInt || c == classFloat) && isNumber(w) && d.setScalar(v, c, aNumber, string(w)) == nil {
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
		return unfitJSON(v, w, nil)
	default:
		return d.setText(v, kindOf(w[0]), w)
	}
	return nil
}

// errNoName is for what is neither the name of a value of an integer type nor a number.
var errNoName = errors.New("not the name of a value")

// setEnum converts a name, or a number that need not have one.
func (d *Dialect) setEnum(v reflect.Value, i *info, kind string, s []byte) error {
	if n, ok := d.enumValue(v.Type(), i, string(s)); ok {
		setInteger(v, n)
		return nil
	}
	if !dotnet.IsDigits(string(s)) {
		return unfit(v, kind, s, errNoName)
	}
	strict := *d
	strict.Compat = false
	if err := strict.setInt(v, string(s)); err != nil {
		return unfit(v, kind, s, numberError(err))
	}
	return nil
}

// unmarshalText gives text to a value's UnmarshalText, and nothing of the memory
// behind it.
func unmarshalText(v reflect.Value, kind string, s []byte) error {
	u, ok := addr(v).Interface().(encoding.TextUnmarshaler)
	if !ok {
		return &Error{Type: v.Type().String(), Reason: ErrType}
	}
	if err := u.UnmarshalText(s[:len(s):len(s)]); err != nil {
		return unfit(v, kind, s, err)
	}
	return nil
}

// errBase64 is what bytes are that somebody has sent as they are: a client's []byte to a parameter of that type, for one.
var errBase64 = errors.New("not base64 text (bytes as they are go to a single Packet)")

// setBase64 reads bytes from base64, with or without padding.
func setBase64(v reflect.Value, kind string, text []byte) error {
	s := bytes.TrimRight(bytes.TrimSpace(text), "=")
	p := make([]byte, base64.RawStdEncoding.DecodedLen(len(s)))
	n, err := base64.RawStdEncoding.Decode(p, s)
	switch {
	case err != nil:
		return unfit(v, kind, text, errBase64)
	case v.Kind() == reflect.Array && n != v.Len():
		return unfit(v, kind, text, wrongLength(n, v.Len()))
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
