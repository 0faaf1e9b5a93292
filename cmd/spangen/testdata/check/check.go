// Package check holds generated code against the plan that reflection compiles.
package check

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Generated is what spangen gives a type.
type Generated[T any] interface {
	*T
	SizeSpan() int
	AppendSpan([]byte) ([]byte, error)
	WriteSpan(*span.Writer)
	ReadSpan(*span.Reader)
	SpanGenerated(*T)
}

// byPlan are options that generated code leaves to the plan.
var byPlan = span.Options{MaxDepth: 1000}

// Same verifies that the generated methods and the plan write the same bytes,
// these if want is not empty, and that both read them as v.
func Same[T any, P Generated[T]](t testing.TB, v P, want string) {
	t.Helper()
	generated, err := v.AppendSpan([]byte("<"))
	if err != nil {
		t.Fatalf("AppendSpan: %v", err)
	}
	generated = bytes.TrimPrefix(generated, []byte("<"))
	plan, err := byPlan.Append(nil, v)
	if err != nil {
		t.Fatalf("by the plan: %v", err)
	}
	if !bytes.Equal(generated, plan) {
		t.Fatalf("generated %X\n     plan %X", generated, plan)
	}
	if n := v.SizeSpan(); n != len(generated) {
		t.Errorf("SizeSpan %d, wrote %d", n, len(generated))
	}
	if got := strings.ToUpper(hex.EncodeToString(generated)); want != "" && got != want {
		t.Errorf("wrote %s\n want %s", got, want)
	}
	for _, opts := range []span.Options{{}, byPlan} {
		back := new(T)
		if err := opts.Unmarshal(generated, back); err != nil {
			t.Fatalf("Unmarshal %+v: %v", opts, err)
		}
		if !reflect.DeepEqual(back, (*T)(v)) {
			t.Errorf("read %+v\nwrote %+v", *back, *v)
		}
	}
}

// Bytes verifies what v is written as, maps in the order of their keys, and
// that it is read back.
func Bytes[T any, P Generated[T]](t testing.TB, v P, want string) {
	t.Helper()
	b, err := span.Options{Deterministic: true}.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ToUpper(hex.EncodeToString(b)); want != "" && got != want {
		t.Errorf("wrote %s\n want %s", got, want)
	}
	loose, err := v.AppendSpan(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(loose) != len(b) || v.SizeSpan() != len(b) {
		t.Errorf("%d bytes in order, %d without, SizeSpan %d", len(b), len(loose), v.SizeSpan())
	}
	for _, b := range [][]byte{b, loose} {
		back := new(T)
		if err := span.Unmarshal(b, back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, (*T)(v)) {
			t.Errorf("read %+v\nwrote %+v", *back, *v)
		}
	}
}

// Filled returns a value with something in every field on the wire, lists of
// one element, and verifies it as Same does.
func Filled[T any, P Generated[T]](t testing.TB) P {
	t.Helper()
	v := P(new(T))
	n := 0
	fill(reflect.ValueOf(v).Elem(), &n, 4)
	Same(t, v, "")
	return v
}

func fill(v reflect.Value, n *int, depth int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n%100) - 50)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n % 100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 4)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(*n), -1))
	case reflect.String:
		v.SetString(strings.Repeat("x", *n%5) + "y")
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n, depth)
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), n, depth-1)
		}
	case reflect.Map:
		if depth > 0 {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, n, depth-1)
			fill(elem, n, depth-1)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, elem)
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), n, depth-1)
		}
	case reflect.Struct:
		fillStruct(v, n, depth)
	}
}

var timeType = reflect.TypeFor[time.Time]()

func fillStruct(v reflect.Value, n *int, depth int) {
	if timeType.ConvertibleTo(v.Type()) {
		v.Set(reflect.ValueOf(time.Unix(int64(1_600_000_000+*n), 0).UTC()).Convert(v.Type()))
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if v.Field(i).CanSet() && f.Tag.Get("span") != "-" {
			fill(v.Field(i), n, depth)
		}
	}
}
