package fromreflect

import (
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
)

type (
	pair[K comparable, V any] struct{ _ func(K, V) }
	label                     string
	stamp                     time.Time
	wrapped                   struct{ time.Time }
)

func TestNames(t *testing.T) {
	const here = "github.com/spanwire/spanwire/internal/layout/fromreflect"
	for _, test := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[rune](), "int32"},
		{reflect.TypeFor[error](), "error"},
		{reflect.TypeFor[any](), "interface {}"},
		{reflect.TypeFor[label](), here + ".label"},
		{reflect.TypeFor[map[label]*[]time.Time](), "map[" + here + ".label]*[]time.Time"},
		{reflect.TypeFor[pair[label, []time.Time]](), here + ".pair[" + here + ".label,[]time.Time]"},
		{reflect.TypeFor[func(int, ...label) (bool, error)](), "func(int, ..." + here + ".label) (bool, error)"},
		{reflect.TypeFor[chan<- func() label](), "chan<- func() " + here + ".label"},
		{reflect.TypeFor[chan (<-chan [2]int)](), "chan (<-chan [2]int)"},
		{reflect.TypeFor[interface {
			m()
			M(label) int
		}](), "interface { M(fromreflect.label) int; fromreflect.m() }"},
		{reflect.TypeFor[struct {
			A, b int `yaml:"x"`
			label
		}](), `struct { A int "yaml:\"x\""; b int "yaml:\"x\""; ` + here + ".label }"},
	} {
		if got := typeName(test.typ); got != test.want {
			t.Errorf("typeName(%v) = %s, want %s", test.typ, got, test.want)
		}
	}
}

func TestTimes(t *testing.T) {
	for typ, want := range map[reflect.Type]layout.Builtin{
		reflect.TypeFor[time.Time]():     layout.Time,
		reflect.TypeFor[stamp]():         layout.Time,
		reflect.TypeFor[wrapped]():       layout.NotBuiltin,
		reflect.TypeFor[time.Duration](): layout.NotBuiltin,
		reflect.TypeFor[*time.Time]():    layout.NotBuiltin,
		reflect.TypeFor[time.Location](): layout.NotBuiltin,
	} {
		if got := (Feed{}).Shape(typ).Builtin; got != want {
			t.Errorf("%v: builtin %d, want %d", typ, got, want)
		}
	}
}
