// Package fromtypes describes types of Go source to package layout.
package fromtypes

import (
	"go/types"
	"math"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/spanwire/spanwire/internal/layout"
)

// Feed describes go/types types, whether checked from source or read from
// export data. Its refs are types.Type values, one for all identical types and
// never an alias; [Feed.Ref] returns them.
type Feed struct {
	refs      typeutil.Map
	generated map[string]bool
}

var _ layout.Feed = (*Feed)(nil)

// New returns a feed. The named types, or all instances of the generic ones,
// are described as generated although their methods may not be there yet.
func New(generated ...*types.TypeName) *Feed {
	f := &Feed{generated: map[string]bool{}}
	for _, obj := range generated {
		if n, ok := types.Unalias(obj.Type()).(*types.Named); ok {
			f.generated[objectName(n.Obj())] = true
		}
	}
	return f
}

// Ref returns the ref of a type.
func (f *Feed) Ref(t types.Type) layout.Ref {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok && isSelf(n) {
		t = n.Origin()
	}
	if have := f.refs.At(t); have != nil {
		return have
	}
	f.refs.Set(t, t)
	return t
}

// isSelf reports whether n is an instance of a generic type with its own
// parameters, as its declaration uses it.
func isSelf(n *types.Named) bool {
	args, params := n.TypeArgs(), n.Origin().TypeParams()
	if args.Len() == 0 || args.Len() != params.Len() {
		return false
	}
	for i := range args.Len() {
		if types.Unalias(args.At(i)) != params.At(i) {
			return false
		}
	}
	return true
}

// Type returns the type of a ref.
func (f *Feed) Type(ref layout.Ref) types.Type { return ref.(types.Type) }

// Field returns the variable of a struct's field, for its position; nil where
// the ref is not a struct with such a field.
func (f *Feed) Field(owner layout.Ref, index int) *types.Var {
	t, ok := owner.(types.Type)
	if !ok {
		return nil
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || index < 0 || index >= s.NumFields() {
		return nil
	}
	return s.Field(index)
}

// Shape implements [layout.Feed].
func (f *Feed) Shape(ref layout.Ref) layout.Shape {
	t := ref.(types.Type)
	s := layout.Shape{Name: typeName(t), Builtin: builtin(t)}
	if obj := declared(t); obj != nil {
		s.Named, s.Pkg = true, obj.Pkg().Path()
	}
	if _, ok := t.(*types.TypeParam); ok {
		s.Kind = layout.TypeParam
		return s
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s.Kind = basicKinds[u.Kind()]
	case *types.Array:
		s.Kind, s.Elem, s.Len = layout.Array, f.Ref(u.Elem()), int(min(u.Len(), math.MaxInt))
	case *types.Slice:
		s.Kind, s.Elem = layout.Slice, f.Ref(u.Elem())
	case *types.Map:
		s.Kind, s.Key, s.Elem = layout.Map, f.Ref(u.Key()), f.Ref(u.Elem())
	case *types.Pointer:
		s.Kind, s.Elem = layout.Pointer, f.Ref(u.Elem())
	case *types.Struct:
		s.Kind, s.Fields = layout.StructKind, f.fields(u)
	case *types.Interface:
		s.Kind, s.Len = layout.Interface, u.NumMethods()
	case *types.Chan:
		s.Kind = layout.Chan
	case *types.Signature:
		s.Kind = layout.Func
	}
	s.Methods = f.methods(t)
	return s
}

func (f *Feed) fields(u *types.Struct) []layout.FieldShape {
	all := make([]layout.FieldShape, u.NumFields())
	for i := range all {
		v := u.Field(i)
		all[i] = layout.FieldShape{
			Name:     v.Name(),
			Type:     f.Ref(v.Type()),
			Tag:      u.Tag(i),
			Exported: v.Exported(),
			Embedded: v.Embedded(),
		}
		if !v.Exported() && v.Pkg() != nil {
			all[i].Pkg = v.Pkg().Path()
		}
	}
	return all
}

// basicKinds has Unresolved for all kinds that no field can have.
var basicKinds = map[types.BasicKind]layout.Kind{
	types.Bool:          layout.Bool,
	types.Int:           layout.Int,
	types.Int8:          layout.Int8,
	types.Int16:         layout.Int16,
	types.Int32:         layout.Int32,
	types.Int64:         layout.Int64,
	types.Uint:          layout.Uint,
	types.Uint8:         layout.Uint8,
	types.Uint16:        layout.Uint16,
	types.Uint32:        layout.Uint32,
	types.Uint64:        layout.Uint64,
	types.Uintptr:       layout.Uintptr,
	types.Float32:       layout.Float32,
	types.Float64:       layout.Float64,
	types.Complex64:     layout.Complex64,
	types.Complex128:    layout.Complex128,
	types.String:        layout.String,
	types.UnsafePointer: layout.UnsafePointer,
}

// declared returns the name of a defined type, nil for predeclared and unnamed
// types.
func declared(t types.Type) *types.TypeName {
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj()
	}
	return nil
}

// objectName identifies a declaration across loads.
func objectName(obj *types.TypeName) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// spanPath is the package whose types are built in, and whose cursors the
// methods of types that write themselves take.
const spanPath = "github.com/spanwire/spanwire/span"

func builtin(t types.Type) layout.Builtin {
	if isTime(t.Underlying()) {
		return layout.Time
	}
	obj := declared(t)
	if obj == nil || obj.Pkg().Path() != spanPath {
		return layout.NotBuiltin
	}
	switch obj.Name() {
	case "GUID":
		return layout.GUID
	case "Decimal":
		return layout.Decimal
	case "Char":
		return layout.Char
	}
	return layout.NotBuiltin
}

// isTime recognises the underlying type of time.Time by its fields, whose
// names that no other code can have: they are unexported.
func isTime(u types.Type) bool {
	s, ok := u.(*types.Struct)
	if !ok || s.NumFields() != 3 {
		return false
	}
	for i, name := range []string{"wall", "ext", "loc"} {
		v := s.Field(i)
		if v.Name() != name || v.Pkg() == nil || v.Pkg().Path() != "time" {
			return false
		}
	}
	return true
}
