package value

import (
	"encoding"
	"encoding/json"
	"reflect"
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
		return classText // it has a String as well, but is not an enum
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
	case has(t, reflect.TypeFor[RawAppender](), reflect.TypeFor[RawReader]()):
		return classRaw
	case k >= reflect.Int && k <= reflect.Uint64 && t.PkgPath() != "" && has(t, stringerType):
		return classEnum
	case has(t, reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler]()):
		return classJSON
	case has(t, reflect.TypeFor[encoding.TextAppender](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()):
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
