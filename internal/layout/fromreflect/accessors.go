package fromreflect

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
)

// Accessors is the feed for package binary: it describes the types with methods
// of these interfaces as well, which this package can't name.
type Accessors struct {
	Feed
	Accessor, MemberAccessor reflect.Type
}

// Shape implements [layout.Feed].
func (f Accessors) Shape(ref layout.Ref) layout.Shape {
	s := f.Feed.Shape(ref)
	set := ref.(reflect.Type)
	if set.Kind() != reflect.Interface {
		set = reflect.PointerTo(set)
	}
	s.Methods.Accessor = set.Implements(f.Accessor)
	s.Methods.MemberAccessor = set.Implements(f.MemberAccessor)
	return s
}
