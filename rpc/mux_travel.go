package rpc

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/spanwire/spanwire/span"
)

// mustTravel panics when no value of a handler's type could be sent: that is found when the handler is added, not by its first
// caller.
func mustTravel(action, what string, t reflect.Type) {
	found := immovable(t, map[reflect.Type]bool{})
	switch {
	case found == nil:
	case found == t:
		panic(fmt.Sprintf("rpc: action %q: the %s, %v, cannot travel", action, what, t)) //nolint:forbidigo // a programming error, at registration
	default:
		panic(fmt.Sprintf("rpc: action %q: the %s, %v, cannot travel: a %v", action, what, t, found)) //nolint:forbidigo // a programming error, at registration
	}
}

// mustBind panics when [Params] can't make parameters of an argument's fields, for the same reason.
func (t *typed) mustBind(action string, arg reflect.Type) {
	if arg.Kind() != reflect.Struct {
		panic(fmt.Sprintf("rpc: action %q: Params: the argument, %v, is neither a struct nor a pointer to one", action, arg)) //nolint:forbidigo // a programming error, at registration
	}
	if t.fresh == nil {
		return
	}
	if v := t.fresh(); reflect.TypeOf(v) != arg {
		panic(fmt.Sprintf("rpc: action %q: Params: the defaults are a %T, the argument is a %v", action, v, arg)) //nolint:forbidigo // a programming error, at registration
	}
}

// writers are the interfaces of values that say themselves how they are sent.
var writers = []reflect.Type{reflect.TypeFor[span.Serializable](), reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.TextMarshaler](),
	reflect.TypeFor[json.Marshaler]()}

// immovable returns the first type below t that has no values to send, nil when there is none.
func immovable(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	for _, w := range writers {
		if t.Implements(w) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(w) {
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return t
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return immovable(t.Elem(), seen)
	case reflect.Map:
		if found := immovable(t.Key(), seen); found != nil {
			return found
		}
		return immovable(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() || left(f, "span") || left(f, "json") {
				continue
			}
			if found := immovable(f.Type, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// left reports whether a field's tag leaves it out.
func left(f reflect.StructField, key string) bool {
	name, _, _ := strings.Cut(f.Tag.Get(key), ",")
	return name == "-"
}
