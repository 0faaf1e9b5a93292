package value

import (
	"fmt"
	"reflect"
)

// enumName returns the name of a value of an integer type from the table.
func (d *Dialect) enumName(t reflect.Type, v int64) (string, bool) {
	for _, n := range d.Enums[t] {
		if n.Value == v {
			return n.Name, true
		}
	}
	return "", false
}

const namesTo = 256 // String methods are asked for the names of 0 to here when a name is read

// value returns the number of name, from the table or by asking the type's String method.
func (d *Dialect) enumValue(t reflect.Type, i *info, name string) (int64, bool) {
	if ns := d.Enums[t]; ns != nil {
		for _, n := range ns {
			if n.Name == name {
				return n.Value, true
			}
		}
		return 0, false
	}
	i.once.Do(func() {
		i.names = make(map[string]int64)
		v := reflect.New(t)
		for n := range int64(namesTo) {
			e := v.Elem()
			if e.CanInt() && e.OverflowInt(n) || e.CanUint() && e.OverflowUint(uint64(n)) {
				break
			}
			setInteger(e, n)
			s, ok := stringOf(v)
			if _, twice := i.names[s]; ok && !twice {
				i.names[s] = n
			}
		}
	})
	v, ok := i.names[name]
	return v, ok
}

// stringOf calls String on what the pointer p points to, or on p. A String that panics, as for a number without a name it may,
// is none.
func stringOf(p reflect.Value) (s string, ok bool) {
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	if s, ok := p.Elem().Interface().(fmt.Stringer); ok {
		return s.String(), true
	}
	return p.Interface().(fmt.Stringer).String(), true
}

func setInteger(v reflect.Value, n int64) {
	if v.CanInt() {
		v.SetInt(n)
	} else {
		v.SetUint(uint64(n))
	}
}
