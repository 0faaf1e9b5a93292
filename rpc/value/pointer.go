package value

import (
	"reflect"
	"time"
)

// hops is how many pointers in a row are followed: a type may be a pointer to itself.
const hops = 100

// base is what pointers of type t point to in the end.
func base(t reflect.Type) reflect.Type {
	for i := 0; i < hops && t.Kind() == reflect.Pointer; i++ {
		t = t.Elem()
	}
	return t
}

// indirect follows pointers and interfaces; the zero Value is nil.
func indirect(v reflect.Value) reflect.Value {
	for range hops {
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

// settle makes pointers point to something and returns that.
func settle(v reflect.Value) reflect.Value {
	for i := 0; i < hops && v.Kind() == reflect.Pointer; i++ {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v
}

// addr returns a pointer to v, or to a copy of it.
func addr(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// timeOf is the time that v is, without a copy where it has an address.
func timeOf(v reflect.Value) time.Time {
	if v.CanAddr() {
		return *v.Addr().Interface().(*time.Time)
	}
	return v.Interface().(time.Time)
}
