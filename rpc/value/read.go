package value

import (
	"bytes"
	"fmt"
	"reflect"
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
		return d.reader(s).value(v)
	}
	if string(s) == "null" {
		return nil
	}
	return d.setText(v, bareText, unquoted(s))
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
