package ser

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Convert copies src to dst, both pointers to structs, field by field by name,
// without regard to case and underlines. It changes between time.Time and int64
// nanoseconds, arrays and slices of bytes, maps and slices of pairs, values and
// pointers. Fields of dst that src lacks are left alone.
func Convert(dst, src any) error {
	return convert(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem())
}

var timeType = reflect.TypeFor[time.Time]()

func convert(d, s reflect.Value) error {
	if s.Kind() == reflect.Pointer && s.IsNil() {
		d.SetZero()
		return nil
	}
	switch {
	case d.Kind() == reflect.Pointer:
		if d.IsNil() {
			d.Set(reflect.New(d.Type().Elem()))
		}
		return convert(d.Elem(), s)
	case s.Kind() == reflect.Pointer:
		return convert(d, s.Elem())
	case d.Type() == timeType && s.Kind() == reflect.Int64:
		d.Set(reflect.ValueOf(time.Unix(0, s.Int()).UTC()))
	case s.Type() == timeType && d.Kind() == reflect.Int64:
		d.SetInt(s.Interface().(time.Time).UnixNano())
	case s.Type() == timeType && d.Type() == timeType:
		d.Set(reflect.ValueOf(s.Interface().(time.Time).UTC()))
	case d.Kind() == reflect.Struct && s.Kind() == reflect.Struct:
		return convertStruct(d, s)
	case d.Kind() == reflect.Array && s.Kind() != reflect.String:
		if s.Len() != d.Len() {
			return fmt.Errorf("%d elements for %s", s.Len(), d.Type())
		}
		return convertElems(d, s)
	case d.Kind() == reflect.Array: // a string in a fixed array
		d.SetZero()
		reflect.Copy(d, reflect.ValueOf([]byte(s.String())))
	case s.Kind() == reflect.Array && d.Kind() == reflect.String:
		b := make([]byte, s.Len())
		reflect.Copy(reflect.ValueOf(b), s)
		d.SetString(strings.TrimRight(string(b), "\x00"))
	case d.Kind() == reflect.Slice && s.Kind() == reflect.Map:
		return mapToPairs(d, s)
	case d.Kind() == reflect.Map && s.Kind() == reflect.Slice:
		return pairsToMap(d, s)
	case d.Kind() == reflect.Slice:
		d.Set(reflect.MakeSlice(d.Type(), s.Len(), s.Len()))
		return convertElems(d, s)
	case d.Kind() == reflect.Map:
		d.Set(reflect.MakeMap(d.Type()))
		for it := s.MapRange(); it.Next(); {
			d.SetMapIndex(it.Key().Convert(d.Type().Key()), it.Value().Convert(d.Type().Elem()))
		}
	case d.Kind() == reflect.String && s.Kind() == reflect.String:
		d.SetString(strings.Clone(s.String()))
	default:
		if !s.CanConvert(d.Type()) {
			return fmt.Errorf("no way from %s to %s", s.Type(), d.Type())
		}
		d.Set(s.Convert(d.Type()))
	}
	return nil
}

func convertElems(d, s reflect.Value) error {
	for i := range s.Len() {
		if err := convert(d.Index(i), s.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func convertStruct(d, s reflect.Value) error {
	for i := range d.NumField() {
		f := d.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		from := s.FieldByNameFunc(func(n string) bool { return fold(n) == fold(f.Name) })
		if !from.IsValid() {
			continue
		}
		if err := convert(d.Field(i), from); err != nil {
			return fmt.Errorf("%s.%s: %w", d.Type(), f.Name, err)
		}
	}
	return nil
}

func mapToPairs(d, s reflect.Value) error {
	d.Set(reflect.MakeSlice(d.Type(), s.Len(), s.Len()))
	i := 0
	for it := s.MapRange(); it.Next(); i++ {
		p := d.Index(i)
		if p.Kind() == reflect.Pointer {
			p.Set(reflect.New(p.Type().Elem()))
			p = p.Elem()
		}
		p.Field(0).Set(it.Key().Convert(p.Field(0).Type()))
		p.Field(1).Set(it.Value().Convert(p.Field(1).Type()))
	}
	return nil
}

func pairsToMap(d, s reflect.Value) error {
	d.Set(reflect.MakeMap(d.Type()))
	for i := range s.Len() {
		p := reflect.Indirect(s.Index(i))
		d.SetMapIndex(p.Field(0).Convert(d.Type().Key()), p.Field(1).Convert(d.Type().Elem()))
	}
	return nil
}
