package emit

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// params returns the type parameters of a receiver of a generic type, by names
// that hide nothing in the file, and has typeCode call them by these.
func (f *file) params(n *types.Named) string {
	var old, names []string
	for p := range n.TypeParams().TypeParams() {
		old = append(old, p.Obj().Name())
	}
	for i, name := range old {
		k := i + 1
		for name == "_" || f.taken(name) || slices.Contains(names, name) || name != old[i] && slices.Contains(old, name) {
			name = fmt.Sprintf("T%d", k)
			k++
		}
		names = append(names, name)
		f.paramNames[name] = true
		if p := n.TypeParams().At(i); name != old[i] && f.renames[p] == nil {
			obj := types.NewTypeName(token.NoPos, f.pkg.Types, name, nil)
			f.renames[p] = types.NewTypeParam(obj, types.Universe.Lookup("any").Type())
		}
	}
	return strings.Join(names, ", ")
}

// renamed returns a type with the names that the file gives to type parameters.
func (f *file) renamed(t types.Type) types.Type {
	found := false
	f.eachPart(t, func(t types.Type) {
		p, ok := t.(*types.TypeParam)
		found = found || ok && f.renames[p] != nil
	})
	if !found {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		return f.renames[t]
	case *types.Named:
		return f.instance(t, t.Origin(), t.TypeArgs())
	case *types.Alias:
		return f.instance(t, t.Origin(), t.TypeArgs())
	case *types.Pointer:
		return types.NewPointer(f.renamed(t.Elem()))
	case *types.Slice:
		return types.NewSlice(f.renamed(t.Elem()))
	case *types.Array:
		return types.NewArray(f.renamed(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), f.renamed(t.Elem()))
	case *types.Map:
		return types.NewMap(f.renamed(t.Key()), f.renamed(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, f.renamedTuple(t.Params()), f.renamedTuple(t.Results()), t.Variadic())
	case *types.Struct:
		return f.renamedStruct(t)
	}
	return t
}

// instance returns a generic type with renamed arguments.
func (f *file) instance(t, origin types.Type, list *types.TypeList) types.Type {
	var args []types.Type
	for arg := range list.Types() {
		args = append(args, f.renamed(arg))
	}
	if out, err := types.Instantiate(nil, origin, args, false); err == nil {
		return out
	}
	return t
}

func (f *file) renamedTuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), f.renamed(v.Type())))
	}
	return types.NewTuple(vars...)
}

func (f *file) renamedStruct(t *types.Struct) *types.Struct {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		v := t.Field(i)
		fields = append(fields, types.NewField(v.Pos(), v.Pkg(), v.Name(), f.renamed(v.Type()), v.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}
