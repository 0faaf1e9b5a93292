package value

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// group is methods that belong together: what writes a value, and what reads it back.
type group struct {
	name   string
	writes []reflect.Type // any of them
	reads  reflect.Type   // nil: nothing
}

var (
	textGroup   = group{"text", []reflect.Type{typeFor[encoding.TextAppender](), typeFor[encoding.TextMarshaler]()}, typeFor[encoding.TextUnmarshaler]()}
	binaryGroup = group{"binary", []reflect.Type{typeFor[encoding.BinaryAppender](), typeFor[encoding.BinaryMarshaler]()}, typeFor[encoding.BinaryUnmarshaler]()}
	jsonGroup   = group{"JSON", []reflect.Type{typeFor[json.Marshaler]()}, typeFor[json.Unmarshaler]()}
	rawGroup    = group{"raw", []reflect.Type{typeFor[RawAppender]()}, typeFor[RawReader]()}
	errorGroup  = group{"Error", []reflect.Type{errorType}, nil}
	spanGroup   = group{"AppendSpan", []reflect.Type{typeFor[SpanAppender]()}, nil}
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

// IsRaw tells whether values of type t, or of what it points to, stand in a message as they are: []byte, a Packet, and types that write
// or read themselves. An error is of a type of which nobody can tell.
func IsRaw(t reflect.Type) (bool, error) {
	t = base(t)
	switch i := infoOf(t); i.class {
	case classPacket, classRaw:
		return true, nil
	case classBad:
		if t.Kind() == reflect.Struct && rawGroup.half(t) {
			return false, &Error{Type: t.String(), Reason: i.bad}
		}
	}
	return t == typeFor[[]byte](), nil
}

// ownSpan tells whether the span methods of a value are its own. Those that spangen makes say so by a marker, whose parameter is the
// type that they were made for.
func ownSpan(t reflect.Type) (bool, error) {
	m, marked := t.MethodByName("SpanGenerated")
	t = base(t)
	switch {
	case marked && m.Type.NumIn() == 2:
		return base(m.Type.In(1)) == t, nil
	case t.Kind() == reflect.Struct && t.NumField() > 1 && typeOption(t) == "" && spanGroup.promoted(t):
		return false, &Error{Type: t.String(), Reason: errUnclear(&spanGroup)}
	}
	return true, nil
}
