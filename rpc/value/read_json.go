package value

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
)

// jsonReader reads JSON in NewLife's dialect into values that are zero.
type jsonReader struct {
	scanner
	growth
	d *Dialect
}

func (d *Dialect) reader(data []byte) *jsonReader {
	return &jsonReader{scanner{b: data, most: d.depth()}, growth{tell: d.Grow}, d}
}

// value reads the value at the cursor into v.
func (p *jsonReader) value(v reflect.Value) error {
	if c := p.blank(); c == 'n' && bytes.HasPrefix(p.b[p.i:], []byte("null")) {
		if w, err := p.word(); err != nil || string(w) != "null" {
			return p.bad()
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if err := p.pointed(v.Type()); err != nil {
			return err
		}
		v = settle(v)
	case reflect.Interface:
		if err := p.take(boxed); err != nil {
			return err
		}
	}
	c, _ := p.d.classOf(v.Type())
	if c == classJSON {
		return p.unmarshal(v)
	}
	start := p.i
	err := p.fill(v, c)
	if err != nil {
		at(err, start)
	}
	return err
}

func (p *jsonReader) fill(v reflect.Value, c class) error {
	switch p.blank() {
	case '{':
		return p.fillObject(v, c)
	case '[':
		return p.fillArray(v, c)
	case '"':
		s, err := p.text()
		if err != nil || c == classSlice && p.d.Compat {
			return err
		}
		return p.d.setText(v, aString, s)
	}
	w, err := p.word()
	if err != nil || c == classSlice && p.d.Compat && isWord(w) {
		return err // NewLife has no list then
	}
	if !isWord(w) {
		p.i -= len(w)
		return p.bad()
	}
	return p.d.setWord(v, w)
}

// unmarshal gives the value at the cursor to its UnmarshalJSON.
func (p *jsonReader) unmarshal(v reflect.Value) error {
	start := p.i
	if err := p.skip(); err != nil {
		return err
	}
	u, ok := addr(v).Interface().(json.Unmarshaler)
	if !ok {
		return &Error{Type: v.Type().String(), Offset: start, Reason: ErrType}
	}
	if err := u.UnmarshalJSON(p.b[start:p.i:p.i]); err != nil {
		e := unfitJSON(v, p.b[start:p.i], err)
		e.Offset = start
		return e
	}
	return nil
}

// refuse passes over a value that v cannot hold.
func (p *jsonReader) refuse(v reflect.Value) error {
	p.blank()
	start := p.i
	if err := p.skip(); err != nil {
		return err
	}
	return unfitJSON(v, p.b[start:p.i], nil)
}

func (p *jsonReader) fillObject(v reflect.Value, c class) error {
	switch c {
	case classStruct:
		return p.fillStruct(v)
	case classMap:
		return p.fillMap(v)
	case classObject:
		return p.fillOrdered(v)
	case classAny:
		if v.NumMethod() > 0 {
			return p.refuse(v)
		}
		m := reflect.MakeMap(reflect.TypeFor[map[string]any]())
		v.Set(m)
		return p.fillMap(m)
	case classString, classBool, classInt, classUint, classFloat, classTime, classDuration, classText, classEnum:
		if p.d.Compat {
			return p.skip() // to NewLife it is one without members
		}
	}
	return p.refuse(v)
}

func (p *jsonReader) fillStruct(v reflect.Value) error {
	i := infoOf(v.Type())
	return p.object(func(name []byte) error {
		f := i.find(name)
		if f == nil {
			return p.skip()
		}
		m := v.FieldByIndex(f.index)
		m.SetZero()
		if err := p.value(m); err != nil {
			return under(err, f.name)
		}
		return nil
	})
}

func (p *jsonReader) fillMap(v reflect.Value) error {
	t := v.Type()
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	if err := p.take(emptyMap); err != nil {
		return err
	}
	return p.object(func(name []byte) error {
		k := reflect.New(t.Key()).Elem()
		s := textOf(name)
		if k.Kind() == reflect.String {
			k.SetString(s)
		} else if err := p.d.setText(k, aKey, name); err != nil {
			return under(err, s)
		}
		if err := p.entry(t, v.Len()); err != nil {
			return err
		}
		e := reflect.New(t.Elem()).Elem()
		if err := p.value(e); err != nil {
			return under(err, s)
		}
		v.SetMapIndex(k, e)
		return nil
	})
}

func (p *jsonReader) fillOrdered(v reflect.Value) error {
	o, places := Object{}, map[string]int{}
	err := p.object(func(name []byte) error {
		m := Entry{Name: textOf(name)}
		e := reflect.ValueOf(&m.Value).Elem()
		if err := p.value(e); err != nil {
			return under(err, m.Name)
		}
		if i, there := places[m.Name]; there {
			o[i] = m
			return nil
		}
		if err := p.take(4 * int(reflect.TypeFor[Entry]().Size())); err != nil { // it has a place, too
			return err
		}
		places[m.Name] = len(o)
		o = append(o, m)
		return nil
	})
	v.Set(reflect.ValueOf(o))
	return err
}

func (p *jsonReader) fillArray(v reflect.Value, c class) error {
	switch {
	case c == classSlice:
		return p.fillSlice(v)
	case c == classArray:
		return p.fillFixed(v)
	case c == classAny && v.NumMethod() == 0:
		s := reflect.New(reflect.TypeFor[[]any]()).Elem()
		err := p.fillSlice(s)
		v.Set(s)
		return err
	}
	return p.refuse(v)
}

// null passes over a null at the cursor.
func (p *jsonReader) null() bool {
	at := p.i
	if p.blank() == 'n' {
		if w, err := p.word(); err == nil && string(w) == "null" {
			return true
		}
	}
	p.i = at
	return false
}

// fillSlice reads the elements; nulls are dropped, as NewLife drops them, unless they are pointers here.
func (p *jsonReader) fillSlice(v reflect.Value) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	keep := v.Type().Elem().Kind() == reflect.Pointer
	return p.array(func() error {
		if !keep && p.null() {
			return nil
		}
		if err := p.element(v.Type()); err != nil {
			return err
		}
		n := v.Len()
		v.Grow(1)
		v.SetLen(n + 1)
		v.Index(n).SetZero()
		if err := p.value(v.Index(n)); err != nil {
			return under(err, strconv.Itoa(n))
		}
		return nil
	})
}

// fillFixed reads the elements of an array, which must not be more than fit.
func (p *jsonReader) fillFixed(v reflect.Value) error {
	n := 0
	return p.array(func() error {
		if n == v.Len() {
			if err := p.skip(); err != nil {
				return err
			}
			return unfit(v, anArray, "", tooMany(n))
		}
		n++
		if err := p.value(v.Index(n - 1)); err != nil {
			return under(err, strconv.Itoa(n-1))
		}
		return nil
	})
}
