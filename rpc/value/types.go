package value

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/spanwire/spanwire/span"
)

// class is how a type is written and read.
type class byte

const (
	classBad class = iota
	classBool
	classInt
	classUint
	classFloat
	classString
	classBytes // []byte and [N]byte
	classTime
	classDuration
	classEnum // integer with names
	classNumber
	classText   // MarshalText, UnmarshalText
	classJSON   // MarshalJSON, UnmarshalJSON
	classRaw    // AppendRaw, ReadRaw
	classPacket // Packet
	classError
	classStruct
	classMap
	classObject
	classSlice
	classArray
	classPointer
	classAny
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

// field is a member of a struct.
type field struct {
	name   string
	quoted string // "name": in JSON
	index  []int  // path to it
	class  class  // of its type, as far as no Dialect.Enums say more
	scalar bool   // it cannot be nil and has no members
}

// of is the member's value in struct v.
func (f *field) of(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

var infos sync.Map // reflect.Type -> *info: what is derived from types never changes

func typeFor[T any]() reflect.Type { return reflect.TypeFor[T]() }

var (
	timeType     = typeFor[time.Time]()
	durationType = typeFor[time.Duration]()
	numberType   = typeFor[json.Number]()
	packetType   = typeFor[Packet]()
	errorType    = typeFor[error]()
	stringerType = typeFor[fmt.Stringer]()
	charType     = typeFor[span.Char]()
)

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

// has tells that t or *t has the methods of one of the interfaces.
func has(t reflect.Type, interfaces ...reflect.Type) bool {
	for _, i := range interfaces {
		if t.Implements(i) || t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}

func classify(t reflect.Type) class {
	switch t {
	case timeType:
		return classTime
	case durationType:
		return classDuration
	case numberType:
		return classNumber
	case packetType:
		return classPacket
	case objectType:
		return classObject
	case charType:
		return classText // it has a String as well, but is no enum
	}
	k := t.Kind()
	switch k {
	case reflect.Pointer:
		return classPointer
	case reflect.Interface:
		return classAny
	}
	if k == reflect.Struct {
		if g := unclear(t); g != nil && typeOption(t) == "fields" {
			return classStruct
		} else if g != nil && typeOption(t) == "" {
			return classBad
		}
	}
	switch {
	case has(t, typeFor[RawAppender](), typeFor[RawReader]()):
		return classRaw
	case k >= reflect.Int && k <= reflect.Uint64 && t.PkgPath() != "" && has(t, stringerType):
		return classEnum
	case has(t, typeFor[json.Marshaler](), typeFor[json.Unmarshaler]()):
		return classJSON
	case has(t, typeFor[encoding.TextAppender](), typeFor[encoding.TextMarshaler](), typeFor[encoding.TextUnmarshaler]()):
		return classText
	case has(t, errorType):
		return classError
	}
	return classifyKind(t)
}

func classifyKind(t reflect.Type) class {
	switch k := t.Kind(); k {
	case reflect.Bool:
		return classBool
	case reflect.Float32, reflect.Float64:
		return classFloat
	case reflect.String:
		return classString
	case reflect.Struct:
		return classStruct
	case reflect.Map:
		if kk := t.Key().Kind(); kk == reflect.String || kk >= reflect.Int && kk <= reflect.Uint64 {
			return classMap
		}
	case reflect.Slice, reflect.Array:
		switch {
		case t.Elem().Kind() == reflect.Uint8:
			return classBytes
		case k == reflect.Array:
			return classArray
		}
		return classSlice
	default:
		if k >= reflect.Int && k <= reflect.Int64 {
			return classInt
		}
		if k >= reflect.Uint && k <= reflect.Uint64 {
			return classUint
		}
	}
	return classBad
}

// fieldsOf lists the members of struct t in declaration order, those of embedded structs at their place. Of equal names the
// outermost, and there the first, counts.
func fieldsOf(t reflect.Type, at []int) (fs []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(append([]int(nil), at...), i)
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct && classify(f.Type) == classStruct:
			fs = append(fs, fieldsOf(f.Type, index)...)
		case !f.IsExported():
		default:
			if name == "" {
				name = f.Name
			}
			c, k := classify(f.Type), f.Type.Kind()
			fs = append(fs, field{name, string(appendString(nil, name)) + ":", index, c, c < classStruct && k != reflect.Slice && k != reflect.Map})
		}
	}
	if at == nil {
		return outermost(fs)
	}
	return fs
}

// outermost drops the fields that are hidden by another of the same name.
func outermost(fs []field) (out []field) {
	for i, f := range fs {
		hidden := false
		for j, g := range fs {
			if g.name == f.name && (len(g.index) < len(f.index) || len(g.index) == len(f.index) && j < i) {
				hidden = true
			}
		}
		if !hidden {
			out = append(out, f)
		}
	}
	return out
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

// sameName compares names without the case of ASCII letters.
func sameName[A, B ~string | ~[]byte](a A, b B) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x, y := a[i], b[i]; x != y && (lower(x) != lower(y)) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// classOf is the class of t with what d knows of it.
func (d *Dialect) classOf(t reflect.Type) (class, *info) {
	i := infoOf(t)
	if (i.class == classInt || i.class == classUint) && d.Enums != nil && d.Enums[t] != nil {
		return classEnum, i
	}
	return i.class, i
}
