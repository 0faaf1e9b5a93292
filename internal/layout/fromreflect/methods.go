package fromreflect

import (
	"encoding"
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
)

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()

	// As in encoding/json, which not every program needs.
	jsonMarshaler   = reflect.TypeFor[interface{ MarshalJSON() ([]byte, error) }]()
	jsonUnmarshaler = reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
)

// methods looks at the method set of *T, or of an interface itself.
func methods(t reflect.Type) layout.Methods {
	set := t
	if t.Kind() != reflect.Interface {
		if t.PkgPath() == "" && t.Kind() != reflect.Struct {
			return layout.Methods{}
		}
		set = reflect.PointerTo(t)
	}
	if set.NumMethod() == 0 {
		return layout.Methods{}
	}
	// The names are constants so that the linker can still drop other methods.
	write, hasWrite := set.MethodByName("WriteSpan")
	read, hasRead := set.MethodByName("ReadSpan")
	marker, hasMarker := set.MethodByName("SpanGenerated")
	writes := hasWrite && takes(set, write, "Writer")
	reads := hasRead && takes(set, read, "Reader")
	encodes := set.Implements(binaryAppender) || set.Implements(binaryMarshaler)
	decodes := set.Implements(binaryUnmarshaler)
	prints := set.Implements(textAppender) || set.Implements(textMarshaler)
	parses := set.Implements(textUnmarshaler)
	quotes, unquotes := set.Implements(jsonMarshaler), set.Implements(jsonUnmarshaler)
	m := layout.Methods{
		Span:      writes && reads,
		Binary:    encodes && decodes,
		Text:      prints && parses,
		JSON:      quotes && unquotes,
		AnySpan:   writes || reads,
		AnyBinary: encodes || decodes,
		AnyText:   prints || parses,
		AnyJSON:   quotes || unquotes,
	}
	if hasMarker {
		m.Generated, m.Promoted = marked(set, marker, t)
	}
	return m
}

// params returns a method's parameters without the receiver, nil if it has
// results or is variadic.
func params(set reflect.Type, m reflect.Method) []reflect.Type {
	first := 1
	if set.Kind() == reflect.Interface {
		first = 0
	}
	if m.Type.NumOut() > 0 || m.Type.IsVariadic() {
		return nil
	}
	var in []reflect.Type
	for i := first; i < m.Type.NumIn(); i++ {
		in = append(in, m.Type.In(i))
	}
	return in
}

// takes reports whether m has a cursor of package span as its only parameter.
func takes(set reflect.Type, m reflect.Method, cursor string) bool {
	in := params(set, m)
	if len(in) != 1 || in[0].Kind() != reflect.Pointer {
		return false
	}
	p := in[0].Elem()
	return p.PkgPath() == spanPath && p.Name() == cursor
}

// marked reads the marker method of generated code, whose parameter names the
// type it was generated for.
func marked(set reflect.Type, m reflect.Method, t reflect.Type) (generated, promoted bool) {
	in := params(set, m)
	if len(in) != 1 || in[0].Kind() != reflect.Pointer {
		return false, false
	}
	return in[0].Elem() == t, in[0].Elem() != t
}
