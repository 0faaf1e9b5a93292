package value

import (
	"reflect"
	"sync"
)

// info is what is known of a type.
type info struct {
	class  class
	bad    error   // classBad: why
	fields []field // classStruct
	signed bool    // classEnum
	once   sync.Once
	names  map[string]int64 // classEnum with a String method, made when first read
}

var infos sync.Map // reflect.Type -> *info: what is derived from types never changes

// infoOf returns what is known of t.
func infoOf(t reflect.Type) *info {
	if i, ok := infos.Load(t); ok {
		return i.(*info)
	}
	i := &info{class: classify(t)}
	switch {
	case i.class == classBad:
		i.bad = badness(t)
	case i.class == classStruct:
		i.fields = fieldsOf(t, nil)
	case i.class == classEnum:
		i.signed = t.Kind() <= reflect.Int64
	}
	old, _ := infos.LoadOrStore(t, i)
	return old.(*info)
}

// find returns the field with that name in any case of its ASCII letters, nil when there is none. The exact spelling counts
// before any other.
func (i *info) find(name []byte) *field {
	var other *field
	for k := range i.fields {
		f := &i.fields[k]
		if f.name == string(name) {
			return f
		}
		if other == nil && sameName(f.name, name) {
			other = f
		}
	}
	return other
}

// classOf is the class of t with what d knows of it.
func (d *Dialect) classOf(t reflect.Type) (class, *info) {
	i := infoOf(t)
	if (i.class == classInt || i.class == classUint) && d.Enums != nil && d.Enums[t] != nil {
		return classEnum, i
	}
	return i.class, i
}

// IsRaw tells whether values of type t, or of what it points to, stand in a message as they are: []byte, a Packet, and types that write
// or read themselves. An error is of a type whose methods may be promoted from a field.
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
	return t == reflect.TypeFor[[]byte](), nil
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
