package wirecodec

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"unicode/utf8"
)

// A writer holds a message in the making.
type writer struct {
	b       []byte
	lists   int  // around what is written
	ended   bool // a pointer has written nothing, so nothing may follow
	objects []reflect.Value
	root    reflect.Value // where shared pointers lead to it
}

func (w *writer) put(b ...byte) {
	if w.ended && len(b) > 0 {
		refuse("a nil pointer that writes nothing is followed by more")
	}
	w.b = append(w.b, b...)
}

func (w *writer) flag(on bool) {
	if on {
		w.put(1)
	} else {
		w.put(0)
	}
}

// fixed writes a number of a width.
func (w *writer) fixed(n uint64, width int, be bool) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	if be {
		slices.Reverse(b[:width])
	}
	w.put(b[:width]...)
}

func (w *writer) uvarint(n uint64) { w.put(binary.AppendUvarint(nil, n)...) }

// length writes a length or count.
func (w *writer) length(n int, o options) {
	switch {
	case o.max > 0 && n > o.max:
		refuse("%d is more than %d", n, o.max)
	case o.prefix > 0 && bits.Len(uint(n)) > 8*o.prefix, n > math.MaxInt32:
		refuse("%d does not fit into its prefix", n)
	case o.prefix > 0:
		w.fixed(uint64(n), o.prefix, false)
	default:
		w.uvarint(uint64(n))
	}
}

// value writes a value.
func (w *writer) value(v reflect.Value, o options, newLife bool) {
	v = addressable(v)
	switch formOf(v.Type(), o.leaf.ask) {
	case bySelf:
		w.put(v.Addr().Interface().(Own).AppendWire(nil)...)
	case byBinary, byText:
		w.methods(v, o)
	case asTime:
		w.time(v, o, newLife)
	case asGUID:
		w.put(v.Bytes()...)
	case asDecimal:
		words := decimalWords(v)
		for _, word := range words {
			w.fixed(uint64(word), 4, false)
		}
		if !validDecimal(words) {
			refuse("no decimal")
		}
	case asChar:
		if n := v.Int(); n < 0 || n > 255 {
			refuse("no character of one byte")
		}
		w.put(byte(v.Int()))
	default:
		w.kind(v, o, newLife)
	}
}

// addressable gives a copy of a value that has no address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// methods writes what the marshaler methods give.
func (w *writer) methods(v reflect.Value, o options) {
	var b []byte
	var err error
	p := v.Addr().Interface()
	if formOf(v.Type(), o.leaf.ask) == byBinary {
		if m, ok := p.(encoding.BinaryAppender); ok {
			b, err = m.AppendBinary(nil)
		} else {
			b, err = p.(encoding.BinaryMarshaler).MarshalBinary()
		}
	} else if m, ok := p.(encoding.TextAppender); ok {
		b, err = m.AppendText(nil)
	} else {
		b, err = p.(encoding.TextMarshaler).MarshalText()
	}
	if err != nil {
		refuse("%v", err)
	}
	if o.leaf.utf8 && !utf8.Valid(b) {
		refuse("no UTF-8")
	}
	w.length(len(b), o)
	w.put(b...)
}

func (w *writer) kind(v reflect.Value, o options, newLife bool) {
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		w.flag(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.number64(uint64(v.Int()), t, o)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number64(v.Uint(), t, o)
	case reflect.Float32:
		w.fixed(uint64(floatBits(v)), 4, o.leaf.be)
	case reflect.Float64:
		w.fixed(math.Float64bits(v.Float()), 8, o.leaf.be)
	case reflect.Complex64, reflect.Complex128:
		for _, part := range complexBits(v) {
			w.fixed(part, int(t.Size())/2, o.leaf.be)
		}
	case reflect.String:
		w.text([]byte(v.String()), o)
	case reflect.Array:
		for i := range v.Len() {
			w.element(v.Index(i), o.below(), newLife)
		}
	case reflect.Slice, reflect.Map:
		w.list(v, o, newLife)
	case reflect.Pointer:
		w.pointer(v, o, newLife)
	case reflect.Struct:
		w.structure(v, o, newLife)
	default:
		refuse("a %v has no wire form", t)
	}
}

// width is the number of bytes of an integer.
func width(t reflect.Type) int {
	if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
		return 8
	}
	return int(t.Size())
}

func (w *writer) number64(n uint64, t reflect.Type, o options) {
	size := width(t)
	switch {
	case o.leaf.varint && size > 1:
		w.uvarint(n << (64 - 8*size) >> (64 - 8*size))
	case o.leaf.zigzag:
		w.uvarint(n<<1 ^ uint64(int64(n)>>63))
	default:
		w.fixed(n, size, o.leaf.be)
	}
}

// text writes a string or bytes.
func (w *writer) text(b []byte, o options) {
	if o.leaf.utf8 && !utf8.Valid(b) {
		refuse("no UTF-8")
	}
	if o.fixed == 0 {
		w.length(len(b), o)
		w.put(b...)
		return
	}
	if len(b) > o.fixed || len(b) > 0 && b[len(b)-1] == 0 {
		refuse("%q does not fit %d bytes", b, o.fixed)
	}
	w.put(b...)
	w.put(make([]byte, o.fixed-len(b))...)
}

// list writes a slice or map.
func (w *writer) list(v reflect.Value, o options, newLife bool) {
	if o.nilable {
		w.flag(!v.IsNil())
		if v.IsNil() {
			return
		}
	}
	switch {
	case isBytes(v.Type()):
		w.text(v.Bytes(), o)
		return
	case v.Kind() == reflect.Slice:
		w.length(v.Len(), o)
		for i := range v.Len() {
			w.element(v.Index(i), o.below(), newLife)
		}
		return
	}
	w.length(v.Len(), o)
	for _, e := range entries(v, newLife) {
		w.element(e[0], options{}, newLife)
		w.element(e[1], o.below(), newLife)
	}
}

// element writes a part of a list.
func (w *writer) element(v reflect.Value, o options, newLife bool) {
	w.lists++
	w.value(v, o, newLife)
	w.lists--
}

// entries gives the keys and values of a map in the order of its keys.
func entries(m reflect.Value, newLife bool) [][2]reflect.Value {
	var all [][2]reflect.Value
	for it := m.MapRange(); it.Next(); {
		all = append(all, [2]reflect.Value{it.Key(), it.Value()})
	}
	slices.SortFunc(all, func(a, b [2]reflect.Value) int { return compare(a[0], b[0], options{}, newLife) })
	return all
}

// compare orders keys, or parts of them with the options of their fields.
func compare(a, b reflect.Value, o options, newLife bool) int {
	t := a.Type()
	if formOf(t, o.leaf.ask) != byKind {
		return compareBytes(a, b, o, newLife)
	}
	switch t.Kind() {
	case reflect.Bool:
		switch {
		case a.Bool() == b.Bool():
			return 0
		case b.Bool():
			return -1
		}
		return 1
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		if c := cmp.Compare(a.Float(), b.Float()); c != 0 || a.Float() == a.Float() { // both zeros are one value
			return c
		}
		return cmp.Compare(math.Float64bits(a.Float()), math.Float64bits(b.Float()))
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Array:
		for i := range a.Len() {
			if c := compare(a.Index(i), b.Index(i), o, newLife); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Struct:
		l := layoutOf(t)
		for _, f := range l.fields {
			if c := compare(a.Field(f.index), b.Field(f.index), f.opts, profile(t, l, newLife)); c != 0 {
				return c
			}
		}
		return 0
	}
	return compareBytes(a, b, o, newLife)
}

func compareBytes(a, b reflect.Value, o options, newLife bool) int {
	var x, y writer
	x.value(a, o, newLife)
	y.value(b, o, newLife)
	return bytes.Compare(x.b, y.b)
}

func (w *writer) pointer(v reflect.Value, o options, newLife bool) {
	t := v.Type()
	switch {
	case o.leaf.shared && t.Elem().Kind() == reflect.Struct:
		w.shared(v, o, newLife)
	case !newLife || !isInline(t, o.leaf.ask):
		w.flag(!v.IsNil())
		if !v.IsNil() {
			w.value(v.Elem(), o, newLife)
		}
	case !v.IsNil():
		w.value(v.Elem(), o, newLife)
	case takes(t.Elem(), o, newLife):
		if w.lists > 0 {
			refuse("a nil pointer that writes nothing in a list")
		}
		w.ended = true
	}
}

// number gives an object its number, 0 if it has one already.
func (w *writer) number(p reflect.Value) (number int, isNew bool) {
	for i, q := range w.objects {
		if q.Type() == p.Type() && q.Pointer() == p.Pointer() {
			return i + 1, false
		}
	}
	w.objects = append(w.objects, p)
	return len(w.objects), true
}

func (w *writer) shared(v reflect.Value, o options, newLife bool) {
	if v.IsNil() {
		w.put(0)
		return
	}
	n, isNew := w.number(v.Convert(reflect.PointerTo(v.Type().Elem())))
	w.uvarint(uint64(n))
	if isNew {
		o.leaf.shared = false
		w.value(v.Elem(), o, newLife)
	}
}

func (w *writer) structure(v reflect.Value, o options, newLife bool) {
	l := layoutOf(v.Type())
	newLife = profile(v.Type(), l, newLife)
	if !l.sized && !o.leaf.sized {
		for _, f := range l.fields {
			w.value(v.Field(f.index), f.opts, newLife)
		}
		return
	}
	inner := &writer{}
	if isObject(v, w.root) {
		inner.objects = w.objects[:1]
	}
	for _, f := range l.fields {
		inner.value(v.Field(f.index), f.opts, newLife)
	}
	w.uvarint(uint64(len(inner.b)))
	w.put(inner.b...)
}
