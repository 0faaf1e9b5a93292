package value

import (
	"reflect"
	"strings"
)

// field is a member of a struct.
type field struct {
	name   string
	quoted string // "name": in JSON
	index  []int  // path to it
	class  class  // of its type, as far as no Dialect.Enums say more
	scalar bool   // it cannot be nil and has no members
}

// of is the member's value in struct v.
func (f *field) of(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

func newField(name string, index []int) field {
	return field{name: name, quoted: string(appendString(nil, name)) + ":", index: index}
}

// fieldsOf lists the members of struct t in declaration order, those of embedded structs at their place. Of equal names the
// outermost, and there the first, counts.
func fieldsOf(t reflect.Type, at []int) (fs []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(append([]int(nil), at...), i)
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct && classify(f.Type) == classStruct:
			fs = append(fs, fieldsOf(f.Type, index)...)
		case !f.IsExported():
		default:
			if name == "" {
				name = f.Name
			}
			c, k := classify(f.Type), f.Type.Kind()
			fs = append(fs, field{name, string(appendString(nil, name)) + ":", index, c, c < classStruct && k != reflect.Slice && k != reflect.Map})
		}
	}
	if at == nil {
		return outermost(fs)
	}
	return fs
}

// outermost drops the fields that are hidden by another of the same name.
func outermost(fs []field) (out []field) {
	for i, f := range fs {
		hidden := false
		for j, g := range fs {
			if g.name == f.name && (len(g.index) < len(f.index) || len(g.index) == len(f.index) && j < i) {
				hidden = true
			}
		}
		if !hidden {
			out = append(out, f)
		}
	}
	return out
}

// sameName compares names without the case of ASCII letters.
func sameName[A, B ~string | ~[]byte](a A, b B) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x, y := a[i], b[i]; x != y && (lower(x) != lower(y)) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
