package value

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Append writes v as the data of a message behind b and tells how. With an error b comes back as it was.
func (d Dialect) Append(b []byte, v any) ([]byte, Kind, error) {
	switch v := v.(type) { // without reflection
	case nil:
		return b, Absent, nil
	case string:
		return append(b, v...), Text, nil
	case []byte:
		if v == nil {
			return b, Absent, nil
		}
		return append(b, v...), Bytes, nil
	case Packet:
		if v == nil {
			return b, Absent, nil
		}
		return append(b, v...), Raw, nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), Text, nil
	case bool:
		return appendBool(b, v), Text, nil
	case float64:
		return appendFloat(b, v, 64), Text, nil
	}
	return d.appendTop(b, reflect.ValueOf(v))
}

// AppendBody is Append for a peer that also reads span bodies: a SpanAppender is written as one. AppendSpan of an embedded type that
// spangen has made does not count.
func (d Dialect) AppendBody(b []byte, v any) ([]byte, Kind, error) {
	s, ok := v.(SpanAppender)
	if !ok {
		return d.Append(b, v)
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		return b, Absent, nil
	}
	if own, err := ownSpan(reflect.TypeOf(v)); err != nil {
		return b, Absent, err
	} else if !own {
		return d.Append(b, v)
	}
	data, err := s.AppendSpan(b[len(b):])
	if err != nil {
		return b, Absent, &Error{Type: fmt.Sprintf("%T", v), Reason: err}
	}
	return join(b, data), Span, nil
}

// AppendJSON writes v as a JSON value behind b, scalars too. With an error b comes back as it was.
func (d Dialect) AppendJSON(b []byte, v any) ([]byte, error) {
	out, err := d.appendJSON(b, reflect.ValueOf(v), 1)
	if err != nil {
		return b, err
	}
	return out, nil
}

// appendBool writes a bool at the top.
func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, "True"...)
	}
	return append(b, "False"...)
}

// hops is how many pointers in a row are followed: a type may be a pointer to itself.
const hops = 100

// indirect follows pointers and interfaces; the zero Value is nil.
func indirect(v reflect.Value) reflect.Value {
	for range hops {
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

func (d *Dialect) appendTop(b []byte, v reflect.Value) (_ []byte, k Kind, err error) {
	v = indirect(v)
	if !v.IsValid() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil() {
		return b, Absent, nil
	}
	c, _ := d.classOf(v.Type())
	var out []byte
	kind := Text
	switch c {
	case classBool:
		out = appendBool(b, v.Bool())
	case classEnum:
		out = d.appendEnum(b, v)
	case classInt, classUint, classFloat:
		out = appendNumber(b, v)
	case classString:
		out, err = append(b, v.String()...), d.textLoss(v.String())
	case classNumber:
		out, err = appendNumberText(b, v.String())
	case classTime:
		out, err = d.appendTextTime(b, timeOf(v))
	case classError:
		out = append(b, addr(v).Interface().(error).Error()...)
	case classPacket:
		out, kind = append(b, v.Bytes()...), Raw
	case classRaw:
		out, err = appendRaw(b, v)
		kind = Raw
	case classBytes:
		if v.Kind() == reflect.Slice {
			out, kind = append(b, v.Bytes()...), Bytes
			break
		}
		fallthrough
	default:
		if v.Type() == charType {
			out, err = span.Char(v.Int()).AppendText(b)
			break
		}
		out, err = d.appendJSON(b, v, 1)
		kind = JSON
	}
	if err != nil {
		return b, Absent, wrap(err, v.Type())
	}
	return out, kind, nil
}

// wrap makes err an *Error about a value of type t.
func wrap(err error, t reflect.Type) error {
	if _, ok := err.(*Error); ok {
		return err
	}
	return &Error{Type: t.String(), Reason: err}
}

func appendNumber(b []byte, v reflect.Value) []byte {
	switch {
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10)
	case v.CanUint():
		return strconv.AppendUint(b, v.Uint(), 10)
	}
	return appendFloat(b, v.Float(), v.Type().Bits())
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

// addr returns a pointer to v, or to a copy of it.
func addr(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// timeOf is the time that v is, without a copy where it has an address.
func timeOf(v reflect.Value) time.Time {
	if v.CanAddr() {
		return *v.Addr().Interface().(*time.Time)
	}
	return v.Interface().(time.Time)
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

// appendCompact writes valid JSON without the white space outside of strings.
func appendCompact(b, s []byte) []byte {
	in := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case in && c == '\\':
			b = append(b, c)
			i++
			c = s[i]
		case c == '"':
			in = !in
		case !in && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		b = append(b, c)
	}
	return b
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
