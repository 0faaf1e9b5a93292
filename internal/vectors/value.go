package vectors

import (
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Decoder turns the values of recordings into Go values.
type Decoder struct {
	// New returns a pointer to a new value of the named type, nil where it
	// knows none: for elements of lists that name their types.
	New func(name string) any

	enclosing []reflect.Value // pointers to the structs around, outermost first
}

// Value sets the pointer's target to the JSON value v:
//
//	integers, enums, chars        decimal text; time.Duration in 100 ns
//	floats                        hex text of the bits, 0x...
//	byte slices and arrays        hex text, null
//	strings                       text, null for ""
//	time.Time                     2025-01-01T00:00:00.0000000 + Z (UTC), L
//	                              (local, shown in UTC) or nothing (Unspecified)
//	other types with UnmarshalText their text
//	structs                       an object; members not named keep zero
//	pointers                      null for nil, <self> for the enclosing object
//	slices and arrays             a list, null
//	maps                          a list of [key, value], null
//	interfaces                    {type, value}, null
//
// Members that the struct does not have, and all other mismatches, are errors.
func (d *Decoder) Value(ptr, v any) error {
	p := reflect.ValueOf(ptr)
	d.enclosing = d.enclosing[:0]
	return d.set(p.Elem(), v)
}

func (d *Decoder) set(to reflect.Value, v any) error {
	to.SetZero()
	if text, ok := v.(string); ok {
		return d.setText(to, text)
	}
	switch to.Kind() {
	case reflect.Pointer:
		return d.setPointer(to, v)
	case reflect.Struct:
		return d.setStruct(to, v)
	case reflect.Slice, reflect.Array:
		return d.setList(to, v)
	case reflect.Map:
		return d.setMap(to, v)
	case reflect.Interface:
		return d.setAny(to, v)
	}
	switch v := v.(type) {
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(v)
			return nil
		}
	case json.Number:
		return d.setText(to, v.String())
	case nil:
		if to.Kind() == reflect.String {
			return nil
		}
	}
	return mismatch(to, v)
}

func mismatch(to reflect.Value, v any) error {
	return fmt.Errorf("%.80v is no value of %s", v, to.Type())
}

func (d *Decoder) setPointer(to reflect.Value, v any) error {
	if v == nil {
		return nil
	}
	to.Set(reflect.New(to.Type().Elem()))
	return d.set(to.Elem(), v)
}

func (d *Decoder) setStruct(to reflect.Value, v any) error {
	members, ok := v.(map[string]any)
	if !ok {
		return mismatch(to, v)
	}
	d.enclosing = append(d.enclosing, to.Addr())
	defer func() { d.enclosing = d.enclosing[:len(d.enclosing)-1] }()
	for name, member := range members {
		field := to.FieldByName(name)
		if name == "_" || !field.IsValid() || !field.CanSet() {
			return fmt.Errorf("%s has no member %s", to.Type(), name)
		}
		if err := d.set(field, member); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (d *Decoder) setList(to reflect.Value, v any) error {
	if v == nil && to.Kind() == reflect.Slice {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return mismatch(to, v)
	}
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
	}
	if len(list) != to.Len() {
		return fmt.Errorf("%d elements for %s", len(list), to.Type())
	}
	for i, elem := range list {
		if err := d.setElem(to.Index(i), elem); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// setElem sets an element of a list: objects come with their type.
func (d *Decoder) setElem(to reflect.Value, v any) error {
	typ, value, ok := typed(v)
	if !ok || to.Kind() == reflect.Interface {
		return d.set(to, v)
	}
	if t := indirect(to.Type()); t.Name() != typ {
		return fmt.Errorf("a %s where %s are", typ, t)
	}
	return d.set(to, value)
}

// typed takes {type, value} apart.
func typed(v any) (typ string, value any, ok bool) {
	m, _ := v.(map[string]any)
	typ, ok = m["type"].(string)
	value, has := m["value"]
	return typ, value, ok && has && len(m) == 2
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func (d *Decoder) setMap(to reflect.Value, v any) error {
	if v == nil {
		return nil
	}
	pairs, ok := v.([]any)
	if !ok {
		return mismatch(to, v)
	}
	t := to.Type()
	to.Set(reflect.MakeMap(t))
	for i, p := range pairs {
		pair, ok := p.([]any)
		if !ok || len(pair) != 2 {
			return fmt.Errorf("entry %d is no [key, value]", i)
		}
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := d.set(key, pair[0]); err != nil {
			return fmt.Errorf("key %d: %w", i, err)
		}
		if err := d.setElem(elem, pair[1]); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
		to.SetMapIndex(key, elem)
	}
	return nil
}

func (d *Decoder) setAny(to reflect.Value, v any) error {
	if v == nil {
		return nil
	}
	typ, value, ok := typed(v)
	if !ok || d.New == nil {
		return mismatch(to, v)
	}
	model := d.New(typ)
	if model == nil {
		return fmt.Errorf("unknown type %q", typ)
	}
	p := reflect.ValueOf(model)
	if err := d.set(p.Elem(), value); err != nil {
		return fmt.Errorf("%s: %w", typ, err)
	}
	if p.Elem().Kind() != reflect.Struct {
		p = p.Elem() // a scalar is held by value
	}
	if !p.Type().AssignableTo(to.Type()) {
		return mismatch(to, v)
	}
	to.Set(p)
	return nil
}

// setText sets a value that recordings write as text.
func (d *Decoder) setText(to reflect.Value, text string) error {
	switch p := to.Addr().Interface().(type) {
	case *time.Time:
		t, err := parseTime(text)
		*p = t
		return err
	case *time.Duration:
		ticks, err := strconv.ParseInt(text, 10, 64)
		if *p = time.Duration(ticks) * 100; int64(*p)/100 != ticks {
			return fmt.Errorf("%s ticks do not fit a time.Duration", text)
		}
		return err
	case *span.Char:
		c, err := strconv.ParseInt(text, 10, 32)
		*p = span.Char(c)
		return err
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text))
	}
	return d.setKind(to, text)
}

func (d *Decoder) setKind(to reflect.Value, text string) error {
	bits := 0
	if k := to.Kind(); k >= reflect.Int && k <= reflect.Float64 {
		bits = to.Type().Bits()
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(text)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, bits)
		to.SetInt(n)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, bits)
		to.SetUint(n)
		return err
	case reflect.Float32, reflect.Float64:
		return setFloat(to, text, bits)
	case reflect.Slice, reflect.Array:
		return setBytes(to, text)
	case reflect.Pointer:
		return d.setPointed(to, text)
	}
	return mismatch(to, text)
}

// setPointed sets a pointer to a value that is text, or to the enclosing object.
func (d *Decoder) setPointed(to reflect.Value, text string) error {
	if text != "<self>" {
		return d.setPointer(to, text)
	}
	for i := len(d.enclosing) - 1; i >= 0; i-- {
		if d.enclosing[i].Type() == to.Type() {
			to.Set(d.enclosing[i])
			return nil
		}
	}
	return mismatch(to, text)
}

func setFloat(to reflect.Value, text string, width int) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, width)
	if err != nil || !strings.HasPrefix(text, "0x") {
		return mismatch(to, text)
	}
	// By way of float64 a signaling NaN would lose its bits.
	switch p := to.Addr().Convert(reflect.PointerTo(floatType(width))).Interface().(type) {
	case *float32:
		*p = math.Float32frombits(uint32(n))
	case *float64:
		*p = math.Float64frombits(n)
	}
	return nil
}

func floatType(width int) reflect.Type {
	if width == 32 {
		return reflect.TypeFor[float32]()
	}
	return reflect.TypeFor[float64]()
}

func setBytes(to reflect.Value, text string) error {
	if to.Type().Elem().Kind() != reflect.Uint8 {
		return mismatch(to, text)
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return mismatch(to, text)
	}
	if to.Kind() == reflect.Slice {
		to.SetBytes(b)
		return nil
	}
	if len(b) != to.Len() {
		return mismatch(to, text)
	}
	reflect.Copy(to, reflect.ValueOf(b))
	return nil
}

// parseTime reads a DateTime with its kind.
func parseTime(text string) (time.Time, error) {
	const layout = "2006-01-02T15:04:05.0000000"
	loc := span.Unspecified()
	switch {
	case strings.HasSuffix(text, "Z"):
		loc, text = time.UTC, text[:len(text)-1]
	case strings.HasSuffix(text, "L"):
		loc, text = time.Local, text[:len(text)-1]
	}
	t, err := time.Parse(layout, text)
	if err != nil || t.IsZero() {
		return t, err // .NET's default(DateTime) is the zero time of either kind
	}
	return t.In(loc), nil
}
