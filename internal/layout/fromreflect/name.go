package fromreflect

import (
	"reflect"
	"strconv"
	"strings"
)

// typeName prints a type as Go source would, with full package paths, except in
// an interface without a name: [reflect.Type.String] has its methods, with
// short package names. To ask for a method by its index, or by a name that is
// no constant, would keep all exported methods of the program from being
// dropped by the linker.
func typeName(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeName(t.Elem())
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeName(t.Elem())
	case reflect.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	case reflect.Chan:
		return chanName(t)
	case reflect.Func:
		return "func" + signature(t)
	case reflect.Struct:
		return structName(t)
	}
	return t.String()
}

func chanName(t reflect.Type) string {
	elem := typeName(t.Elem())
	switch t.ChanDir() {
	case reflect.RecvDir:
		return "<-chan " + elem
	case reflect.SendDir:
		return "chan<- " + elem
	}
	if e := t.Elem(); e.Name() == "" && e.Kind() == reflect.Chan && e.ChanDir() == reflect.RecvDir {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signature(t reflect.Type) string {
	in := make([]string, t.NumIn())
	for i := range in {
		in[i] = typeName(t.In(i))
	}
	if t.IsVariadic() {
		in[len(in)-1] = "..." + typeName(t.In(t.NumIn()-1).Elem())
	}
	out := make([]string, t.NumOut())
	for i := range out {
		out[i] = typeName(t.Out(i))
	}
	s := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return s
	case 1:
		return s + " " + out[0]
	}
	return s + " (" + strings.Join(out, ", ") + ")"
}

func structName(t reflect.Type) string {
	if t.NumField() == 0 {
		return "struct {}"
	}
	all := make([]string, t.NumField())
	for i := range all {
		f := t.Field(i)
		name := f.Name + " "
		if f.Anonymous {
			name = ""
		}
		all[i] = name + typeName(f.Type)
		if f.Tag != "" {
			all[i] += " " + strconv.Quote(string(f.Tag))
		}
	}
	return "struct { " + strings.Join(all, "; ") + " }"
}
