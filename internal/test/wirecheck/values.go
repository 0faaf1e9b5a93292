package wirecheck

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/spanwire/spanwire/span"
)

// fill sets a value to a random one, in which several pointers may lead to one
// place. A mild one has only what most tags allow.
func fill(r *rand.Rand, v reflect.Value, mild bool) {
	f := &filler{Rand: r, mild: mild, made: map[reflect.Type][]reflect.Value{}}
	f.fill(v, 0)
}

// use is fill for values that are to be read into: parts of theirs that share
// memory would overwrite each other.
func use(r *rand.Rand, v reflect.Value) {
	f := &filler{Rand: r}
	f.fill(v, 0)
}

type filler struct {
	*rand.Rand
	mild bool
	size int                              // how many parts have been filled: large values have short lists
	made map[reflect.Type][]reflect.Value // pointers, to be used again
}

// most is about how many parts a value has.
const most = 300

func (f *filler) fill(v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	f.size++
	if f.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.number()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(f.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(f.float(), f.float()))
	case reflect.String:
		v.SetString(f.text())
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Pointer:
		f.pointer(v, depth)
	case reflect.Slice:
		v.SetZero()
		if n := f.count(depth); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n+f.IntN(3)))
			for i := range n {
				f.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		f.mapping(v, depth)
	}
}

func (f *filler) pointer(v reflect.Value, depth int) {
	made := f.made[v.Type()]
	switch n := f.IntN(10); {
	case depth > 5, f.size > most, n < 2 && !(f.mild && depth < 3):
		v.SetZero()
	case n < 4 && len(made) > 0:
		v.Set(made[f.IntN(len(made))])
	default:
		p := reflect.New(v.Type().Elem()).Convert(v.Type())
		f.fill(p.Elem(), depth+1)
		v.Set(p)
		if f.made != nil {
			f.made[v.Type()] = append(f.made[v.Type()], p)
		}
	}
}

func (f *filler) mapping(v reflect.Value, depth int) {
	v.SetZero()
	n := f.count(depth)
	if n < 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i := range n {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, depth+1)
		f.fill(elem, depth+1)
		if i > 0 && !key.Equal(key) {
			continue // keys with NaN may be there twice, in any order
		}
		v.SetMapIndex(key, elem)
	}
}

// count gives a number of elements, below 0 for nil.
func (f *filler) count(depth int) int {
	switch {
	case depth > 4, f.size > most:
		return -1
	case f.mild:
		return f.IntN(2)
	case depth == 0 && f.IntN(40) == 0:
		return 120 + f.IntN(200)
	}
	return f.IntN(4) - 1
}

func (f *filler) number() uint64 {
	n := []uint64{0, 1, 127, 128, 255, 256, math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxUint64}[f.IntN(12)]
	switch f.IntN(4) {
	case 0:
		return -n
	case 1:
		return f.Uint64() >> f.IntN(64)
	}
	return n
}

func (f *filler) float() float64 {
	switch f.IntN(8) {
	case 0:
		return math.NaN()
	case 1:
		return math.Copysign(0, -1)
	case 2:
		return math.Inf(1)
	}
	return math.Round(f.NormFloat64()*100) / 4
}

func (f *filler) text() string {
	if f.mild {
		return "ab"[:f.IntN(2)]
	}
	switch f.IntN(30) {
	case 0:
		return strings.Repeat("long", 30+f.IntN(40))
	case 1:
		return "\xff bad"
	case 2:
		return "end\x00"
	case 3:
		return "é世"
	}
	return "abcdef"[:f.IntN(7)]
}

// special fills the types that have values of their own.
func (f *filler) special(v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case interface{ Fill(*rand.Rand) }:
		if v.Kind() == reflect.Struct && v.NumField() > 1 {
			return false // promoted
		}
		p.Fill(f.Rand)
	case *span.Decimal:
		*p, _ = span.NewDecimal(int64(f.number()), f.IntN(29))
	case *span.Char:
		*p = span.Char(f.IntN(256))
		if f.IntN(30) == 0 && !f.mild {
			*p = 256
		}
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{1, 2, 3, byte(f.IntN(256))})
	case *url.URL:
		*p = url.URL{Scheme: "https", Host: "abc"[:f.IntN(4)] + ".test", Path: "/x"}
	case *big.Int:
		p.SetUint64(f.number() >> f.IntN(60))
	default:
		if v.Kind() != reflect.Struct || !v.Type().ConvertibleTo(timeType) {
			return false
		}
		v.Set(reflect.ValueOf(f.time()).Convert(v.Type()))
	}
	return true
}

var timeType = reflect.TypeFor[time.Time]()

func (f *filler) time() time.Time {
	switch n := f.IntN(30); {
	case n < 2:
		return time.Time{}
	case f.mild:
	case n == 2:
		return time.Date(1500, 1, 2, 3, 4, 5, 6, time.UTC)
	case n == 3:
		return time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	case n == 4:
		return time.Unix(math.MaxUint32, 0).UTC()
	}
	return time.Unix(f.Int64N(4e9)+1, f.Int64N(1e9)).UTC()
}

// same compares values: nil and empty lists are equal, and times by their
// instants; so are floats with the same bits.
func same[T any](a, b *T) bool {
	return equal(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), 0)
}

func equal(a, b reflect.Value, depth int) bool {
	if depth > 30 {
		return true
	}
	if a.Kind() == reflect.Struct && a.Type().ConvertibleTo(timeType) && a.CanInterface() {
		return a.Convert(timeType).Interface().(time.Time).Equal(b.Convert(timeType).Interface().(time.Time))
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return sameFloat(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y))
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Tag.Get("span") != "-" && !equal(a.Field(i), b.Field(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		if a.Type().Elem().Size() == 0 {
			return true
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem(), depth+1)
	case reflect.Map:
		return equalMaps(a, b, depth)
	}
	return a.Equal(b)
}

func sameFloat(x, y float64) bool {
	return x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
}

// equalMaps compares the entries; a key that is not equal to itself counts as a
// whole.
func equalMaps(a, b reflect.Value, depth int) bool {
	if a.Len() != b.Len() {
		return false
	}
	for it := a.MapRange(); it.Next(); {
		x := b.MapIndex(it.Key())
		if !x.IsValid() {
			if !it.Key().Equal(it.Key()) {
				continue
			}
			return false
		}
		if !equal(it.Value(), x, depth+1) {
			return false
		}
	}
	return true
}

// show gives a value as text, cut where it is long.
func show(v any) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%+v", v)
	if b.Len() > 1500 {
		b.Truncate(1500)
	}
	return b.String()
}
