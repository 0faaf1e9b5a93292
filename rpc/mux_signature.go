package rpc

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spanwire/spanwire/rpc/value"
)

// paramName is the name of a parameter that a field stands for.
func paramName(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
		return name
	}
	return f.Name
}

// signature makes the text of an action for Api/All, with .NET's names of the types.
func signature(action string, arg, result reflect.Type, params bool) string {
	for arg != nil && arg.Kind() == reflect.Pointer {
		arg = arg.Elem()
	}
	var list []string
	switch {
	case params && arg.Kind() == reflect.Struct:
		for i := range arg.NumField() {
			if f := arg.Field(i); f.IsExported() {
				list = append(list, typeName(f.Type)+" "+paramName(f))
			}
		}
	case arg.Kind() == reflect.Struct && arg.NumField() == 0:
	case arg == reflect.TypeFor[[]byte](): // the body as it stands, which a Byte[] of NewLife is not
		list = append(list, packetName+" arg")
	default:
		list = append(list, typeName(arg)+" arg")
	}
	out := "Void"
	if result != nil {
		out = typeName(result)
	}
	return fmt.Sprintf("%s %s(%s)", out, action, strings.Join(list, ", "))
}

var typeNames = map[reflect.Kind]string{
	reflect.Bool: "Boolean", reflect.Int: "Int64", reflect.Int8: "SByte", reflect.Int16: "Int16", reflect.Int32: "Int32",
	reflect.Int64: "Int64", reflect.Uint: "UInt64", reflect.Uint8: "Byte", reflect.Uint16: "UInt16", reflect.Uint32: "UInt32",
	reflect.Uint64: "UInt64", reflect.Float32: "Single", reflect.Float64: "Double", reflect.String: "String", reflect.Interface: "Object",
}

const packetName = "IPacket"

func typeName(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[value.Packet]():
		return packetName
	case reflect.TypeFor[time.Time]():
		return "DateTime"
	case reflect.TypeFor[time.Duration]():
		return "TimeSpan"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice, reflect.Array:
		return typeName(t.Elem()) + "[]"
	case reflect.Map:
		return "IDictionary`2"
	}
	if t.Name() != "" && t.PkgPath() != "" {
		return t.Name()
	}
	if n := typeNames[t.Kind()]; n != "" {
		return n
	}
	return "Object"
}
