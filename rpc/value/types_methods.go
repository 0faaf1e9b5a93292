package value

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
)

// group is methods that belong together: what writes a value, and what reads it back.
type group struct {
	name   string
	writes []reflect.Type // any of them
	reads  reflect.Type   // nil: nothing
}

var (
	textGroup   = group{"text", []reflect.Type{reflect.TypeFor[encoding.TextAppender](), reflect.TypeFor[encoding.TextMarshaler]()}, reflect.TypeFor[encoding.TextUnmarshaler]()}
	binaryGroup = group{"binary", []reflect.Type{reflect.TypeFor[encoding.BinaryAppender](), reflect.TypeFor[encoding.BinaryMarshaler]()}, reflect.TypeFor[encoding.BinaryUnmarshaler]()}
	jsonGroup   = group{"JSON", []reflect.Type{reflect.TypeFor[json.Marshaler]()}, reflect.TypeFor[json.Unmarshaler]()}
	rawGroup    = group{"raw", []reflect.Type{reflect.TypeFor[RawAppender]()}, reflect.TypeFor[RawReader]()}
	errorGroup  = group{"Error", []reflect.Type{errorType}, nil}
	spanGroup   = group{"AppendSpan", []reflect.Type{reflect.TypeFor[SpanAppender]()}, nil}
)

// half tells that t or *t has one of the methods.
func (g *group) half(t reflect.Type) bool {
	return has(t, g.writes...) || g.reads != nil && has(t, g.reads)
}

// whole tells that t or *t has both.
func (g *group) whole(t reflect.Type) bool { return has(t, g.writes...) && has(t, g.reads) }

// promoted tells that the methods of struct t may be those of an embedded field: reflection cannot tell them from its own.
func (g *group) promoted(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && g.half(f.Type) {
			return true
		}
	}
	return false
}

// has tells that t or *t has the methods of one of the interfaces.
func has(t reflect.Type, interfaces ...reflect.Type) bool {
	for _, i := range interfaces {
		if t.Implements(i) || t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}

var errPromoted = errors.New("methods that may be promoted from an embedded field")

// unclear returns the methods of struct t that may be those of one of its fields, and then its other fields would be lost; nil without
// any. The type option marshal says that they are its own, fields that they do not count.
func unclear(t reflect.Type) *group {
	if t.NumField() < 2 {
		return nil
	}
	for _, g := range []*group{&rawGroup, &jsonGroup, &textGroup, &errorGroup} {
		if g.half(t) && g.promoted(t) {
			return g
		}
	}
	return nil
}

// badness is why values of t have no form.
func badness(t reflect.Type) error {
	if t.Kind() == reflect.Struct {
		if g := unclear(t); g != nil {
			return errUnclear(g)
		}
	}
	return ErrType
}

func errUnclear(g *group) error {
	return fmt.Errorf("%w: %s %w; the type option marshal or fields says what is meant", ErrType, g.name, errPromoted)
}

// spanTag is what the tag of a field says to package span.
func spanTag(f reflect.StructField) layout.OptionSet { return layout.SpanTags.Says(string(f.Tag)) }

// typeOption is the option of a blank field that says whether methods or fields count.
func typeOption(t reflect.Type) string {
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == "_" {
			switch set := spanTag(f); {
			case set.Has("marshal"):
				return "marshal"
			case set.Has("fields"):
				return "fields"
			}
		}
	}
	return ""
}

func anyGroup(t reflect.Type) bool {
	return t == timeType || textGroup.half(t) || binaryGroup.half(t) || jsonGroup.half(t)
}
