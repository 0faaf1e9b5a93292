package corpus

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

// Scalars has every scalar kind.
type Scalars struct {
	B    bool
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	S    string
	R    rune
	By   byte
}

// ScalarsNewLife has them in the other profile.
type ScalarsNewLife struct {
	_    struct{} `span:"newlife"`
	B    bool
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	S    string
}

// Builtins has the types with a form of their own.
type Builtins struct {
	G  span.GUID
	D  span.Decimal
	C  span.Char
	T  time.Time
	Du time.Duration
	Mo time.Month
	W  time.Weekday
	GP *span.GUID
	DP *span.Decimal
	CP *span.Char
	TP *time.Time
	Gs []span.GUID
	Cs []span.Char
	Ds [2]span.Decimal
	M  map[span.GUID]span.Decimal
}

// BuiltinsNewLife has them in the other profile.
type BuiltinsNewLife struct {
	_  struct{} `span:"newlife"`
	G  span.GUID
	D  span.Decimal
	C  span.Char
	T  time.Time
	Du time.Duration
	GP *span.GUID
	DP *span.Decimal
	TP *time.Time
	IP *int32
	BP *bool
	SP *string
	M  map[span.Char]time.Time
}

// Named types of every kind.
type (
	Flag     bool
	State    uint8
	Level    int16
	Mode     State
	Wide     uint64
	Plain    int
	Ratio    float32
	Wave     complex64
	Label    string
	IDs      []uint32
	Hash     [4]byte
	Blob     []byte
	Byte     uint8
	Raw      []Byte
	Bag      map[Label]IDs
	Grid     [2][3]int16
	Ref      *int32
	StampT   time.Time
	SpanD    time.Duration
	Stamps   []StampT
	Letters  []span.Char
	StatesOf []State
	Counter  struct{ N uint32 }
)

// Alias and its like spell other types.
type (
	Alias     = uint32
	Names     = []string
	When      = time.Time
	PointRef  = *Point
	PointsOf  = []PointRef
	AliasPair = Pair[Alias, Names]
)

// Point is a plain struct of fixed size.
type Point struct{ X, Y int16 }

// NamedFields uses the named types.
type NamedFields struct {
	A Flag
	B State
	C Level
	D Mode
	E Wide
	F Plain
	G Ratio
	H Wave
	I Label
	J IDs
	K Hash
	L Blob
	M Raw
	N Bag
	O Grid
	P Ref
	Q StampT
	R SpanD
	S Stamps
	T Letters
	U StatesOf
	V Counter
	W []Hash
	X *Hash
}

// Aliases uses the aliases.
type Aliases struct {
	A Alias
	B Names
	C When
	D PointRef
	E PointsOf
	F AliasPair
	G []Alias
	H map[Alias]When
}

// Shapes nests containers at many depths.
type Shapes struct {
	A [][]uint16
	B map[string][]Leaf
	C map[string]map[int32][]*Leaf
	D [2][3][]byte
	E []map[string][2][]Leaf
	F []struct{ In []struct{ Z []int8 } }
	G **int32
	H ***Point
	I *[]string
	J *map[string]*bool
	K *[4]uint8
	L [0]uint64
	M [3]struct{}
	N []struct{}
	O map[struct{}]struct{}
	P [2]byte
	Q [2]int8
	R []int8
	S [][4]byte
	T []*[]byte
}

// Leaf ends the nests.
type Leaf struct{ N []string }

// Keys has every kind of map key.
type Keys struct {
	A map[Point]uint8
	B map[[2]byte]string
	C map[Label]Point
	D map[int32]bool
	E map[bool]int8
	F map[float64]string
	G map[time.Time]int
	H map[complex128]int
	I map[[2]Point]Flag
	J map[struct{ A, B string }]int
	K map[span.GUID]int
	L map[State]State
	M map[BlankKey]int
	N map[SelfWriter]int
	O map[Tagged]int
}

// BlankKey holds what is not on the wire, and does not tell keys apart.
type BlankKey struct {
	A int
	_ int32
	n Nothing
	e [0]*int
}

// Empties take no bytes.
type (
	Nothing     struct{}
	OnlyHidden  struct{ a, b int32 }
	OnlySkipped struct {
		F func() `span:"-"`
	}
	OnlyBlank struct {
		_ uint32
		_ [3]byte
	}
	Mix struct {
		N  Nothing
		P  *Nothing
		A  [3]Nothing
		_  uint32
		U8 uint8
		H  OnlyHidden
		K  OnlySkipped
		S  []OnlySkipped `span:"max=1024"`
		T  [][0]string
		M  map[Nothing]OnlyHidden
		L  map[Nothing]uint8 `span:"max=7"`
		O  map[OnlyBlank]uint8
	}
	MixNewLife struct {
		_  struct{} `span:"newlife"`
		P  *Nothing
		Q  *OnlyHidden
		U8 uint8
		S  []*Nothing `span:"max=1"`
	}
)

var _ = OnlyHidden{a: 1, b: 2}
var _ = BlankKey{n: Nothing{}, e: [0]*int{}}
