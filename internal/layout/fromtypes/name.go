package fromtypes

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// typeName prints a type as Go source would, with full package paths and
// without aliases. In an interface without a name package names are short, as
// in what reflection prints.
func typeName(t types.Type) string { return printer{}.typeName(t) }

// printer prints types in the manner of their place.
type printer struct {
	short bool // package names rather than paths
	arg   bool // inside the arguments of a generic type, where all is in full
}

func (p printer) typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return p.namedName(t)
	case *types.Basic:
		return basicName(t)
	case *types.TypeParam:
		return t.Obj().Name()
	case *types.Pointer:
		return "*" + p.typeName(t.Elem())
	case *types.Slice:
		return "[]" + p.typeName(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + p.typeName(t.Elem())
	case *types.Map:
		return "map[" + p.typeName(t.Key()) + "]" + p.typeName(t.Elem())
	case *types.Chan:
		return p.chanName(t)
	case *types.Signature:
		return "func" + p.signatureName(t)
	case *types.Interface:
		return p.interfaceName(t)
	case *types.Struct:
		return p.structName(t)
	}
	return t.String()
}

func (p printer) namedName(t *types.Named) string {
	name := p.in(t.Obj().Pkg(), t.Obj().Name())
	var args []string
	for a := range t.TypeArgs().Types() {
		args = append(args, printer{arg: true}.typeName(a))
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

// in prints a name that belongs to a package.
func (p printer) in(pkg *types.Package, name string) string {
	switch {
	case pkg == nil:
		return name
	case p.short:
		return pkg.Name() + "." + name
	}
	return pkg.Path() + "." + name
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

func (p printer) chanName(t *types.Chan) string {
	elem := p.typeName(t.Elem())
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

func (p printer) signatureName(t *types.Signature) string {
	var in, out []string
	for v := range t.Params().Variables() {
		in = append(in, p.typeName(v.Type()))
	}
	if t.Variadic() {
		in[len(in)-1] = "..." + strings.TrimPrefix(in[len(in)-1], "[]")
	}
	for v := range t.Results().Variables() {
		out = append(out, p.typeName(v.Type()))
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
func (p printer) interfaceName(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	p.short = !p.arg
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
		if !m.Exported() {
			name = p.in(m.Pkg(), name)
		}
		all[i] = name + p.signatureName(m.Signature())
	}
	return "interface { " + strings.Join(all, "; ") + " }"
}

func (p printer) structName(t *types.Struct) string {
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
		all[i] = name + p.typeName(v.Type())
		if tag := t.Tag(i); tag != "" {
			all[i] += " " + strconv.Quote(tag)
		}
	}
	return "struct { " + strings.Join(all, "; ") + " }"
}
