package fromreflect

import (
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
)

type pair[K comparable, V any] struct {
	Key  K
	Val  V
	Rest []V
}
type tag string
type inner struct {
	A []byte
	B map[string]*int
	C *deep
	D time.Time
}
type deep struct {
	_    struct{} `span:"newlife"`
	L    int32    `span:"varint"`
	T    time.Time
	Next *deep
}
type all struct {
	inner
	P  pair[int32, tag]
	U  url.URL
	AP netip.AddrPort
	B  big.Int
	IP net.IP
	F  string `span:"fixed=8"`
	Q  *pair[uint16, []time.Time]
}
type bad struct {
	C chan int
	F func()
	M map[*int]any
}

func TestSmoke(t *testing.T) {
	c := layout.NewCompiler(Feed{})
	for _, typ := range []reflect.Type{reflect.TypeFor[all](), reflect.TypeFor[bad](), reflect.TypeFor[[]inner]()} {
		p, probs := c.Compile(typ)
		if p != nil {
			t.Log("\n" + p.String())
		}
		for _, p := range probs {
			t.Log(p.Error())
		}
	}
}
