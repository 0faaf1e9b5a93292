package value

import (
	"fmt"
	"reflect"
)

// BindLossless reads lossless JSON into the parameters of an action. A single parameter takes a member of its name, else the whole
// value; several take members, and a struct or map among them that has no member of its name takes what no other has. A member that
// is not zero and has no place is ErrNoPlace. Parameters without a member, and no data at all, leave the defaults.
func (d Dialect) BindLossless(data []byte, params ...Param) error {
	for i := range params {
		if v := reflect.ValueOf(params[i].Into); v.Kind() != reflect.Pointer || v.IsNil() {
			return &Error{Member: params[i].Name, Type: fmt.Sprintf("%T", params[i].Into), Reason: ErrType}
		}
	}
	if len(data) == 0 {
		return nil
	}
	if len(params) == 1 && params[0].Name == "" {
		_, err := d.readLossless(data, params[0].Into, true)
		return err
	}
	return d.bindLossless(data, params)
}

// bindLossless binds parameters by name.
func (d *Dialect) bindLossless(data []byte, params []Param) error {
	r := d.losslessReader(data, true)
	if c := r.blank(); c == 'n' && len(params) != 1 {
		return r.whole(reflect.ValueOf(new(any)).Elem())
	} else if c != '{' {
		return d.bindAlone(data, params)
	}
	bound := make([]bool, len(params))
	var left []byte // members that no parameter has the name of, as those of an object
	err := r.object(func(name []byte) error {
		i := placeOf(params, name)
		if i >= 0 {
			if bound[i] {
				return &Error{Member: params[i].Name, Offset: r.i, Reason: errTwice}
			}
			bound[i] = true
			return r.param(&params[i])
		}
		member := appendString(nil, name)
		start := r.i
		if err := r.skip(); err != nil {
			return err
		}
		left = append(append(append(append(left, ','), member...), ':'), r.b[start:r.i]...)
		return nil
	})
	if err != nil {
		return err
	}
	if r.blank() != 0 || r.i < len(r.b) {
		return r.bad()
	}
	return d.bindLeft(left, params, bound)
}

// param reads the value at the cursor into a parameter.
func (r *losslessReader) param(p *Param) error {
	v := reflect.ValueOf(p.Into).Elem()
	v.SetZero()
	if r.blank() != 'n' {
		v = settle(v) // as at the root
	}
	return named(r.value(v), p)
}

// bindAlone binds a value that is not an object: only a single parameter takes it.
func (d *Dialect) bindAlone(data []byte, params []Param) error {
	if len(params) == 1 {
		_, err := d.readLossless(data, params[0].Into, true)
		return named(err, &params[0])
	}
	r := losslessScanner{b: data, depth: d.losslessDepth()}
	if err := r.skip(); err != nil {
		return err
	}
	return &Error{Reason: ErrNoObject}
}

// bindLeft gives the members that no parameter has the name of to a struct or map among those without a member.
func (d *Dialect) bindLeft(left []byte, params []Param, bound []bool) error {
	if len(left) > 0 {
		left[0] = '{'
		left = append(left, '}')
	} else {
		left = []byte("{}")
	}
	for i := range params {
		if bound[i] {
			continue
		}
		v := reflect.ValueOf(params[i].Into)
		switch losslessOf(base(v.Type().Elem())).form {
		case formStruct, formObject, formOrdered, formAny:
			if string(left) == "{}" && len(params) > 1 {
				return nil
			}
			_, err := d.readLossless(left, params[i].Into, true)
			return named(err, &params[i])
		}
	}
	r := d.losslessReader(left, true)
	return r.object(r.unplaced)
}

// placeOf is the parameter of that name, in any case of its ASCII letters when there is no exact one; -1 without.
func placeOf(params []Param, name []byte) int {
	other := -1
	for i := range params {
		if params[i].Name == string(name) {
			return i
		}
		if other < 0 && sameName(params[i].Name, name) {
			other = i
		}
	}
	return other
}
