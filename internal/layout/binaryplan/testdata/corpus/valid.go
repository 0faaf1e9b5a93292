package corpus

import (
	"net/netip"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// Valid lists the types that make sense.
type Valid struct {
	Scalars  Scalars
	Builtins Builtins
	Sizes    Sizes
	Packed   Packed
	Linked   Linked
	Outer    Outer
	Trailer  Trailer
	Own      []Accessed
	Chosen   Chosen
	Methods  ByMethods
	Nulls    Nulls
	Tree     Tree
	Generic  Pair[uint16, string]
	Bytes    [4]byte
	Array    [2]Head
	Any      []any
	Members  Member
	Self     *Self
}

// Scalars has the kinds.
type Scalars struct {
	A bool
	B int8
	C uint16
	D int32
	E uint64
	F int
	S uint
	G float32
	H float64
	I string
	J []byte
	K []uint16
	L map[string]int8
	M *int32
	N *Scalars
	O uint16 `binary:"le,pad=2"`
	p uint8
	Q func()   `binary:"-"`
	R chan int `binary:"ignore"`
}

// Builtins has types with forms of their own.
type Builtins struct {
	A time.Time
	B time.Duration
	C span.GUID
	D span.Decimal
	E span.Char
	F netip.Addr
	G netip.AddrPort
	H binary.Chars
	I binary.Date
	J binary.TimeOfDay
	K binary.DateTimeOffset
	L Stamp
	M Pause
}

// Stamp is a time, Pause is none of the built-in types.
type (
	Stamp time.Time
	Pause time.Duration
)

// Sizes has lengths.
type Sizes struct {
	A string   `binary:"size=6"`
	B []uint16 `binary:"size=3"`
	C []byte   `binary:"width=2"`
	D string   `binary:"fixed=8"`
	E []int8   `binary:"until=-1"`
	F string   `binary:"until=0"`
	G string   `binary:"bcd=6"`
	H uint32   `binary:"bcd=3"`
	I string   `binary:"size=4,version=1;size=5,version=2;width=1"`
	J []byte   `binary:"rest"`
}

// Packed has bit fields and constants.
type Packed struct {
	A uint16   `binary:"const=0x7e7e,le"`
	B uint8    `binary:"bits=3"`
	_ uint8    `binary:"bits=5"`
	C int8     `binary:"bits=7,lsb"`
	D bool     `binary:"bits=1,lsb"`
	_ struct{} `binary:"align=4"`
	E [2]byte  `binary:"const=0x0102"`
	F string   `binary:"const=abc"`
}

// Linked has members that name others.
type Linked struct {
	Head Head
	Mode uint8
	Flag bool  `binary:"bits=1"`
	_    uint8 `binary:"bits=7"`
	Ptr  *uint16
	A    []byte `binary:"count=Head.Len,offset=-2"`
	B    []byte `binary:"ref=Mode,offset=1"`
	C    uint8  `binary:"if=Head.On"`
	D    uint8  `binary:"if=!Mode.3"`
	E    uint8  `binary:"if=Flag"`
	F    []byte `binary:"ref=Mode,version=1;ref=Ptr,version=2"`
	G    uint16 `binary:"sum=crc16-modbus,from=Mode"`
}

// Outer is made of what it embeds, with its own members before.
type Outer struct {
	Len uint8
	Inner
	time.Time
}

// Inner names a member of the struct that embeds it, through another one.
type Inner struct {
	deepest
	B uint8
}

type deepest struct {
	A uint8
}

// Trailer has an open member in the middle.
type Trailer struct {
	Tail Tail
	Sum  uint32 `binary:"sum=crc32"`
	End  uint8  `binary:"const=0x7e,pad=1"`
}

// Chosen is laid out by its fields although it embeds what writes itself.
type Chosen struct {
	_ struct{} `binary:"fields"`
	Accessed
	N uint8
}

// ByMethods is laid out by the methods that it embeds.
type ByMethods struct {
	_ struct{} `binary:"methods"`
	Accessed
}

// Nulls has pointers without flags.
type Nulls struct {
	A *string            `binary:"null"`
	B []*[]byte          `binary:"null"`
	C map[string]*string `binary:"null"`
	D *Nulls             `binary:"null"`
}

// Tree leads to itself.
type Tree struct {
	Name  string
	Nodes []Tree
	Up    *Tree
}

// Pair is generic.
type Pair[K comparable, V any] struct {
	K K `binary:"le"`
	V V `binary:"fixed=3"`
}

// Member writes some of its members itself.
type Member struct{ A, B uint8 }

func (m *Member) WriteMember(e *binary.Encoder, name string) error { return nil }
func (m *Member) ReadMember(d *binary.Decoder, name string) error  { return nil }

// Self writes itself for package span.
type Self struct{ A uint8 }

func (s *Self) WriteSpan(w *span.Writer) {}
func (s *Self) ReadSpan(r *span.Reader)  {}
