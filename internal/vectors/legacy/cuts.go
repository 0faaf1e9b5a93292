package legacy

import (
	"reflect"
	"strings"

	"github.com/spanwire/spanwire/binary"
)

// cuts gives what is left of a model, a struct, when messages end between members:
// structs of its first members, of which the last may be cut itself. f judges the
// object that each cut ends in and the number of its members that are there.
func cuts(v reflect.Value, whole func(object reflect.Value, members int) bool) (all []reflect.Value) {
	t := v.Type()
	var fields []reflect.StructField
	var values []reflect.Value
	add := func(last reflect.Value) {
		p := reflect.New(reflect.StructOf(fields))
		for i, x := range values {
			p.Elem().Field(i).Set(x)
		}
		if last.IsValid() {
			p.Elem().Field(len(fields) - 1).Set(last)
		}
		all = append(all, p)
	}
	for i := range t.NumField() + 1 {
		if i < t.NumField() && !t.Field(i).IsExported() {
			continue
		}
		if whole(v, i) {
			add(reflect.Value{})
		}
		if i == t.NumField() {
			break
		}
		f := t.Field(i)
		f.Index, f.Offset, f.Anonymous = nil, 0, false
		inner := v.Field(i)
		for _, c := range inside(inner, whole) {
			f := f
			f.Type = c.Type()
			fields = append(fields, f)
			add(c)
			fields = fields[:len(fields)-1]
		}
		fields, values = append(fields, f), append(values, inner)
	}
	return all
}

// inside gives the cuts of a member that is an object laid out by its members.
func inside(v reflect.Value, whole func(reflect.Value, int) bool) []reflect.Value {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct && isModel(v) {
		return cuts(v, whole)
	}
	return nil
}

// isModel reports a struct whose members NewLife writes, not one that writes
// itself.
func isModel(v reflect.Value) bool {
	p := v.Addr()
	_, accessor := p.Interface().(binary.Accessor)
	return !accessor && !self(p) && strings.Contains(v.Type().PkgPath(), "/internal/vectors/")
}
