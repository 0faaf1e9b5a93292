package value

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// losslessWriter writes lossless JSON.
type losslessWriter struct {
	b     []byte
	depth int // levels of JSON that are left
	links int // pointers and interfaces that were followed to here
	loose int // interfaces around: their readers know no types, so that floats are told from integers by a point
}

var (
	errUTF8  = fmt.Errorf("%w: a string that is not UTF-8", ErrConvert)
	errFloat = fmt.Errorf("%w: JSON has no NaN or infinities", ErrConvert)
	errYears = fmt.Errorf("%w: a year outside 0 to 9999", ErrConvert)
)

// AppendLossless writes v as lossless JSON behind b. With an error b comes back as it was.
func (d Dialect) AppendLossless(b []byte, v any) ([]byte, error) {
	w := losslessWriter{b: b, depth: d.losslessDepth()}
	root := reflect.ValueOf(v)
	for root.Kind() == reflect.Pointer && w.links < maxLinks { // pointers at the root leave no trace
		root = root.Elem()
		w.links++
	}
	if err := w.value(root); err != nil {
		return b, err
	}
	return w.b, nil
}

func (w *losslessWriter) null() error {
	w.b = append(w.b, "null"...)
	return nil
}

func (w *losslessWriter) value(v reflect.Value) error {
	if !v.IsValid() {
		return w.null()
	}
	x := losslessOf(v.Type())
	link, level := x.form.steps()
	w.links += link
	w.depth -= level
	if w.depth < 0 || w.links > maxLinks {
		return wrap(ErrDepth, v.Type())
	}
	err := w.put(v, x)
	w.links -= link
	w.depth += level
	if err != nil {
		return wrap(err, v.Type())
	}
	return nil
}

func (w *losslessWriter) put(v reflect.Value, x *losslessType) error {
	switch x.form {
	case formBool:
		w.b = strconv.AppendBool(w.b, v.Bool())
	case formInt:
		w.b = strconv.AppendInt(w.b, v.Int(), 10)
	case formUint:
		w.b = strconv.AppendUint(w.b, v.Uint(), 10)
	case formFloat:
		return w.float(v.Float(), v.Type().Bits())
	case formComplex:
		return w.complex(v)
	case formString:
		return w.text(v.String())
	case formNumber:
		return w.number(v.String())
	case formBytes:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return w.null()
		}
		w.b = appendBase64(w.b, v)
	case formTime:
		return w.time(v.Convert(timeType).Interface().(time.Time))
	case formText:
		return w.marshaled(v)
	case formBinary:
		return w.binary(v)
	case formJSON:
		return w.marshaledJSON(v)
	case formSame:
		return w.value(v.Field(0))
	case formStruct:
		return w.members(v, x)
	case formObject, formPairs:
		return w.entries(v, x.form)
	case formOrdered:
		return w.ordered(v.Interface().(Object))
	case formSlice, formArray:
		return w.list(v)
	case formPointer:
		if v.IsNil() {
			return w.null()
		}
		return w.pointed(v.Elem())
	case formAny:
		return w.dynamic(v, x)
	default:
		return x.err
	}
	return nil
}

// pointed writes what a pointer points to, so that it is not null, which the pointer would be: nil lists and maps as empty ones, and
// what may be null for other reasons in an array of one.
func (w *losslessWriter) pointed(v reflect.Value) error {
	x := losslessOf(v.Type())
	if x.form.nullable() {
		w.b = append(w.b, '[')
		if err := w.value(v); err != nil {
			return err
		}
		w.b = append(w.b, ']')
		return nil
	}
	if k := v.Kind(); (k == reflect.Slice || k == reflect.Map) && v.IsNil() {
		w.b = append(w.b, x.form.empty()...)
		return nil
	}
	return w.value(v)
}

// dynamic writes what is in an interface.
func (w *losslessWriter) dynamic(v reflect.Value, x *losslessType) error {
	if v.IsNil() {
		return w.null()
	}
	if x.err != nil {
		return x.err
	}
	w.loose++
	err := w.value(v.Elem())
	w.loose--
	return err
}

func (w *losslessWriter) float(f float64, bits int) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errFloat
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	at := len(w.b)
	w.b = strconv.AppendFloat(w.b, f, format, -1, bits)
	if w.loose > 0 && !slices.ContainsFunc(w.b[at:], func(c byte) bool { return c == '.' || c == 'e' }) {
		w.b = append(w.b, ".0"...)
	}
	return nil
}

func (w *losslessWriter) complex(v reflect.Value) error {
	c, bits := v.Complex(), v.Type().Bits()/2
	w.b = append(w.b, '[')
	if err := w.float(real(c), bits); err != nil {
		return err
	}
	w.b = append(w.b, ',')
	if err := w.float(imag(c), bits); err != nil {
		return err
	}
	w.b = append(w.b, ']')
	return nil
}

func (w *losslessWriter) text(s string) error {
	if !utf8.ValidString(s) {
		return errUTF8
	}
	w.b = appendString(w.b, s)
	return nil
}

// number writes a json.Number, of which "" stays a string.
func (w *losslessWriter) number(s string) error {
	if s == "" {
		w.b = append(w.b, `""`...)
		return nil
	}
	if n := numberLength([]byte(s)); n != len(s) {
		return fmt.Errorf("%w: %q is not a number", ErrConvert, shorten(s, longestText))
	}
	w.b = append(w.b, s...)
	return nil
}

// time writes RFC 3339 with the offset of t; where that is none of whole minutes, in UTC.
func (w *losslessWriter) time(t time.Time) error {
	if _, offset := t.Zone(); offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		t = t.UTC()
	}
	if y := t.Year(); y < 0 || y > 9999 {
		return errYears
	}
	w.b = append(w.b, '"')
	w.b = t.AppendFormat(w.b, time.RFC3339Nano)
	w.b = append(w.b, '"')
	return nil
}

// marshaled writes what MarshalText gives.
func (w *losslessWriter) marshaled(v reflect.Value) (err error) {
	var s []byte
	switch m := addr(v).Interface().(type) {
	case encoding.TextMarshaler:
		s, err = m.MarshalText()
	case encoding.TextAppender:
		s, err = m.AppendText(nil)
	default:
		err = ErrType
	}
	if err != nil {
		return err
	}
	return w.text(string(s))
}

// binary writes what MarshalBinary gives.
func (w *losslessWriter) binary(v reflect.Value) (err error) {
	var s []byte
	switch m := addr(v).Interface().(type) {
	case encoding.BinaryMarshaler:
		s, err = m.MarshalBinary()
	case encoding.BinaryAppender:
		s, err = m.AppendBinary(nil)
	default:
		err = ErrType
	}
	if err != nil {
		return err
	}
	w.b = append(w.b, '"')
	w.b = base64.StdEncoding.AppendEncode(w.b, s)
	w.b = append(w.b, '"')
	return nil
}

func (w *losslessWriter) marshaledJSON(v reflect.Value) error {
	m, ok := addr(v).Interface().(json.Marshaler)
	if !ok {
		return ErrType
	}
	s, err := m.MarshalJSON()
	switch {
	case err != nil:
		return err
	case !json.Valid(s):
		return ErrSyntax
	case !utf8.Valid(s):
		return errUTF8
	}
	w.b = appendCompact(w.b, s)
	return nil
}

func (w *losslessWriter) members(v reflect.Value, x *losslessType) error {
	w.b = append(w.b, '{')
	for i := range x.fields {
		f := &x.fields[i]
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, f.quoted...)
		if err := w.value(f.of(v)); err != nil {
			return under(err, f.name)
		}
	}
	w.b = append(w.b, '}')
	return nil
}

func (w *losslessWriter) list(v reflect.Value) error {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return w.null()
	}
	w.b = append(w.b, '[')
	for i := range v.Len() {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if err := w.value(v.Index(i)); err != nil {
			return under(err, strconv.Itoa(i))
		}
	}
	w.b = append(w.b, ']')
	return nil
}

// entries writes a map: sorted by its names, or as pairs.
func (w *losslessWriter) entries(v reflect.Value, f form) error {
	if v.IsNil() {
		return w.null()
	}
	open, shut := byte('{'), byte('}')
	if f == formPairs {
		open, shut = '[', ']'
	}
	type entry struct {
		name string
		k, v reflect.Value
	}
	list := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		e := entry{k: it.Key(), v: it.Value()}
		if f == formObject {
			e.name = keyText(e.k)
		}
		list = append(list, e)
	}
	if f == formObject {
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	}
	w.b = append(w.b, open)
	for i, e := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if err := w.entry(f, e.name, e.k, e.v); err != nil {
			return err
		}
	}
	w.b = append(w.b, shut)
	return nil
}

func (w *losslessWriter) entry(f form, name string, k, v reflect.Value) error {
	if f == formPairs {
		w.b = append(w.b, '[')
		if err := w.value(k); err != nil {
			return under(err, "[key]")
		}
		w.b = append(w.b, ',')
		if err := w.value(v); err != nil {
			return under(err, fmt.Sprint(k))
		}
		w.b = append(w.b, ']')
		return nil
	}
	if err := w.text(name); err != nil {
		return under(wrap(err, k.Type()), "[key]")
	}
	w.b = append(w.b, ':')
	if err := w.value(v); err != nil {
		return under(err, name)
	}
	return nil
}

// ordered writes an Object, which is as dynamic as an interface.
func (w *losslessWriter) ordered(o Object) error {
	if o == nil {
		return w.null()
	}
	w.b = append(w.b, '{')
	w.loose++
	defer func() { w.loose-- }()
	seen := make(map[string]bool, len(o))
	for i, m := range o {
		if seen[m.Name] {
			return under(&Error{Reason: errTwice}, m.Name)
		}
		seen[m.Name] = true
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if err := w.text(m.Name); err != nil {
			return err
		}
		w.b = append(w.b, ':')
		if err := w.value(reflect.ValueOf(m.Value)); err != nil {
			return under(err, m.Name)
		}
	}
	w.b = append(w.b, '}')
	return nil
}
