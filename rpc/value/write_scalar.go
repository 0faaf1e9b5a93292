package value

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

var errNoNumber = fmt.Errorf("%w: JSON has no NaN or infinities", ErrType)

func appendNumber(b []byte, v reflect.Value) []byte {
	switch {
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(b, v.Uint(), 10)
	}
	return dotnet.AppendFloat(b, v.Float(), v.Type().Bits())
}

// appendNumberText writes the text of a number, which must be one.
func appendNumberText(b []byte, s string) ([]byte, error) {
	if s == "" {
		s = "0"
	}
	if c := s[len(s)-1]; (s[0] != '-' && (s[0] < '0' || s[0] > '9')) || c < '0' || c > '9' {
		return b, ErrConvert
	}
	if _, err := strconv.ParseFloat(s, 64); err != nil && !isRange(err) {
		return b, ErrConvert
	}
	return append(b, s...), nil
}

// appendEnum writes the name of a value, its number where it has none.
func (d *Dialect) appendEnum(b []byte, v reflect.Value) []byte {
	if d.Enums[v.Type()] != nil {
		n := int64(0)
		if v.CanInt() {
			n = v.Int()
		} else {
			n = int64(v.Uint())
		}
		if name, ok := d.enumName(v.Type(), n); ok {
			return append(b, name...)
		}
		return appendNumber(b, v)
	}
	if name, ok := stringOf(addr(v)); ok {
		return append(b, name...)
	}
	return appendNumber(b, v)
}

// appendRaw appends what a value writes itself. Its method gets only the memory
// behind b, so that it can't spoil what is there.
func appendRaw(b []byte, v reflect.Value) ([]byte, error) {
	a, ok := addr(v).Interface().(RawAppender)
	if !ok {
		return b, ErrType
	}
	data, err := a.AppendRaw(b[len(b):])
	if err != nil {
		return b, err
	}
	return join(b, data), nil
}

// join appends data, which may be in its place already.
func join(b, data []byte) []byte {
	if end := len(b) + len(data); len(data) > 0 && end <= cap(b) && &b[:end][len(b)] == &data[0] {
		return b[:end]
	}
	return append(b, data...)
}

// appendRawJSON writes a value that writes itself where JSON is wanted: base64 of its bytes, as a packet.
func (d *Dialect) appendRawJSON(b []byte, v reflect.Value) ([]byte, error) {
	p, err := appendRaw(nil, v)
	if err != nil {
		return b, err
	}
	return appendBase64(b, reflect.ValueOf(p)), nil
}

// appendText writes a value with MarshalText as a JSON string.
func appendText(b []byte, v reflect.Value) ([]byte, error) {
	switch m := addr(v).Interface().(type) {
	case encoding.TextAppender:
		s, err := m.AppendText(nil)
		if err != nil {
			return b, err
		}
		return appendString(b, s), nil
	case encoding.TextMarshaler:
		s, err := m.MarshalText()
		if err != nil {
			return b, err
		}
		return appendString(b, s), nil
	}
	return b, ErrType
}

// appendMarshaler writes a value with MarshalJSON.
func appendMarshaler(b []byte, v reflect.Value) ([]byte, error) {
	m, ok := addr(v).Interface().(json.Marshaler)
	if !ok {
		return b, ErrType
	}
	s, err := m.MarshalJSON()
	if err != nil {
		return b, err
	}
	if !json.Valid(s) {
		return b, ErrSyntax
	}
	return appendCompact(b, s), nil
}

// appendBase64 writes bytes as a JSON string.
func appendBase64(b []byte, v reflect.Value) []byte {
	var p []byte
	if v.Kind() == reflect.Slice {
		p = v.Bytes()
	} else {
		p = addr(v).Elem().Slice(0, v.Len()).Bytes()
	}
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, p)
	return append(b, '"')
}

func keyText(k reflect.Value) string {
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10)
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10)
	}
	return k.String()
}
