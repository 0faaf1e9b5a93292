package value

import (
	"reflect"
)

// hiddenState tells that t has unexported fields that hold something.
func hiddenState(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() || f.Name == "_" || f.Type.Size() == 0 || spanTag(f).Has("-") {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct { // its exported fields are members
			continue
		}
		if p := f.Type.PkgPath(); p != "sync" && p != "sync/atomic" {
			return true
		}
	}
	return false
}

// foreignState tells that a field of t holds structs of another package with hidden state and no methods that give it.
func foreignState(t reflect.Type, f reflect.StructField) bool {
	e := f.Type
	for range hops {
		if k := e.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Array && k != reflect.Map {
			break
		}
		e = e.Elem()
	}
	if e.Kind() != reflect.Struct || e.PkgPath() == t.PkgPath() || e.PkgPath() == "" || e.ConvertibleTo(timeType) || !hiddenState(e) {
		return false
	}
	asked := spanTag(f).Has("fields") || typeOption(e) == "fields"
	return !asked && !textGroup.whole(e) && !binaryGroup.whole(e) && !jsonGroup.whole(e)
}

func anyExported(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
			return true
		}
	}
	return false
}
