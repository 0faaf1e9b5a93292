package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"reflect"

	"github.com/spanwire/spanwire/span"
)

// dump prints the bytes of a struct field by field: the format is positional, so
// the message is the fields' bytes one after the other.
func dump(w io.Writer, v reflect.Value, offset int, path string) (int, error) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name := path + f.Name
		if f.Type.Kind() == reflect.Struct && f.Type.NumField() > 0 && f.Type.Field(0).IsExported() {
			var err error
			if offset, err = dump(w, v.Field(i), offset, name+"."); err != nil {
				return 0, err
			}
			continue
		}
		b, err := fieldBytes(f, v.Field(i))
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(w, "  %04x  %-24s %-16s %v\n", offset, shorten(hex.EncodeToString(b), 24), name, shorten(fmt.Sprint(v.Field(i)), 40))
		offset += len(b)
	}
	return offset, nil
}

// fieldBytes returns the wire form of one field: that of a struct with no other.
func fieldBytes(f reflect.StructField, v reflect.Value) ([]byte, error) {
	s := reflect.New(reflect.StructOf([]reflect.StructField{{Name: f.Name, Type: f.Type, Tag: f.Tag}}))
	s.Elem().Field(0).Set(v)
	return span.Marshal(s.Interface())
}

// shorten cuts s after n characters and says so.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
