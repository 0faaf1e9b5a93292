package value

import (
	"bytes"
	"fmt"
	"reflect"
)

// Param is a parameter of an action.
type Param struct {
	Name string // "" when it stands for the data as a whole
	Into any    // pointer to where the argument goes; what is there already is the default
}

// Bind reads the data of a request into the parameters of an action; data is nil when absent. NewLife's rules:
//
//   - Members of a JSON object go to the parameters of their name, ASCII letters in any case; never by position. Others are
//     ignored. A parameter without a member keeps its default.
//   - A struct, map or slice without a member of its name is filled from the whole object, a slice to be empty.
//   - A single parameter also takes a bare value or an array, and an empty object as its zero value.
//   - A single Packet is the data itself, not copied; a single RawReader reads it. A single []byte is base64 text, unless it
//     has no name: then it is a copy of the data.
//   - Several parameters ignore a bare value; an array is to them an empty object.
//   - Absent and empty data leave all defaults. An action without parameters ignores data.
//
// What does not convert is an *Error with the name of the parameter or member.
func (d Dialect) Bind(data []byte, params ...Param) error {
	for i := range params {
		if v := reflect.ValueOf(params[i].Into); v.Kind() != reflect.Pointer || v.IsNil() {
			return &Error{Member: params[i].Name, Type: fmt.Sprintf("%T", params[i].Into), Reason: ErrType}
		}
	}
	if len(params) == 1 {
		return d.bindOne(data, &params[0])
	}
	s := bytes.TrimSpace(data)
	if len(params) == 0 || len(s) == 0 || s[0] != '{' && s[0] != '[' {
		return nil
	}
	return d.bindJSON(s, params)
}

// bindOne binds the only parameter.
func (d *Dialect) bindOne(data []byte, p *Param) error {
	v := reflect.ValueOf(p.Into).Elem()
	switch c, _ := d.classOf(base(v.Type())); {
	case c == classRaw:
		return named(readRaw(data, settle(v)), p)
	case len(data) == 0:
		return nil
	case c == classPacket:
		settle(v).SetBytes(data[:len(data):len(data)])
		return nil
	case c == classBytes && p.Name == "" && base(v.Type()).Kind() == reflect.Slice:
		settle(v).SetBytes(bytes.Clone(data))
		return nil
	}
	s := bytes.TrimSpace(data)
	if len(s) > 0 && (s[0] == '{' || s[0] == '[') {
		return d.bindJSON(s, []Param{*p})
	}
	v.SetZero()
	if c, _ := d.classOf(base(v.Type())); c == classDuration || c == classText { // which are written so
		s = unquoted(s)
	}
	return named(d.setText(v, bareText, s), p)
}

// named puts an error below the parameter.
func named(err error, p *Param) error {
	if err == nil {
		return nil
	}
	return under(err, p.Name)
}

// bindJSON binds an object or array.
func (d *Dialect) bindJSON(s []byte, params []Param) error {
	r := d.reader(s)
	if s[0] == '[' {
		if len(params) == 1 {
			v := reflect.ValueOf(params[0].Into).Elem()
			v.SetZero()
			return named(r.value(v), &params[0])
		}
		if err := r.skip(); err != nil {
			return err
		}
		s = []byte("{}")
	}
	bound := make([]bool, len(params))
	r = d.reader(s)
	members := 0
	err := r.object(func(name []byte) error {
		members++
		for i := range params {
			if p := &params[i]; sameName(p.Name, name) {
				bound[i] = true
				v := reflect.ValueOf(p.Into).Elem()
				v.SetZero()
				return named(r.value(v), p)
			}
		}
		return r.skip()
	})
	if err != nil {
		return err
	}
	for i := range params {
		if bound[i] {
			continue
		}
		v := reflect.ValueOf(params[i].Into).Elem()
		if err := d.bindWhole(s, v, members == 0 && len(params) == 1); err != nil {
			return named(err, &params[i])
		}
	}
	return nil
}

// bindWhole binds a parameter without a member of its name.
func (d *Dialect) bindWhole(s []byte, v reflect.Value, zero bool) error {
	switch c, _ := d.classOf(base(v.Type())); c {
	case classStruct, classMap, classObject, classAny:
		v.SetZero()
		return d.reader(s).value(v)
	case classSlice, classArray:
		v.SetZero()
		if v = settle(v); v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
	default:
		if zero {
			v.SetZero()
			settle(v)
		}
	}
	return nil
}
