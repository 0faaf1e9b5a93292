package vectors

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spanwire/spanwire/span"
)

// Differ tells where and how got differs from want, values of the same type, or
// gives "" where they are equal in the sense of recordings:
//
//   - floats by their bits; times by instant and, unless zero, by kind
//   - nil and empty slices and maps alike
//   - a string that is not valid UTF-8 as .NET decodes it
//   - decimals with their scale; the sign of a zero, which their text does not
//     show, counts for nothing
//   - pointers by what they point to
func Differ(got, want any) string {
	return differ("", reflect.ValueOf(got), reflect.ValueOf(want))
}

func differ(path string, got, want reflect.Value) string {
	if got.Kind() == reflect.Pointer || got.Kind() == reflect.Interface {
		if got.IsNil() != want.IsNil() {
			return fmt.Sprintf("%s: nil is %t, want %t", path, got.IsNil(), want.IsNil())
		}
		if got.IsNil() {
			return ""
		}
		return differ(path, got.Elem(), want.Elem())
	}
	if got.Type() != want.Type() {
		return fmt.Sprintf("%s: a %s, want a %s", path, got.Type(), want.Type())
	}
	if equal, known := equalScalar(got, want); known {
		if equal {
			return ""
		}
		return fmt.Sprintf("%s: %.200v, want %.200v", path, got, want)
	}
	return differParts(path, got, want)
}

// equalScalar compares values without parts, and reports whether these are such.
func equalScalar(got, want reflect.Value) (equal, known bool) {
	switch g := got.Interface().(type) {
	case time.Time:
		return equalTime(g, want.Interface().(time.Time)), true
	case span.Decimal:
		w := want.Interface().(span.Decimal)
		return g == w || g.Sign() == 0 && w.Sign() == 0 && g.Scale() == w.Scale(), true
	case []byte:
		return bytes.Equal(g, want.Bytes()), true
	}
	switch got.Kind() {
	case reflect.Float32, reflect.Float64:
		return floatBits(got) == floatBits(want), true
	case reflect.String:
		g, w := got.String(), want.String()
		return g == w || validUTF8(g) == validUTF8(w), true
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return false, false
	}
	return got.Equal(want), true
}

// floatBits gives the bits of a float. By way of Value.Float a signaling NaN
// would lose one.
func floatBits(v reflect.Value) uint64 {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	switch f := p.Convert(reflect.PointerTo(floatType(v.Type().Bits()))).Interface().(type) {
	case *float32:
		return uint64(math.Float32bits(*f))
	case *float64:
		return math.Float64bits(*f)
	}
	return 0
}

// equalTime compares instant and kind.
func equalTime(got, want time.Time) bool {
	return got.Equal(want) && (got.IsZero() || got.Location() == want.Location())
}

func differParts(path string, got, want reflect.Value) string {
	if got.Kind() != reflect.Struct && got.Len() != want.Len() {
		return fmt.Sprintf("%s: %d elements, want %d", path, got.Len(), want.Len())
	}
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			if f := got.Type().Field(i); f.IsExported() || f.Anonymous {
				if d := differ(path+"."+f.Name, got.Field(i), want.Field(i)); d != "" {
					return d
				}
			}
		}
	case reflect.Map:
		for _, key := range want.MapKeys() {
			at := fmt.Sprintf("%s[%v]", path, key)
			g := got.MapIndex(key)
			if !g.IsValid() {
				return at + ": missing"
			}
			if d := differ(at, g, want.MapIndex(key)); d != "" {
				return d
			}
		}
	default:
		for i := range got.Len() {
			if d := differ(fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i)); d != "" {
				return d
			}
		}
	}
	return ""
}

// validUTF8 decodes s as .NET does: every longest part that could begin a
// character but does not become one, and every other byte out of place, is one
// U+FFFD.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n = badPrefix(s)
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// badPrefix is the length of the longest part at the start of s, which is no
// character, that some character begins with; at least 1.
func badPrefix(s string) int {
	need, lo, hi := 0, byte(0x80), byte(0xbf)
	switch c := s[0]; {
	case 0xc2 <= c && c <= 0xdf:
		need = 1
	case 0xe0 <= c && c <= 0xef:
		need = 2
	case 0xf0 <= c && c <= 0xf4:
		need = 3
	}
	switch s[0] { // whose second byte may not be any continuation
	case 0xe0:
		lo = 0xa0
	case 0xed:
		hi = 0x9f
	case 0xf0:
		lo = 0x90
	case 0xf4:
		hi = 0x8f
	}
	n := 1
	for n <= need && n < len(s) && lo <= s[n] && s[n] <= hi {
		n, lo, hi = n+1, 0x80, 0xbf
	}
	return n
}
