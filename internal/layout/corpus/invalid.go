package corpus

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"net/url"
	"sync"
	"unsafe"

	"github.com/spanwire/spanwire/span"
)

// Junk has every kind without a wire form, and one it skips.
type Junk struct {
	OK  uint8
	C   chan int
	F   func(int) bool
	I   io.Reader
	Any any
	Z   complex128
	U   uintptr
	P   unsafe.Pointer
	Err error
	Fn  func() `span:"-"`
}

// Deep faults have long paths.
type (
	Handler  func(context.Context, ...string) (int, error)
	Events   chan<- *Point
	Opener   interface{ Open(name string) io.Reader }
	Local    interface{ open() }
	BadLeaf  struct{ H Handler }
	BadList  []BadLeaf
	BadMap   map[string][]*BadList
	BadKinds struct {
		A Handler
		B Handler
		C []Handler
		D map[string]*[2]Events
		E Opener
		F Local
		G struct{ H Handler }
		H struct{ H Handler }
		I <-chan (<-chan int)
		J chan (<-chan int)
		K interface {
			io.Closer
			A()
			a(Handler) Pair[url.URL, interface{ M(url.URL) }]
			B(int, ...*url.URL) (x, y map[any]struct {
				Label `yaml:"x"`
				z     <-chan [2]byte
			})
			F(func(interface{ G(Label) }) error)
		}
		L []interface{ M(Label) }
	}
	BadDeep struct {
		Lines []BadMap
		Again BadLeaf
		Once  *BadLeaf
		Good  Point
	}
	BadTwice struct {
		A BadDeep
		B BadDeep
		C func()
	}
	BadLoop struct {
		Next *BadLoop
		C    chan int
		L    BadLoopList
		M    BadLoopList
	}
	BadLoopList []map[string]BadLoopMap
	BadLoopMap  map[int]struct {
		L BadLoopList
		F func()
	}
	BadSelf []struct {
		In []BadSelf
		C  chan BadSelf
	}
	BadEmbeds struct {
		io.Reader
		Point
	}
	BadGeneric[T any] struct {
		A T
		B []T
	}
)

// BadKeys has keys that do not fit.
type BadKeys struct {
	A map[*int]string
	B map[any]string
	C map[error]string
	D map[[2]*int]string
	E map[PtrKey]string
	F map[struct{ In PtrKey }]string
	G map[chan int]string
	H map[IfaceKey]bool
	I map[Ref]int
	J []map[*Point]*Point
	K map[ChanKey]int
	L map[*chan int]func()
	M map[[1][1]IfaceKey]int
	N map[string]int `span:"varint"`
	O map[int]string `span:"varint"`
}

// Keys that do not fit.
type (
	PtrKey   struct{ A, B *int }
	IfaceKey struct {
		N int
		V any
	}
	ChanKey struct{ C chan int }
)

// Keys that differ in what is not on the wire.
type (
	HiddenKey struct {
		A int
		B int `span:"-"`
	}
	PrivateKey struct{ a, b int16 }
	HiddenKeys struct {
		A map[HiddenKey]int
		B map[PrivateKey]int
		C map[[2]PrivateKey]string
		D map[struct{ H HiddenKey }]int
		E []map[struct {
			A int8
			PrivateKey
		}]bool
	}
)

var _ = PrivateKey{a: 1, b: 2}

// Lists of values without bytes.
type BadEmpties struct {
	A []OnlyHidden
	B [][]OnlySkipped `span:"max=5"`
	C []OnlyHidden    `span:"max=1025"`
	D [][3]OnlyBlank
	E []SelfEmpty
	F map[SelfEmpty]OnlyHidden
	G struct {
		_ struct{} `span:"newlife"`
		A []*Nothing
		B []struct{ P *OnlyHidden }
	}
	H chan int
	I []BadGeneric[int]
}

// Pointers without a presence byte that lead to themselves before a byte is read.
type (
	EndlessSelf struct {
		_   struct{}     `span:"newlife"`
		N   *EndlessSelf // at fault
		Pad [1000]int64
		X   int8
	}
	EndlessPair struct {
		_ struct{} `span:"newlife"`
		A [0]int64
		B struct{ P [2]*EndlessOther } // at fault, as all that the loop goes through
		X int8
	}
	EndlessOther struct {
		_ struct{} `span:"newlife"`
		*EndlessPair
		L []*EndlessPair // a count comes first
		M map[int8]*EndlessLate
	}
	EndlessLate struct {
		_ struct{} `span:"newlife"`
		S SelfEmpty
		N *EndlessLate
		X int8
	}
	EndlessGeneric[T any] struct {
		_ struct{} `span:"newlife"`
		V T
		N *EndlessGeneric[T]
		W int8
	}
	Endless struct {
		A []EndlessSelf
		B *EndlessPair
		C EndlessGeneric[OnlyHidden]
		D EndlessGeneric[[0]string]
		E EndlessGeneric[int8]
	}
)

// Opaque types of other packages.
type (
	Addr    netip.Addr
	Opaques struct {
		A sync.Mutex
		B *sync.Mutex
		C []Addr
		D map[string]Addr
		E Addr `span:"-"`
		F bytes.Buffer
		G struct{ Mu sync.Mutex }
		H Phantom[sync.Mutex]
		I Opt[sync.Once]
		J *url.Userinfo
		K [2]sync.RWMutex
		L span.Writer
		M Opt[OnlyHidden]
		N netip.Addr `span:"fields"`
	}
	// Names as cgo gives them to C types.
	_Ctype_int         int32
	_Ctype_struct_node struct{ a _Ctype_int }
	FromC              struct {
		A _Ctype_int `span:"varint"`
		B *_Ctype_struct_node
		C []_Ctype_int `span:"-"`
		D map[_Ctype_int]int8
	}
	HoldsAddr struct{ A Addr }
)

var _ = _Ctype_struct_node{a: 1}

// EmbedsPtr embeds pointers to unexported structs.
type EmbedsPtr struct {
	*lower
	*alias
	A int
}
