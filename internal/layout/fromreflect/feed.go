// Package fromreflect describes types of a running program to package layout.
package fromreflect

import (
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
)

// Feed describes types by reflection. Its refs are [reflect.Type] values.
// The zero Feed is ready to use.
type Feed struct{}

var _ layout.Feed = Feed{}
var _ layout.Sizer = Feed{}

// spanPath is the package whose types are built in, and whose cursors the
// methods of types that write themselves take.
const spanPath = "github.com/spanwire/spanwire/span"

// Shape implements [layout.Feed].
func (Feed) Shape(ref layout.Ref) layout.Shape {
	t := ref.(reflect.Type)
	s := layout.Shape{
		Kind:    kinds[t.Kind()],
		Name:    typeName(t),
		Named:   t.PkgPath() != "",
		Pkg:     t.PkgPath(),
		Builtin: builtin(t),
		Methods: methods(t),
	}
	switch t.Kind() {
	case reflect.Array:
		s.Elem, s.Len = t.Elem(), t.Len()
	case reflect.Slice, reflect.Pointer:
		s.Elem = t.Elem()
	case reflect.Map:
		s.Key, s.Elem = t.Key(), t.Elem()
	case reflect.Interface:
		s.Len = t.NumMethod()
	case reflect.Struct:
		s.Fields = fields(t)
	}
	return s
}

// Size implements [layout.Sizer].
func (Feed) Size(ref layout.Ref) int64 { return int64(ref.(reflect.Type).Size()) }

var kinds = [...]layout.Kind{
	reflect.Bool:          layout.Bool,
	reflect.Int:           layout.Int,
	reflect.Int8:          layout.Int8,
	reflect.Int16:         layout.Int16,
	reflect.Int32:         layout.Int32,
	reflect.Int64:         layout.Int64,
	reflect.Uint:          layout.Uint,
	reflect.Uint8:         layout.Uint8,
	reflect.Uint16:        layout.Uint16,
	reflect.Uint32:        layout.Uint32,
	reflect.Uint64:        layout.Uint64,
	reflect.Uintptr:       layout.Uintptr,
	reflect.Float32:       layout.Float32,
	reflect.Float64:       layout.Float64,
	reflect.Complex64:     layout.Complex64,
	reflect.Complex128:    layout.Complex128,
	reflect.String:        layout.String,
	reflect.Array:         layout.Array,
	reflect.Slice:         layout.Slice,
	reflect.Map:           layout.Map,
	reflect.Pointer:       layout.Pointer,
	reflect.Struct:        layout.StructKind,
	reflect.Interface:     layout.Interface,
	reflect.Chan:          layout.Chan,
	reflect.Func:          layout.Func,
	reflect.UnsafePointer: layout.UnsafePointer,
}

func fields(t reflect.Type) []layout.FieldShape {
	all := make([]layout.FieldShape, t.NumField())
	for i := range all {
		f := t.Field(i)
		all[i] = layout.FieldShape{
			Name:     f.Name,
			Pkg:      f.PkgPath,
			Type:     f.Type,
			Tag:      string(f.Tag),
			Exported: f.IsExported(),
			Embedded: f.Anonymous,
		}
	}
	return all
}

var timeType = reflect.TypeFor[time.Time]()

func builtin(t reflect.Type) layout.Builtin {
	switch {
	case t.Kind() == reflect.Struct && t.ConvertibleTo(timeType):
		return layout.Time
	case t.PkgPath() != spanPath:
		return layout.NotBuiltin
	}
	switch t.Name() {
	case "GUID":
		return layout.GUID
	case "Decimal":
		return layout.Decimal
	case "Char":
		return layout.Char
	}
	return layout.NotBuiltin
}
