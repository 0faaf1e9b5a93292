package value

import (
	"math"
	"reflect"
	"sort"
	"strconv"
	"time"

	"github.com/spanwire/spanwire/rpc/value/internal/dotnet"
)

// compatLevels is how many objects deep NewLife writes.
const compatLevels = 5

// appendJSON writes v as JSON; level 1 is the top.
func (d *Dialect) appendJSON(b []byte, v reflect.Value, level int) ([]byte, error) {
	v = indirect(v)
	if !v.IsValid() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil() {
		return append(b, "null"...), nil
	}
	c, _ := d.classOf(v.Type())
	return d.appendClass(b, v, c, level)
}

// appendClass is appendJSON for a value of class c that is not nil.
func (d *Dialect) appendClass(b []byte, v reflect.Value, c class, level int) ([]byte, error) {
	if level > d.depth() {
		return b, ErrDepth
	}
	var err error
	switch c {
	case classBool:
		b = strconv.AppendBool(b, v.Bool())
	case classInt, classUint, classEnum:
		b, err = appendNumber(b, v), d.numberLoss(v)
	case classFloat:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			err = errNoNumber
		} else {
			b = appendNumber(b, v)
		}
	case classString:
		b, err = appendString(b, v.String()), d.textLoss(v.String())
	case classNumber:
		b, err = appendNumberText(b, v.String())
	case classBytes, classPacket:
		b = appendBase64(b, v)
	case classTime:
		b, err = d.appendJSONTime(b, timeOf(v))
	case classDuration:
		b, err = append(dotnet.AppendDuration(append(b, '"'), time.Duration(v.Int())), '"'), d.durationLoss(time.Duration(v.Int()))
	case classText:
		b, err = appendText(b, v)
	case classJSON:
		b, err = appendMarshaler(b, v)
	case classRaw:
		b, err = d.appendRawJSON(b, v)
	case classError:
		b = appendString(b, addr(v).Interface().(error).Error())
	case classStruct:
		return d.appendStruct(b, v, level)
	case classMap:
		return d.appendMap(b, v, level)
	case classObject:
		return d.appendObject(b, v.Interface().(Object), level)
	case classSlice, classArray:
		return d.appendList(b, v, level)
	default:
		err = infoOf(v.Type()).bad
	}
	if err != nil {
		err = wrap(err, v.Type())
	}
	return b, err
}

// deep tells that objects at this level are written as {}.
func (d *Dialect) deep(level int) bool { return d.Compat && level > compatLevels }

func (d *Dialect) appendStruct(b []byte, v reflect.Value, level int) ([]byte, error) {
	b = append(b, '{')
	if d.deep(level) {
		return append(b, '}'), nil
	}
	first := true
	fields := infoOf(v.Type()).fields
	for i := range fields {
		f := &fields[i]
		m := f.of(v)
		direct := f.scalar && d.Enums == nil
		if direct && !d.Keep && zeroOf(m, f.class) || !direct && d.leftOut(m) {
			if err := d.memberLoss(m); err != nil {
				return b, under(err, f.name)
			}
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, f.quoted...)
		var err error
		if direct {
			b, err = d.appendClass(b, m, f.class, level+1)
		} else {
			b, err = d.appendJSON(b, m, level+1)
		}
		if err != nil {
			return b, under(err, f.name)
		}
	}
	return append(b, '}'), nil
}

// leftOut tells that a member with this value is not written.
func (d *Dialect) leftOut(v reflect.Value) bool {
	if d.Keep {
		return false
	}
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer {
		return v.IsNil()
	}
	c, _ := d.classOf(v.Type())
	return zeroOf(v, c)
}

// zeroOf tells that a value of class c, no pointer and no interface, is one that is left out.
func zeroOf(v reflect.Value, c class) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.IsNil()
	}
	switch c {
	case classBool, classInt, classUint, classFloat, classString:
		return v.IsZero() || c == classFloat && v.Float() == 0
	case classNumber:
		return v.Len() == 0 || v.String() == "0"
	case classTime:
		return timeOf(v).IsZero()
	}
	return false
}

func (d *Dialect) appendMap(b []byte, v reflect.Value, level int) ([]byte, error) {
	b = append(b, '{')
	if d.deep(level) {
		return append(b, '}'), nil
	}
	type member struct {
		name string
		v    reflect.Value
	}
	var ms []member
	for it := v.MapRange(); it.Next(); {
		name := keyText(it.Key())
		if !d.leftOut(it.Value()) {
			ms = append(ms, member{name, it.Value()})
		} else if err := d.lose("an entry that is zero is left out"); err != nil {
			return b, under(err, name)
		}
		if err := d.textLoss(name); err != nil {
			return b, under(err, "[key]")
		}
	}
	sort.Slice(ms, func(i, j int) bool { return ms[i].name < ms[j].name })
	for i, m := range ms {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		var err error
		if b, err = d.appendJSON(b, m.v, level+1); err != nil {
			return b, under(err, m.name)
		}
	}
	return append(b, '}'), nil
}

func (d *Dialect) appendObject(b []byte, o Object, level int) ([]byte, error) {
	b = append(b, '{')
	if d.deep(level) {
		return append(b, '}'), nil
	}
	first := true
	for _, m := range o {
		v := reflect.ValueOf(m.Value)
		if !d.Keep && (!v.IsValid() || d.leftOut(v)) {
			if err := d.lose("an entry that is zero is left out"); err != nil {
				return b, under(err, m.Name)
			}
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, m.Name), ':')
		var err error
		if b, err = d.appendJSON(b, v, level+1); err != nil {
			return b, under(err, m.Name)
		}
	}
	return append(b, '}'), nil
}

func (d *Dialect) appendList(b []byte, v reflect.Value, level int) ([]byte, error) {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		err := d.nullLoss(v.Index(i))
		if err == nil {
			b, err = d.appendJSON(b, v.Index(i), level+1)
		}
		if err != nil {
			return b, under(err, strconv.Itoa(i))
		}
	}
	return append(b, ']'), nil
}
