package randval

import (
	"math"
	"reflect"
	"strconv"
	"time"
)

// Diff returns "" when a and b are equal up to nil and empty lists and maps and
// to the location of times, else the path of the first difference.
// Floats are compared by their bits.
func Diff(a, b any) string { return diff(reflect.ValueOf(a), reflect.ValueOf(b), 0) }

// maxDepth ends the comparison of cyclic values.
const maxDepth = 10_000

func diff(a, b reflect.Value, depth int) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return ": types differ"
	}
	if !a.IsValid() || depth > maxDepth {
		return ""
	}
	if a.Type() == timeType {
		if s, t := a.Interface().(time.Time), b.Interface().(time.Time); !s.Equal(t) {
			return ": " + s.String() + " and " + t.String()
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return ": floats differ"
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return ": one is nil"
			}
			return ""
		}
		return diff(a.Elem(), b.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return diffList(a, b, depth)
	case reflect.Map:
		return diffMap(a, b, depth)
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if !f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct) {
				continue
			}
			if d := diff(a.Field(i), b.Field(i), depth+1); d != "" {
				return "." + f.Name + d
			}
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		if a.Comparable() && !a.Equal(b) {
			return ": values differ"
		}
	}
	return ""
}

func diffList(a, b reflect.Value, depth int) string {
	if a.Len() != b.Len() {
		return ": lengths " + strconv.Itoa(a.Len()) + " and " + strconv.Itoa(b.Len())
	}
	for i := range a.Len() {
		if d := diff(a.Index(i), b.Index(i), depth+1); d != "" {
			return "[" + strconv.Itoa(i) + "]" + d
		}
	}
	return ""
}

func diffMap(a, b reflect.Value, depth int) string {
	if a.Len() != b.Len() {
		return ": lengths " + strconv.Itoa(a.Len()) + " and " + strconv.Itoa(b.Len())
	}
	for it := a.MapRange(); it.Next(); {
		e := b.MapIndex(it.Key())
		if !e.IsValid() {
			return "[key]: missing"
		}
		if d := diff(it.Value(), e, depth+1); d != "" {
			return "[key]" + d
		}
	}
	return ""
}
