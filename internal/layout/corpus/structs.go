package corpus

import "time"

// Base and its like embed each other.
type (
	Base struct {
		ID   uint16
		Name string
	}
	Audit struct {
		ID uint32
		By string
	}
	Doc struct {
		Base
		Name string // hides Base.Name
		Audit
		Note struct {
			Audit
			Level int8
		}
	}
	Kite struct {
		ID uint16
		*Tail
	}
	KiteNewLife struct {
		_  struct{} `span:"newlife"`
		ID uint16
		*Tail
	}
	Tail  struct{ X, Y uint8 }
	lower struct {
		A int8
		b int8
	}
	hidden    struct{ a int }
	lowerInt  int32
	lowerTime time.Time
	lowerList []int
	Exported  = Point
	alias     = Point
	Embeds    struct {
		lower
		lowerInt
		lowerList
		lowerTime
		Level
		IDs
		time.Month
		Exported
		alias
		Label `span:"max=4"`
		*Flag
	}
	EmbedsSkipped struct {
		*lower `span:"-"`
		*Tail  `span:"-"`
		Name   string
		*lowerInt
	}
	EmbedsHidden struct{ hidden }
	EmbedsPair   struct {
		Pair[int8, string]
		Base `span:"sized"`
	}
	EmbedsBoth struct {
		Inner1
		Inner2
	}
	Inner1 struct{ A, B int8 }
	Inner2 struct{ A, B int16 }
)

var (
	_ = lower{b: 1}
	_ = EmbedsHidden{hidden: hidden{a: 1}}
	_ = Embeds{lowerInt: 1, lowerList: nil, lowerTime: lowerTime{}}
	_ = EmbedsSkipped{lowerInt: nil}
)

// Profiles nests structs of both.
type (
	OuterGo struct {
		T  time.Time
		In InnerNewLife
		P  *InnerNewLife
		An struct {
			T time.Time
			P *Point
		}
		An2 struct {
			_ struct{} `span:"newlife"`
			T time.Time
			P *Point
		}
		Ts TimeList
		S  []struct{ T time.Time }
	}
	InnerNewLife struct {
		_ struct{} `span:"newlife"`
		T time.Time
		B bool
	}
	OuterNewLife struct {
		_  struct{} `span:"newlife"`
		T  time.Time
		In InnerGo
		P  *InnerGo
		An struct {
			T time.Time
			P *Point
		}
		Ts  TimeList
		S   []struct{ T time.Time }
		Sub *struct{ B *bool }
		PP  **Point
		M   map[bool]*Point
		N   *string
		L   *[]int
	}
	InnerGo struct {
		T time.Time
		B bool
		P *Point
	}
	TimeList []time.Time
)

// Nil at the end, in the middle, behind what takes no bytes.
type (
	EndsNil struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *Tail
	}
	MiddleNil struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *Tail
		B uint16
	}
	NearlyEndsNil struct {
		_ struct{} `span:"newlife"`
		A uint8
		N *Tail
		B *Tail
		C Nothing
		D [0]int
	}
	NestedEndsNil struct {
		_  struct{} `span:"newlife"`
		A  uint8
		In EndsNil
	}
	ListOfNil struct {
		_  struct{} `span:"newlife"`
		A  []EndsNil
		B  [2]*Tail
		C  map[int8]*Tail
		D  [1]EndsNil
		E  *[]*Tail
		F  struct{ G **Tail }
		H  *EndsNil `span:"optional"`
		I  *EndsNil `span:"optional"`
		Sz *EndsNil `span:"optional,sized"`
	}
	GoEndsNil struct {
		A uint8
		P *EndsNil
	}
	GoOptional struct {
		A uint8
		B uint8 `span:"optional"`
	}
	NeverBytes struct {
		_ struct{} `span:"newlife"`
		P *NeverBytes
	}
	HoldsNever struct {
		_ struct{} `span:"newlife"`
		P *NeverBytes
		A int8
	}
)

// Recursion of every kind.
type (
	Tree struct {
		Label string
		Kids  []Tree
	}
	Ping struct {
		N    uint8
		Back []*Pong
	}
	Pong struct {
		M   map[string]Ping
		Alt *Tree
	}
	List      []List
	Dict      map[string]Dict
	PtrLoop   *PtrHolder
	PtrHolder struct{ P PtrLoop }
	Selfish   *Selfish
	HasSelf   struct{ P Selfish }
	SelfishA  *SelfishB
	SelfishB  **SelfishA
	ListA     []ListB
	ListB     map[int8]*ListA
	Arr       [2][]Arr
	Deep      struct {
		_     struct{} `span:"newlife"`
		Level int32
		Next  *Deep
	}
	Variants  []VariantOf
	VariantOf struct {
		V Variants `span:"max=3"`
		W Variants `span:"len=2"`
	}
	EnterOnce struct {
		T Tree
		L List
		V Variants
	}
	Anon struct {
		In struct {
			Up []Anon
		}
	}
	GenLoop[T any] struct {
		V    T
		Next *GenLoop[T]
	}
	Twist[A, B any] struct {
		A    A
		B    B
		Next *Twist[B, A]
	}
	MarshalLoop struct {
		_    struct{} `span:"fields"`
		Next *MarshalLoop
		Text *MarshalLoop `span:"marshal"`
	}
)

// MarshalText makes MarshalLoop a marshaler.
func (*MarshalLoop) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText makes MarshalLoop a marshaler.
func (*MarshalLoop) UnmarshalText([]byte) error { return nil }

// Pair and its like are generic.
type (
	Num                       interface{ ~int32 | ~uint16 | ~int8 }
	Pair[K comparable, V any] struct {
		Key  K
		Val  V
		Rest []V
	}
	NumPair[K Num, V ~string] struct {
		Key  K
		Val  V
		Rest []V
	}
	Holder struct {
		P NumPair[int32, string]
		Q *NumPair[uint16, Label]
	}
	Opt[T any]        struct{ V *T }
	Vec[T any]        []T
	Table[V any]      map[string]V
	Fixed[T any]      [3]T
	Nest[T any]       struct{ In Pair[string, Opt[T]] }
	Phantom[T any]    struct{ N int8 }
	OptNewLife[T any] struct {
		_ struct{} `span:"newlife"`
		V *T
		T time.Time
	}
	Instances struct {
		A Opt[int]
		B Opt[Point]
		C Opt[time.Time]
		D Vec[Point]
		E Vec[byte]
		F Table[[]string]
		G Fixed[Label]
		H Nest[Nest[int8]]
		I Pair[Point, map[string]*Point]
		J Pair[[2]int8, []byte]
		K Phantom[func(int, ...string) (bool, error)]
		L Phantom[chan<- int]
		M Phantom[any]
		N Phantom[error]
		O Phantom[struct{ A int }]
		P Phantom[interface{ M(int) }]
		Q Phantom[map[string][]*Opt[int]]
		R OptNewLife[Point]
		S OptNewLife[int]
		T Phantom[struct{}]
		U Phantom[rune]
		V Phantom[*[4]byte]
	}
)
