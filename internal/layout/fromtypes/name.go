package fromtypes

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// typeName prints a type as Go source would, with full package paths and
// without aliases.
func typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return namedName(t)
	case *types.Basic:
		return basicName(t)
	case *types.TypeParam:
		return t.Obj().Name()
	case *types.Pointer:
		return "*" + typeName(t.Elem())
	case *types.Slice:
		return "[]" + typeName(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + typeName(t.Elem())
	case *types.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	case *types.Chan:
		return chanName(t)
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Interface:
		return interfaceName(t)
	case *types.Struct:
		return structName(t)
	}
	return t.String()
}

func namedName(t *types.Named) string {
	name := objectName(t.Obj())
	var args []string
	for a := range t.TypeArgs().Types() {
		args = append(args, typeName(a))
	}
	if len(args) == 0 {
		for p := range t.TypeParams().TypeParams() {
			args = append(args, p.Obj().Name())
		}
	}
	if len(args) == 0 {
		return name
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

// basicName prints byte and rune by their other names, as reflection does.
func basicName(t *types.Basic) string {
	switch t.Kind() {
	case types.Byte:
		return "uint8"
	case types.Rune:
		return "int32"
	case types.UnsafePointer:
		return "unsafe.Pointer"
	}
	return t.Name()
}

func chanName(t *types.Chan) string {
	elem := typeName(t.Elem())
	switch t.Dir() {
	case types.RecvOnly:
		return "<-chan " + elem
	case types.SendOnly:
		return "chan<- " + elem
	}
	if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signatureName(t *types.Signature) string {
	var in, out []string
	for v := range t.Params().Variables() {
		in = append(in, typeName(v.Type()))
	}
	if t.Variadic() {
		in[len(in)-1] = "..." + strings.TrimPrefix(in[len(in)-1], "[]")
	}
	for v := range t.Results().Variables() {
		out = append(out, typeName(v.Type()))
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

// interfaceName lists methods in the order of the runtime: exported ones
// first, then by name.
func interfaceName(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	methods := slices.Collect(t.Methods())
	slices.SortFunc(methods, func(a, b *types.Func) int {
		if a.Exported() != b.Exported() {
			if a.Exported() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name(), b.Name())
	})
	all := make([]string, len(methods))
	for i, m := range methods {
		name := m.Name()
		if !m.Exported() && m.Pkg() != nil {
			name = m.Pkg().Path() + "." + name
		}
		all[i] = name + signatureName(m.Signature())
	}
	return "interface { " + strings.Join(all, "; ") + " }"
}

func structName(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	all := make([]string, t.NumFields())
	for i := range all {
		v := t.Field(i)
		name := v.Name() + " "
		if v.Embedded() {
			name = ""
		}
		all[i] = name + typeName(v.Type())
		if tag := t.Tag(i); tag != "" {
			all[i] += " " + strconv.Quote(tag)
		}
	}
	return "struct { " + strings.Join(all, "; ") + " }"
}
