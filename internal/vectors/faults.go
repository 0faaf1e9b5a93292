package vectors

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// Which of NewLife's faults a value meets, told from the value alone.

// each calls f with every value that v is made of, pointers followed.
func each(v reflect.Value, f func(reflect.Value)) {
	f(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if t := v.Type().Field(i); t.IsExported() {
				each(v.Field(i), f)
			}
		}
	}
}

// times gives pointers to all times in the model.
func times(model any) (all []*time.Time) {
	each(reflect.ValueOf(model), func(v reflect.Value) {
		if v.Type() == reflect.TypeFor[time.Time]() {
			all = append(all, v.Addr().Interface().(*time.Time))
		}
	})
	return all
}

// hasFarTime: a time that seconds do not hold, which .NET saturates.
func hasFarTime(model any) bool {
	for _, t := range times(model) {
		if sec := t.Unix(); !t.IsZero() && (sec < 0 || sec >= math.MaxUint32) {
			return true
		}
	}
	return false
}

// hasLastSecond: the time that .NET reads from the number it writes for all
// later ones.
func hasLastSecond(model any) bool {
	for _, t := range times(model) {
		if t.Unix() == math.MaxUint32 {
			return true
		}
	}
	return false
}

// inUTC replaces the clock readings that .NET writes for local times by their
// instants: the bytes that are right.
func inUTC(model any, b []byte, o span.Options) []byte {
	for _, t := range times(model) {
		if t.IsZero() || t.Location() != time.Local {
			continue
		}
		_, offset := t.Zone()
		b = bytes.Replace(b, seconds(t.Unix()+int64(offset), o), seconds(t.Unix(), o), 1)
	}
	return b
}

func seconds(sec int64, o span.Options) []byte {
	switch {
	case o.EncodeInt:
		return binary.AppendUvarint(nil, uint64(sec))
	case o.BigEndian:
		return binary.BigEndian.AppendUint32(nil, uint32(sec))
	}
	return binary.LittleEndian.AppendUint32(nil, uint32(sec))
}

// hasNilMiddle: a null object with something behind it, for which .NET writes
// nothing.
func hasNilMiddle(model any) bool { return nilMiddle(reflect.ValueOf(model).Elem(), true) }

// nilMiddle is hasNilMiddle for a struct that is the last thing in its message
// or not.
func nilMiddle(v reflect.Value, last bool) bool {
	for i := range v.NumField() {
		f, tail := v.Field(i), last && i == v.NumField()-1
		if f.Kind() == reflect.Pointer && f.IsNil() {
			if !tail && isObject(f.Type().Elem()) {
				return true
			}
			continue
		}
		if f = reflect.Indirect(f); isObject(f.Type()) && nilMiddle(f, tail) {
			return true
		}
	}
	return false
}

// isObject tells structs with members from scalars that are structs.
func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() && t != reflect.TypeFor[span.Decimal]()
}

// hasNullableGUID: a Guid? with a value, which .NET fails to write.
func hasNullableGUID(model any) (found bool) {
	each(reflect.ValueOf(model), func(v reflect.Value) {
		found = found || v.Type() == reflect.TypeFor[*span.GUID]() && !v.IsNil()
	})
	return found
}

// adoptZeros gives the zero decimals of model the signs that they have in like,
// since recorded text does not show them.
func adoptZeros(model, like any) {
	var signs []span.Decimal
	each(reflect.ValueOf(like), func(v reflect.Value) {
		if d, ok := v.Interface().(span.Decimal); ok {
			signs = append(signs, d)
		}
	})
	each(reflect.ValueOf(model), func(v reflect.Value) {
		d, ok := v.Interface().(span.Decimal)
		if !ok || len(signs) == 0 {
			return
		}
		if s := signs[0]; d.Sign() == 0 && s.Sign() == 0 && d.Scale() == s.Scale() {
			v.Set(reflect.ValueOf(s))
		}
		signs = signs[1:]
	})
}

// depth is how many values of recursive types nest in model.
func depth(model any) (n int) {
	if d, ok := model.(*models.Deep); ok {
		for ; d != nil; d = d.Next {
			n++
		}
	}
	return n
}
