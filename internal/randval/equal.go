package randval

import (
	"math"
	"reflect"
	"strconv"
	"time"
)

// DiffAll is Diff for values whose unexported fields count as well, save for those
// that only guard or coordinate.
func DiffAll(a, b any) string {
	return differ{hidden: true}.diff(reflect.ValueOf(a), reflect.ValueOf(b), 0)
}

// Diff returns "" when a and b are equal up to nil and empty lists and maps and
// to the location of times, else the path of the first difference.
// Floats are compared by their bits.
func Diff(a, b any) string { return differ{}.diff(reflect.ValueOf(a), reflect.ValueOf(b), 0) }

type differ struct{ hidden bool }

// maxDepth ends the comparison of cyclic values.
const maxDepth = 10_000

func (d differ) diff(a, b reflect.Value, depth int) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return ": types differ"
	}
	if !a.IsValid() || depth > maxDepth {
		return ""
	}
	if a.Type() == timeType && a.CanInterface() {
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
		return d.diff(a.Elem(), b.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return d.diffList(a, b, depth)
	case reflect.Map:
		return d.diffMap(a, b, depth)
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			embedded := f.Anonymous && f.Type.Kind() == reflect.Struct
			if f.Name == "_" || !f.IsExported() && !embedded && (!d.hidden || coordinates(f.Type)) {
				continue
			}
			if path := d.diff(a.Field(i), b.Field(i), depth+1); path != "" {
				return "." + f.Name + path
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

func (d differ) diffList(a, b reflect.Value, depth int) string {
	if a.Len() != b.Len() {
		return ": lengths " + strconv.Itoa(a.Len()) + " and " + strconv.Itoa(b.Len())
	}
	for i := range a.Len() {
		if path := d.diff(a.Index(i), b.Index(i), depth+1); path != "" {
			return "[" + strconv.Itoa(i) + "]" + path
		}
	}
	return ""
}

func (d differ) diffMap(a, b reflect.Value, depth int) string {
	if a.Len() != b.Len() {
		return ": lengths " + strconv.Itoa(a.Len()) + " and " + strconv.Itoa(b.Len())
	}
	for it := a.MapRange(); it.Next(); {
		e := b.MapIndex(it.Key())
		if !e.IsValid() {
			return "[key]: missing"
		}
		if path := d.diff(it.Value(), e, depth+1); path != "" {
			return "[key]" + path
		}
	}
	return ""
}
