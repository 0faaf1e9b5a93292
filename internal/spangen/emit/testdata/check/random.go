package check

import (
	"math"
	"math/big"
	"math/rand"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/spanwire/spanwire/span"
)

// random makes a value that depends on the seed alone.
func random[T any](seed int64) *T {
	v := new(T)
	f := filler{Rand: rand.New(rand.NewSource(seed)), single: seed%3 != 0}
	f.fill(reflect.ValueOf(v).Elem(), 0)
	return v
}

type filler struct {
	*rand.Rand
	single bool // no map has more than one entry, so that bytes can be compared
}

func (f *filler) fill(v reflect.Value, depth int) {
	if !v.CanSet() || f.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.Intn(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.number())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.number()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Round(f.NormFloat64()*100) / 4)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(f.Intn(100)), float64(f.Intn(9))/2))
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
		if depth < 6 && f.Intn(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		n := f.count(depth)
		if n < 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n+f.Intn(3)))
		for i := range n {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		f.fillMap(v, depth)
	}
}

func (f *filler) fillMap(v reflect.Value, depth int) {
	n := f.count(depth)
	if n < 0 {
		return
	}
	if f.single {
		n = min(n, 1)
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, depth+1)
		f.fill(elem, depth+1)
		v.SetMapIndex(key, elem)
	}
}

// count gives a number of elements, below 0 for nil.
func (f *filler) count(depth int) int {
	if depth > 5 {
		return -1
	}
	if f.Intn(40) == 0 && depth == 0 {
		return 130 + f.Intn(100)
	}
	return f.Intn(4) - 1
}

func (f *filler) number() int64 {
	switch f.Intn(4) {
	case 0:
		return int64(f.Intn(200))
	case 1:
		return -int64(f.Intn(200))
	case 2:
		return 1 << f.Intn(63)
	}
	return int64(f.Uint64())
}

func (f *filler) text() string {
	if f.Intn(30) == 0 {
		return strings.Repeat("long", 30+f.Intn(20))
	}
	if f.Intn(60) == 0 {
		return "\xff bad"
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	n := f.Intn(6)
	if f.Intn(3) == 0 {
		n = f.Intn(20)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[f.Intn(len(letters))]
	}
	return string(b)
}

// special fills the types that have values of their own.
func (f *filler) special(v reflect.Value) bool {
	timeType := reflect.TypeFor[time.Time]()
	switch p := v.Addr().Interface().(type) {
	case *span.Decimal:
		*p, _ = span.NewDecimal(f.number(), f.Intn(29))
	case *span.Char:
		*p = span.Char(f.Intn(257))
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{1, 2, 3, byte(f.Intn(256))})
	case *url.URL:
		*p = url.URL{Scheme: "https", Host: f.text() + ".test", Path: "/" + "x"}
	case *big.Int:
		p.SetInt64(f.number() >> f.Intn(60))
	case interface{ ReadSpan(*span.Reader) }:
		if v.Kind() != reflect.Struct || v.NumField() != 1 || v.Type().Name() != "Own" {
			return false
		}
		var w span.Writer
		w.WriteUvarint(uint64(f.Uint32()) >> f.Intn(32))
		r := span.NewReader(w.Bytes())
		p.ReadSpan(r)
	case interface{ UnmarshalBinary([]byte) error }:
		if v.Type().Name() != "Bin" {
			return false
		}
		_ = p.UnmarshalBinary([]byte(f.text()))
	default:
		if v.Kind() != reflect.Struct || !v.Type().ConvertibleTo(timeType) {
			return false
		}
		v.Set(reflect.ValueOf(f.time()).Convert(v.Type()))
	}
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(f.time()))
	}
	return true
}

func (f *filler) time() time.Time {
	switch f.Intn(12) {
	case 0:
		return time.Time{}
	case 1:
		if f.Intn(8) == 0 {
			return time.Date(1500, 1, 2, 3, 4, 5, 6, time.UTC)
		}
	}
	return time.Unix(f.Int63n(4e9)+1, f.Int63n(1e9)).UTC()
}

// hasMap reports a type with a map somewhere in it.
func hasMap(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen == nil {
		seen = map[reflect.Type]bool{}
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hasMap(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if hasMap(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// equal compares values; NaNs of the same bits are equal.
func equal(a, b reflect.Value, depth int) bool {
	if depth > 50 {
		return true
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return math.Float64bits(real(x)) == math.Float64bits(real(y)) && math.Float64bits(imag(x)) == math.Float64bits(imag(y))
	case reflect.Struct:
		if a.Type().ConvertibleTo(reflect.TypeFor[time.Time]()) {
			break
		}
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.IsNil() != b.IsNil() {
			return false
		}
		fallthrough
	case reflect.Array:
		if a.Len() != b.Len() {
			return false
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
	if a.CanInterface() && b.CanInterface() {
		return reflect.DeepEqual(a.Interface(), b.Interface())
	}
	return true
}

func equalMaps(a, b reflect.Value, depth int) bool {
	if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
		return false
	}
	iter := a.MapRange()
	for iter.Next() {
		x := b.MapIndex(iter.Key())
		if !x.IsValid() {
			if k := iter.Key(); k.Kind() == reflect.Float64 && k.Float() != k.Float() {
				continue
			}
			return false
		}
		if !equal(iter.Value(), x, depth+1) {
			return false
		}
	}
	return true
}
