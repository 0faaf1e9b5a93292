package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// ErrNoPlace is for a member that is not zero, for which the reader's type has no place.
var ErrNoPlace = errors.New("no place for this member")

// losslessReader reads lossless JSON into values that are zero.
type losslessReader struct {
	losslessScanner
	growth
	links   int  // pointers and interfaces that were followed to here
	refuse  bool // members without a place are an error unless they are zero
	dropped int  // those that were not zero
}

func (d *Dialect) losslessReader(data []byte, refuse bool) *losslessReader {
	return &losslessReader{losslessScanner: losslessScanner{b: data, depth: d.losslessDepth()}, growth: growth{tell: d.Grow}, refuse: refuse}
}

// ReadLossless reads lossless JSON into what dst, a pointer that is not nil, points to. No data, and null, are the zero value. Members
// without a place are dropped and counted; unless they are zero, Strict refuses them with ErrNoPlace.
func (d Dialect) ReadLossless(data []byte, dst any) (dropped int, err error) {
	return d.readLossless(data, dst, d.Strict)
}

func (d *Dialect) readLossless(data []byte, dst any, refuse bool) (int, error) {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return 0, &Error{Type: fmt.Sprintf("%T", dst), Reason: ErrType}
	}
	v = v.Elem()
	v.SetZero()
	if len(data) == 0 {
		return 0, nil
	}
	r := d.losslessReader(data, refuse)
	err := r.whole(v)
	return r.dropped, err
}

// whole reads all of the data; at the top null is the zero value of any type.
func (r *losslessReader) whole(v reflect.Value) error {
	if r.blank() == 'n' {
		if err := r.literal("null"); err != nil {
			return err
		}
	} else if err := r.value(settle(v)); err != nil {
		return err
	}
	if r.blank() != 0 || r.i < len(r.b) {
		return r.bad()
	}
	return nil
}

// value reads the value at the cursor.
func (r *losslessReader) value(v reflect.Value) error {
	x := losslessOf(v.Type())
	link, level := x.form.steps()
	r.links += link
	r.depth -= level
	if r.depth < 0 || r.links > maxLinks {
		return r.no(v, ErrDepth)
	}
	c, start := r.blank(), r.i
	err := r.into(v, x, c)
	r.links -= link
	r.depth += level
	if err != nil {
		at(err, start)
	}
	return err
}

func (r *losslessReader) into(v reflect.Value, x *losslessType, c byte) error {
	switch x.form {
	case formBad:
		return r.no(v, x.err)
	case formSame:
		return r.value(v.Field(0))
	case formJSON:
		return r.unmarshal(v)
	}
	if c == 'n' {
		if err := r.literal("null"); err != nil {
			return err
		}
		switch x.form {
		case formPointer, formAny, formSlice, formObject, formPairs, formOrdered:
			return nil
		case formBytes:
			if v.Kind() == reflect.Slice {
				return nil
			}
		}
		return r.at(unfit(v, null, "", nil))
	}
	switch x.form {
	case formPointer:
		if err := r.take(int(v.Type().Elem().Size())); err != nil {
			return err
		}
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		return r.pointed(p.Elem())
	case formAny:
		return r.any(v, x)
	case formStruct:
		return r.members(v, x)
	case formObject:
		return r.entries(v)
	case formOrdered:
		return r.ordered(v)
	case formPairs:
		return r.pairs(v)
	case formSlice:
		return r.slice(v)
	case formArray, formComplex:
		return r.array(v, x.form)
	case formBool:
		return r.bool(v, c)
	case formInt, formUint, formFloat, formNumber:
		return r.number(v, x.form)
	}
	return r.quoted(v, x.form)
}

// pointed reads what a pointer points to.
func (r *losslessReader) pointed(v reflect.Value) error {
	if !losslessOf(v.Type()).form.nullable() {
		return r.value(v)
	}
	if r.peek() != '[' {
		return r.other(v)
	}
	n := 0
	err := r.elements(func() error {
		if n++; n > 1 {
			return r.bad()
		}
		return r.value(v)
	})
	if err == nil && n == 0 {
		err = r.bad()
	}
	return err
}

// any reads into an interface.
func (r *losslessReader) any(v reflect.Value, x *losslessType) error {
	if x.err != nil {
		return r.no(v, x.err)
	}
	if err := r.take(boxed); err != nil {
		return err
	}
	var e reflect.Value
	switch c := r.peek(); {
	case c == '{':
		e = reflect.New(reflect.TypeFor[map[string]any]()).Elem()
	case c == '[':
		e = reflect.New(reflect.TypeFor[[]any]()).Elem()
	case c == '"':
		e = reflect.New(reflect.TypeFor[string]()).Elem()
	case c == 't', c == 'f':
		e = reflect.New(reflect.TypeFor[bool]()).Elem()
	default:
		n := numberLength(r.b[r.i:])
		if n == 0 {
			return r.bad()
		}
		v.Set(reflect.ValueOf(anyNumber(string(r.b[r.i : r.i+n]))))
		r.i += n
		return nil
	}
	if err := r.value(e); err != nil {
		return err
	}
	v.Set(e)
	return nil
}

// unmarshal gives the value at the cursor to its UnmarshalJSON.
func (r *losslessReader) unmarshal(v reflect.Value) error {
	start := r.i
	if err := r.skip(); err != nil {
		return err
	}
	u, ok := addr(v).Interface().(json.Unmarshaler)
	if !ok {
		return r.no(v, ErrType)
	}
	if err := u.UnmarshalJSON(bytes.Clone(r.b[start:r.i])); err != nil {
		e := unfitJSON(v, r.b[start:r.i], err)
		e.Offset = start
		return e
	}
	return nil
}

func (r *losslessReader) members(v reflect.Value, x *losslessType) error {
	if r.peek() != '{' {
		return r.other(v)
	}
	var mem [64]bool
	seen := mem[:]
	if len(x.fields) > len(mem) {
		seen = make([]bool, len(x.fields))
	}
	return r.object(func(name []byte) error {
		i := x.place(name)
		if i < 0 {
			return r.unplaced(name)
		}
		f := &x.fields[i]
		if seen[i] {
			return &Error{Member: f.name, Offset: r.i, Reason: errTwice}
		}
		seen[i] = true
		if err := r.value(v.FieldByIndex(f.index)); err != nil {
			return under(err, f.name)
		}
		return nil
	})
}

// unplaced passes over a member that nothing can take.
func (r *losslessReader) unplaced(name []byte) error {
	start := r.i
	if err := r.skip(); err != nil {
		return err
	}
	if isZero(r.b[start:r.i]) {
		return nil
	}
	if r.refuse {
		return &Error{Member: shorten(name, longestName), Offset: start, Reason: ErrNoPlace}
	}
	r.dropped++
	return nil
}

func (r *losslessReader) entries(v reflect.Value) error {
	if r.peek() != '{' {
		return r.other(v)
	}
	t := v.Type()
	if err := r.take(emptyMap); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(t))
	return r.object(func(name []byte) error {
		k := reflect.New(t.Key()).Elem()
		s := string(name)
		ok := true
		switch {
		case k.Kind() == reflect.String:
			k.SetString(s)
		case k.CanInt():
			n, err := strconv.ParseInt(s, 10, t.Key().Bits())
			k.SetInt(n)
			ok = err == nil && strconv.FormatInt(n, 10) == s
		default:
			n, err := strconv.ParseUint(s, 10, t.Key().Bits())
			k.SetUint(n)
			ok = err == nil && strconv.FormatUint(n, 10) == s
		}
		if !ok {
			return under(r.at(unfit(k, aKey, s, nil)), s)
		}
		return r.entry(v, k, s)
	})
}

// entry reads the value of a key into a map.
func (r *losslessReader) entry(m, k reflect.Value, name string) error {
	if err := r.growth.entry(m.Type(), m.Len()); err != nil {
		return err
	}
	e := reflect.New(m.Type().Elem()).Elem()
	if err := r.value(e); err != nil {
		return under(err, name)
	}
	if m.MapIndex(k).IsValid() {
		return &Error{Member: shorten(name, longestName), Offset: r.i, Reason: errTwice}
	}
	m.SetMapIndex(k, e)
	return nil
}

func (r *losslessReader) pairs(v reflect.Value) error {
	if r.peek() != '[' {
		return r.other(v)
	}
	t := v.Type()
	if err := r.take(emptyMap); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(t))
	n := 0
	return r.elements(func() error {
		name := strconv.Itoa(n)
		n++
		k := reflect.New(t.Key()).Elem()
		part := 0
		if r.blank() != '[' {
			return r.other(v)
		}
		err := r.elements(func() error {
			part++
			switch part {
			case 1:
				return r.value(k)
			case 2:
				return r.entry(v, k, name)
			}
			return r.bad()
		})
		if err == nil && part < 2 {
			err = r.bad()
		}
		return err
	})
}

func (r *losslessReader) ordered(v reflect.Value) error {
	if r.peek() != '{' {
		return r.other(v)
	}
	o, seen := Object{}, map[string]bool{}
	err := r.object(func(name []byte) error {
		m := Entry{Name: string(name)}
		if seen[m.Name] {
			return &Error{Member: shorten(m.Name, longestName), Offset: r.i, Reason: errTwice}
		}
		seen[m.Name] = true
		if err := r.value(reflect.ValueOf(&m.Value).Elem()); err != nil {
			return under(err, m.Name)
		}
		if err := r.take(4 * int(reflect.TypeFor[Entry]().Size())); err != nil {
			return err
		}
		o = append(o, m)
		return nil
	})
	v.Set(reflect.ValueOf(o))
	return err
}

func (r *losslessReader) slice(v reflect.Value) error {
	if r.peek() != '[' {
		return r.other(v)
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return r.elements(func() error {
		if err := r.element(v.Type()); err != nil {
			return err
		}
		n := v.Len()
		v.Grow(1)
		v.SetLen(n + 1)
		e := v.Index(n)
		e.SetZero()
		if err := r.value(e); err != nil {
			return under(err, strconv.Itoa(n))
		}
		return nil
	})
}

// array reads as many elements as there are, or the two parts of a complex number.
func (r *losslessReader) array(v reflect.Value, f form) error {
	if r.peek() != '[' {
		return r.other(v)
	}
	n, size, start := 0, 2, r.i
	var parts [2]float64
	elem := reflect.ValueOf(&parts).Elem()
	if f == formArray {
		size, elem = v.Len(), v
	} else if v.Kind() == reflect.Complex64 {
		elem = reflect.New(reflect.TypeFor[[2]float32]()).Elem()
	}
	err := r.elements(func() error {
		if n >= size {
			return r.at(unfit(v, anArray, "", tooMany(size)))
		}
		err := r.value(elem.Index(n))
		if err != nil {
			return under(err, strconv.Itoa(n))
		}
		n++
		return nil
	})
	switch {
	case err != nil:
		return err
	case n < size:
		return r.at(unfitJSON(v, r.b[start:r.i], tooFew(n, size)))
	case f == formComplex:
		v.SetComplex(complex(elem.Index(0).Float(), elem.Index(1).Float()))
	}
	return nil
}
