package corpus

import (
	"net/url"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Integers has the encodings of integers, through every container.
type Integers struct {
	A int16              `span:"varint"`
	B int32              `span:"varint"`
	C int64              `span:"varint"`
	D int                `span:"varint"`
	E uint16             `span:"varint"`
	F uint32             `span:"varint"`
	G uint64             `span:"varint"`
	H uint               `span:"varint"`
	I int16              `span:"zigzag"`
	J int32              `span:"zigzag"`
	K int64              `span:"zigzag"`
	L int                `span:"zigzag"`
	M int16              `span:"be"`
	N uint64             `span:"be"`
	O int                `span:"be"`
	P float32            `span:"be"`
	Q complex128         `span:"be"`
	R []int32            `span:"varint"`
	S [4]int64           `span:"zigzag"`
	T map[string]uint16  `span:"be"`
	U *uint32            `span:"varint"`
	V **[]map[int]*int32 `span:"zigzag,len=2"`
	W Level              `span:"zigzag"`
	X IDs                `span:"varint,max=7"`
	Y time.Duration      `span:"varint"`
	Z Bag                `span:"varint,len=1"`
}

// IntegersNewLife tells tagged fields from those that switches change.
type IntegersNewLife struct {
	_ struct{}   `span:"newlife"`
	A int16      `span:"varint"`
	B int32      `span:"zigzag"`
	C uint64     `span:"be"`
	D float64    `span:"be"`
	E int32      // switched
	F []int32    `span:"varint"`
	G complex64  `span:"be"`
	H complex128 // switched
	I map[int32]int32
	J time.Time `span:"be"`
	K time.Time `span:"varint"`
}

// Times has the encodings of times.
type Times struct {
	A time.Time              `span:"unix"`
	B time.Time              `span:"unixmilli"`
	C time.Time              `span:"unixnano"`
	D time.Time              `span:"ticks"`
	E *time.Time             `span:"unix"`
	F []time.Time            `span:"unixmilli"`
	G map[time.Time]StampT   `span:"unixnano"`
	H StampT                 `span:"ticks"`
	I time.Time              `span:"unix,be"`
	J time.Time              `span:"unixnano,varint"`
	K time.Time              `span:"ticks,varint"`
	L time.Time              `span:"be"`
	M Stamps                 `span:"unix,max=3"`
	N [2]*time.Time          `span:"unixmilli,be"`
	O map[string][]time.Time `span:"unix,varint,len=4"`
}

// TimesNewLife has them in the other profile.
type TimesNewLife struct {
	_ struct{}  `span:"newlife"`
	A time.Time `span:"unix"`
	B time.Time `span:"unixmilli"`
	C time.Time `span:"ticks"`
	D time.Time
	E *time.Time
	F []StampT
	G map[time.Time]time.Time `span:"unixnano"`
}

// Lengths has the options of lengths.
type Lengths struct {
	A string           `span:"len=1"`
	B string           `span:"len=2"`
	C []byte           `span:"len=4"`
	D []int32          `span:"len=2"`
	E map[int8]int8    `span:"len=1"`
	F string           `span:"fixed=6"`
	G []byte           `span:"fixed=4"`
	H *string          `span:"fixed=3"`
	I **[]byte         `span:"len=2,nilable"`
	J []string         `span:"nilable"`
	K map[string]int   `span:"nilable,max=9,len=1"`
	L string           `span:"max=10"`
	M []byte           `span:"max=2147483647"`
	N [][]string       `span:"max=5,len=1"`
	O *[]*string       `span:"nilable,max=1"`
	P Label            `span:"fixed=2"`
	Q Raw              `span:"fixed=2"`
	R Blob             `span:"nilable"`
	S Bag              `span:"max=4"`
	T url.URL          `span:"max=100,len=2"`
	U []struct{}       `span:"max=1000000"`
	V map[Label]string `span:"len=2"`
	W string           `span:"utf8,fixed=8"`
}

// Texts has utf8 at every leaf.
type Texts struct {
	A string            `span:"utf8"`
	B []string          `span:"utf8"`
	C map[string]string `span:"utf8"`
	D *Label            `span:"utf8,max=3"`
	E [2][]Label        `span:"utf8"`
	F TextOnly          `span:"utf8"`
	G []*TextOnly       `span:"utf8,max=3"`
}

// Mixed has tags of other keys, odd spacing, and combinations.
type Mixed struct {
	A uint8     "span:\"-\""
	B uint8     `json:"b"    xml:"b"     span:"-"     `
	H string    `json:"h,omitempty"`
	I int32     `json:"i" span:"varint"`
	J string    `span:""`
	K chan int  `span:"-"`
	L []Point   `span:"max=3" json:"l"`
	M span.GUID `yaml:"m" span:""`
	N any       `span:"-"`
}

// Old and its like are versions of one message.
type (
	Old struct {
		A int32
		B string `span:"optional"`
		C *Point `span:"optional"`
	}
	Versions struct {
		A Old            `span:"sized"`
		B *Old           `span:"sized"`
		C []Old          `span:"sized"`
		D map[int]*Old   `span:"sized,max=3"`
		E [2]Old         `span:"sized"`
		F Frame          // sized by itself
		G *Frame         `span:"sized"`
		H []Frame        `span:"len=1"`
		I map[Frame]int  `span:"optional"`
		J Point          `span:"sized,optional"`
		K []*Point       `span:"sized,optional,nilable"`
		L map[string]Old `span:"sized,optional"`
	}
	Frame struct {
		_ struct{} `span:"sized"`
		A int16
		B string `span:"optional"`
	}
	FrameNewLife struct {
		_ struct{} `span:"newlife,sized"`
		A int16
		B *Point
	}
	VersionsNewLife struct {
		_ struct{} `span:"newlife"`
		A Old      `span:"sized"`
		B *Old     `span:"sized"`
		C *Frame
		D FrameNewLife
		E []*FrameNewLife
		F *FrameNewLife `span:"optional"`
	}
	Options struct {
		_ struct{} `span:"newlife"`
		_ struct{} `span:"sized" yaml:"x"`
		_ struct{}
		A time.Time
	}
)

// Graph has shared pointers.
type (
	Graph struct {
		Name  string
		Next  *Graph             `span:"shared"`
		Peers []*Graph           `span:"shared,max=10"`
		Named map[string]*Graph  `span:"shared"`
		Pair  [2]*Graph          `span:"shared"`
		Deep  **Graph            `span:"shared"`
		Other *Point             `span:"shared"`
		Lists map[int][]*Counter `span:"shared"`
	}
	Owner struct {
		G Graph
		P *Point `span:"shared"`
		Q *Point `span:"shared"`
	}
	Boxed struct {
		In *BoxedNode `span:"sized"`
	}
	BoxedNode struct {
		Up  *BoxedNode `span:"shared"`
		Box *Boxed
	}
	GraphNewLife struct {
		_    struct{}      `span:"newlife"`
		Next *GraphNewLife `span:"shared"`
		Tail *Point
	}
	Ring     struct{ To *RingBack }
	RingBack struct {
		Back *Ring `span:"shared"`
	}
)
