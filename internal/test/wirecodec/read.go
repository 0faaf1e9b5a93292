package wirecodec

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
)

// A reader holds what is left of a message.
type reader struct {
	b       []byte
	objects []reflect.Value
	root    reflect.Value // where shared pointers lead to it
}

// A scope is where a value stands.
type scope struct {
	newLife bool // the profile of the struct that declares it
	root    bool // reached from the root through structs only
	sized   bool // reached from a sized struct through structs only
}

// inside is the scope of what a list holds.
func (s scope) inside() scope { return scope{newLife: s.newLife} }

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		refuse("%d bytes, %d are left", n, len(r.b))
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) fixed(width int, be bool) uint64 {
	var b [8]byte
	copy(b[:], r.take(width))
	if be {
		slices.Reverse(b[:width])
	}
	return binary.LittleEndian.Uint64(b[:])
}

// uvarint reads one of at most a number of bits.
func (r *reader) uvarint(bits int, lenient bool) uint64 {
	n, size := binary.Uvarint(r.b)
	switch {
	case size <= 0:
		refuse("no uvarint")
	case size > (bits+6)/7, bits < 64 && n>>bits > 0:
		refuse("a uvarint of more than %d bits", bits)
	case size > 1 && r.b[size-1] == 0 && !lenient:
		refuse("a padded uvarint")
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) flag(lenient bool) bool {
	n := r.take(1)[0]
	if n > 1 && !lenient {
		refuse("the flag %d", n)
	}
	return n != 0
}

func (r *reader) length(o options, s scope) int {
	var n uint64
	if o.prefix > 0 {
		n = r.fixed(o.prefix, false)
	} else {
		n = r.uvarint(32, s.newLife)
	}
	if n > math.MaxInt32 || o.max > 0 && n > uint64(o.max) {
		refuse("a length of %d", n)
	}
	return int(n)
}

// value reads into a value that is zero.
func (r *reader) value(v reflect.Value, o options, s scope) {
	switch formOf(v.Type(), o.leaf.ask) {
	case bySelf:
		n, err := v.Addr().Interface().(Own).ConsumeWire(r.b)
		if err != nil {
			refuse("%v", err)
		}
		r.take(n)
	case byBinary, byText:
		r.methods(v, o, s)
	case asTime:
		r.time(v, o, s.newLife)
	case asGUID:
		copy(v.Slice(0, v.Len()).Bytes(), r.take(16))
	case asDecimal:
		words := decimalWords(v)
		for i := range words {
			words[i] = uint32(r.fixed(4, false))
		}
		if !validDecimal(words) {
			refuse("no decimal")
		}
	case asChar:
		v.SetInt(int64(r.take(1)[0]))
	default:
		r.kind(v, o, s)
	}
}

func (r *reader) methods(v reflect.Value, o options, s scope) {
	b := bytes.Clone(r.take(r.length(o, s)))
	if o.leaf.utf8 && !utf8.Valid(b) {
		refuse("no UTF-8")
	}
	var err error
	if formOf(v.Type(), o.leaf.ask) == byBinary {
		err = v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	} else {
		err = v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(b)
	}
	if err != nil {
		refuse("%v", err)
	}
}

func (r *reader) kind(v reflect.Value, o options, s scope) {
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		v.SetBool(r.flag(s.newLife))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		shift := 64 - 8*width(t)
		v.SetInt(int64(r.number64(t, o, s)<<shift) >> shift)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.number64(t, o, s))
	case reflect.Float32:
		*(*uint32)(v.Addr().UnsafePointer()) = uint32(r.fixed(4, o.leaf.be))
	case reflect.Float64:
		*(*uint64)(v.Addr().UnsafePointer()) = r.fixed(8, o.leaf.be)
	case reflect.Complex64, reflect.Complex128:
		var parts [2]uint64
		for i := range parts {
			parts[i] = r.fixed(int(t.Size())/2, o.leaf.be)
		}
		setComplexBits(v, parts)
	case reflect.String:
		v.SetString(string(r.text(o, s)))
	case reflect.Array:
		for i := range v.Len() {
			r.value(v.Index(i), o.below(), s.inside())
		}
	case reflect.Slice, reflect.Map:
		r.list(v, o, s)
	case reflect.Pointer:
		r.pointer(v, o, s)
	case reflect.Struct:
		r.structure(v, o, s)
	default:
		refuse("a %v has no wire form", t)
	}
}

func (r *reader) number64(t reflect.Type, o options, s scope) uint64 {
	size := width(t)
	switch {
	case o.leaf.varint && size > 1:
		return r.uvarint(8*size, s.newLife)
	case o.leaf.zigzag:
		n := r.uvarint(8*size, s.newLife)
		return n>>1 ^ -(n & 1)
	}
	return r.fixed(size, o.leaf.be)
}

func (r *reader) text(o options, s scope) []byte {
	var b []byte
	if o.fixed > 0 {
		b = bytes.TrimRight(r.take(o.fixed), "\x00")
	} else {
		b = r.take(r.length(o, s))
	}
	if o.leaf.utf8 && !utf8.Valid(b) {
		refuse("no UTF-8")
	}
	return bytes.Clone(b)
}

func (r *reader) list(v reflect.Value, o options, s scope) {
	t := v.Type()
	if o.nilable && !r.flag(s.newLife) {
		return
	}
	if isBytes(t) {
		b := r.text(o, s)
		v.Set(reflect.MakeSlice(t, len(b), len(b)))
		copy(v.Bytes(), b)
		return
	}
	n := r.length(o, s)
	if t.Kind() == reflect.Slice {
		r.elements(v, n, o, s)
		return
	}
	if n > 1 && !takes(t.Key(), options{}, s.newLife) {
		refuse("%d entries with one key", n)
	}
	v.Set(reflect.MakeMap(t))
	for range n {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		r.value(key, options{}, s.inside())
		r.value(elem, o.below(), s.inside())
		v.SetMapIndex(key, elem)
	}
}

func (r *reader) elements(v reflect.Value, n int, o options, s scope) {
	t := v.Type()
	if t.Elem().Size() == 0 && !takes(t.Elem(), o.below(), s.newLife) {
		v.Set(reflect.MakeSlice(t, n, n))
		return
	}
	list := reflect.MakeSlice(t, 0, 0)
	for range n {
		elem := reflect.New(t.Elem()).Elem()
		r.value(elem, o.below(), s.inside())
		list = reflect.Append(list, elem)
	}
	v.Set(list)
}

func (r *reader) pointer(v reflect.Value, o options, s scope) {
	t := v.Type()
	switch {
	case o.leaf.shared && t.Elem().Kind() == reflect.Struct:
		r.shared(v, o, s)
		return
	case !s.newLife || !isInline(t, o.leaf.ask):
		if !r.flag(s.newLife) {
			return
		}
	case !takes(t.Elem(), o, s.newLife):
		return
	}
	v.Set(reflect.New(t.Elem()))
	r.value(v.Elem(), o, s)
}

func (r *reader) shared(v reflect.Value, o options, s scope) {
	switch n := r.uvarint(32, s.newLife); {
	case n == 0:
	case n == uint64(len(r.objects))+1:
		p := reflect.New(v.Type().Elem())
		v.Set(p.Convert(v.Type()))
		r.objects = append(r.objects, p)
		o.leaf.shared = false
		r.value(v.Elem(), o, s)
	case n > uint64(len(r.objects)):
		refuse("object %d of %d", n, len(r.objects))
	default:
		p := r.objects[n-1]
		if p.Type().Elem() != v.Type().Elem() {
			refuse("object %d is a %v", n, p.Type())
		}
		v.Set(p.Convert(v.Type()))
	}
}

func (r *reader) structure(v reflect.Value, o options, s scope) {
	l := layoutOf(v.Type())
	outer := s
	s.newLife = profile(v.Type(), l, s.newLife)
	if !l.sized && !o.leaf.sized {
		r.fields(v, l, s)
		return
	}
	if l.sized {
		outer = s // the type's own length has the type's profile
	}
	inner := &reader{b: r.take(r.length(options{}, outer))}
	if isObject(v, r.root) {
		inner.objects = r.objects[:1]
	}
	inner.fields(v, l, scope{newLife: s.newLife, sized: true})
}

// isObject reports whether a pointer, if there is one, points to v.
func isObject(v, p reflect.Value) bool {
	return p.IsValid() && v.CanAddr() && v.Addr().Type() == p.Type() && v.Addr().Pointer() == p.Pointer()
}

// fields reads the fields of a struct; those that the input does not reach any
// more stay zero where that is allowed.
func (r *reader) fields(v reflect.Value, l layout, s scope) {
	for _, f := range l.fields {
		if len(r.b) == 0 && (s.sized || s.root && (s.newLife || f.optional)) {
			return
		}
		r.value(v.Field(f.index), f.opts, s)
	}
}
