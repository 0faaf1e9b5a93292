package value

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"errors"
	"reflect"
	"strconv"
	"time"
)

var errTime = errors.New("not a time of RFC 3339")

// at adds the place of the cursor to an error.
func (r *losslessScanner) at(e *Error) error {
	e.Offset = r.i
	return e
}

func (r *losslessScanner) no(v reflect.Value, reason error) error {
	return &Error{Type: v.Type().String(), Offset: r.i, Reason: reason}
}

// other refuses a value of another kind than v's, if it is one at all.
func (r *losslessScanner) other(v reflect.Value) error {
	start := r.i
	if err := r.skip(); err != nil {
		return err
	}
	end := r.i
	r.i = start
	return r.at(unfitJSON(v, r.b[start:end], nil))
}

func (r *losslessScanner) bool(v reflect.Value, c byte) error {
	switch c {
	case 't':
		v.SetBool(true)
		return r.literal("true")
	case 'f':
		return r.literal("false")
	}
	return r.other(v)
}

func (r *losslessScanner) number(v reflect.Value, f form) error {
	n := numberLength(r.b[r.i:])
	if n == 0 {
		if f == formNumber && bytes.HasPrefix(r.b[r.i:], []byte(`""`)) {
			r.i += 2
			return nil
		}
		return r.other(v)
	}
	s := string(r.b[r.i : r.i+n])
	if err := setNumber(v, f, s); err != nil {
		return r.at(unfit(v, aNumber, s, numberError(err)))
	}
	r.i += n
	return nil
}

// setNumber converts a number. With an error v is as it was.
func setNumber(v reflect.Value, f form, s string) error {
	switch f {
	case formInt:
		k, err := strconv.ParseInt(s, 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetInt(k)
	case formUint:
		k, err := strconv.ParseUint(s, 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetUint(k)
	case formFloat:
		k, exact := exactFloat(s, v.Type().Bits())
		if !exact {
			return errInexact
		}
		v.SetFloat(k)
	default:
		v.SetString(s)
	}
	return nil
}

// quoted reads what stands as a string.
func (r *losslessScanner) quoted(v reflect.Value, f form) error {
	if r.peek() != '"' {
		return r.other(v)
	}
	s, err := r.text()
	if err != nil {
		return err
	}
	switch f {
	case formString:
		v.SetString(string(s))
	case formBytes:
		return r.bytes(v, s)
	case formTime:
		var t time.Time
		if err := t.UnmarshalText(s); err != nil {
			return r.at(unfit(v, aString, s, errTime))
		}
		v.Set(reflect.ValueOf(t).Convert(v.Type()))
	case formText:
		return unmarshalText(v, aString, bytes.Clone(s)) // which may be written to
	case formBinary:
		p, err := base64.StdEncoding.Strict().AppendDecode(nil, s)
		u, ok := addr(v).Interface().(encoding.BinaryUnmarshaler)
		if err != nil || !ok {
			return r.at(unfit(v, aString, s, errBase64))
		}
		if err := u.UnmarshalBinary(p); err != nil {
			return r.at(unfit(v, aString, s, err))
		}
	}
	return nil
}

func (r *losslessScanner) bytes(v reflect.Value, s []byte) error {
	p, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, s)
	if err != nil || bytes.ContainsAny(s, "\r\n") { // which package base64 passes over
		return r.at(unfit(v, aString, s, errBase64))
	}
	if v.Kind() == reflect.Slice {
		v.SetBytes(p)
		return nil
	}
	if len(p) != v.Len() {
		return r.at(unfit(v, aString, s, wrongLength(len(p), v.Len())))
	}
	copy(v.Slice(0, v.Len()).Bytes(), p)
	return nil
}
