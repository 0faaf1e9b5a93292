package value

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"unicode/utf8"
)

// Read reads the data of a response into what dst, a pointer that is not nil, points to. Absent and empty data are the zero
// value. Strings are the data as it is; []byte and Packet get a copy. What dst held before is gone.
func (d Dialect) Read(data []byte, dst any) error {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return &Error{Type: fmt.Sprintf("%T", dst), Reason: ErrType}
	}
	v = v.Elem()
	v.SetZero()
	if len(data) == 0 {
		return nil
	}
	return d.readTop(data, v)
}

// ReadBody is Read for data of which the tail tells whether it is a span body.
func (d Dialect) ReadBody(data []byte, span bool, dst any) error {
	if !span {
		return d.Read(data, dst)
	}
	if d.ReadSpan == nil {
		return &Error{Type: fmt.Sprintf("%T", dst), Reason: ErrType}
	}
	if err := d.ReadSpan(data, dst); err != nil {
		return &Error{Type: fmt.Sprintf("%T", dst), Reason: err}
	}
	return nil
}

func (d *Dialect) readTop(data []byte, v reflect.Value) error {
	if v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct && string(bytes.TrimSpace(data)) == "null" {
		return nil // stays nil
	}
	v = settle(v)
	switch c, _ := d.classOf(v.Type()); c {
	case classString:
		v.SetString(textOf(data))
		return nil
	case classPacket:
		v.SetBytes(bytes.Clone(data))
		return nil
	case classBytes:
		if v.Kind() == reflect.Slice {
			v.SetBytes(bytes.Clone(data))
			return nil
		}
	case classRaw:
		return readRaw(data, v)
	}
	s := bytes.TrimSpace(data)
	if len(s) > 0 && (s[0] == '{' || s[0] == '[') {
		p := parser{d: d, b: s}
		return p.value(v)
	}
	if string(s) == "null" {
		return nil
	}
	return d.setText(v, d.unquoted(s))
}

// unquoted takes the quotes off what stands in them also at the top.
func (d *Dialect) unquoted(s []byte) []byte {
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		p := parser{d: d, b: s}
		if q, err := p.text(); err == nil && p.i == n {
			return q
		}
	}
	return s
}

// settle makes pointers point to something and returns that.
func settle(v reflect.Value) reflect.Value {
	for i := 0; i < hops && v.Kind() == reflect.Pointer; i++ {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v
}

func readRaw(data []byte, v reflect.Value) error {
	if r, ok := addr(v).Interface().(RawReader); ok {
		if err := r.ReadRaw(data[:len(data):len(data)]); err != nil {
			return &Error{Type: v.Type().String(), Reason: err}
		}
		return nil
	}
	return &Error{Type: v.Type().String(), Reason: ErrType}
}

// textOf is data as a string; a byte that is not UTF-8 becomes U+FFFD.
func textOf(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	out := make([]byte, 0, len(data)+8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		out = utf8.AppendRune(out, r)
		data = data[n:]
	}
	return string(out)
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
