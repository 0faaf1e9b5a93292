package value

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
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
		return dotnet.AppendBool(b, v), Text, nil
	case float64:
		return dotnet.AppendFloat(b, v, 64), Text, nil
	}
	return d.appendTop(b, reflect.ValueOf(v))
}

// AppendArgument is Append for arguments: a value that would arrive changed is ErrLossy, unless Lossy. Fractions of a second are
// written as far as .NET reads them, to 100 ns, where Append drops them as NewLife does.
func (d Dialect) AppendArgument(b []byte, v any) ([]byte, Kind, error) {
	if d.Lossy {
		return d.Append(b, v)
	}
	d.loss = &loss{refuse: true}
	out, kind, err := d.appendTop(b, reflect.ValueOf(v))
	if err == nil {
		if err = d.bareLoss(out[len(b):], kind); err != nil {
			return b, Absent, wrap(err, reflect.TypeOf(v))
		}
	}
	return out, kind, err
}

// AppendCut is Append, and tells whether the value has been changed.
func (d Dialect) AppendCut(b []byte, v any) (_ []byte, _ Kind, cut bool, err error) {
	var l loss
	d.loss = &l
	out, kind, err := d.appendTop(b, reflect.ValueOf(v))
	return out, kind, l.cut, err
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
		out = dotnet.AppendBool(b, v.Bool())
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
