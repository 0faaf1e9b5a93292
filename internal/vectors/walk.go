package vectors

import (
	"math"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/span"
)

// NewLife reads some messages that are refused here: a uvarint of more bits than
// its number has, which it cuts, and a length below zero, which it takes for
// null. To tell them by rule, the bytes are walked along the members of the
// model, in the plainest way and without this module's reading code.

// walker is the state of one walk.
type walker struct {
	b       []byte
	o       span.Options
	hostile bool
}

// Hostile reports whether reading a model from b in NewLife's profile meets an
// integer or length that does not fit its place.
func Hostile(model any, b []byte, o span.Options) bool {
	w := &walker{b: b, o: o}
	w.value(reflect.TypeOf(model).Elem())
	return w.hostile
}

// value walks over a value of type t, and reports false where the input ends or
// nothing more can be said.
func (w *walker) value(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[time.Time]():
		if w.o.FullTime {
			return w.integer(8)
		}
		return w.integer(4)
	case reflect.TypeFor[span.GUID]():
		return w.skip(16)
	case reflect.TypeFor[span.Decimal]():
		return w.integer(4) && w.integer(4) && w.integer(4) && w.integer(4)
	case reflect.TypeFor[span.Char]():
		return w.skip(1)
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return w.skip(1)
	case reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64:
		return w.integer(int(t.Size()))
	case reflect.Float32, reflect.Float64:
		return w.skip(int(t.Size()))
	case reflect.String, reflect.Slice:
		n, ok := w.uvarint(31)
		return ok && n <= uint64(len(w.b)) && w.skip(int(n))
	case reflect.Pointer:
		return w.pointer(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !w.value(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// pointer walks over an object, which has no mark, or a nullable scalar.
func (w *walker) pointer(t reflect.Type) bool {
	if t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() && t != reflect.TypeFor[span.Decimal]() {
		return len(w.b) > 0 && w.value(t)
	}
	if len(w.b) == 0 {
		return false
	}
	present := w.b[0] != 0
	w.b = w.b[1:]
	return !present || w.value(t)
}

func (w *walker) skip(n int) bool {
	if n > len(w.b) {
		return false
	}
	w.b = w.b[n:]
	return true
}

// integer walks over an integer of size bytes, 2 to 8.
func (w *walker) integer(size int) bool {
	if !w.o.EncodeInt {
		return w.skip(size)
	}
	_, ok := w.uvarint(8 * size)
	return ok
}

// uvarint walks over a uvarint that may have as many bits.
func (w *walker) uvarint(bits int) (v uint64, ok bool) {
	for i := 0; i < len(w.b) && i < 10; i++ {
		c := w.b[i]
		if part := uint64(c & 0x7f); part > math.MaxUint64>>(7*i) {
			w.hostile = true
		} else {
			v |= part << (7 * i)
		}
		if c < 0x80 {
			w.b = w.b[i+1:]
			if bits < 64 && v>>bits != 0 || i > (bits+6)/7-1 {
				w.hostile = true
			}
			return v, !w.hostile
		}
	}
	return 0, false
}
