// Package corpus has types for package binary, those that make sense and those
// that do not: both feeds must say the same of each. It stands in testdata, where
// ./... does not find it, since it is wrong on purpose.
package corpus

import (
	"time"

	"github.com/spanwire/spanwire/binary"
)

// Invalid lists the types that make no sense.
type Invalid struct {
	Syntax     Syntax
	Options    Options
	Values     Values
	Conflicts  Conflicts
	Groups     Groups
	Targets    Targets
	Constants  Constants
	Bits       Bits
	Lengths    Lengths
	Conditions Conditions
	Sums       Sums
	Marks      Marks
	Open       Open
	OpenList   []Tail
	Fields     Fields
	Blank      Blank
	Kinds      Kinds
	Hidden     Opaque
	Promoted   Promoted
	Chain      Chain
	Embeds     Embeds
	Twice      Twice
}

// Syntax has tags that can't be read, or say nothing that can be meant.
type Syntax struct {
	A uint8 `binary:"-,le"`
	B uint8 `binary:"le,,be"`
	C uint8 `binary:";"`
	D uint8 `binary:"pad=2,"`
	E uint8 `binary:"pad=2" binary:"pad=3"`
	F uint8 `binary:"ignore,pad=1"`
	G uint8 `binary:"pad=1,pad=2"`
	H uint8 `binary:"pad=1;pad=2"`
}

// Options has options that there are not, or not here.
type Options struct {
	A uint8  `binary:"omitempty"`
	B string `binary:"fixd=3"`
	C string `binary:"3=size"`
	D uint32 `binary:"LE"`
	E string `binary:" rest"`
	F uint8  `binary:"fields"`
	G uint8  `binary:"span"`
}

// Values has values that options do not take.
type Values struct {
	A string `binary:"size=0"`
	B string `binary:"size"`
	C string `binary:"fixed=-1"`
	D string `binary:"fixed=x"`
	E []byte `binary:"width=3"`
	F []byte `binary:"until=x"`
	G string `binary:"bcd=0"`
	H uint8  `binary:"bits=65"`
	I uint8  `binary:"pad=1048577"`
	J uint8  `binary:"align=1"`
	K uint32 `binary:"sum=crc16"`
	L uint32 `binary:"le=1"`
	M string `binary:"ref="`
	N string `binary:"offset=2147483648,ref=A"`
	O uint8  `binary:"const="`
	P uint8  `binary:"if"`
	Q []byte `binary:"until=256"`
	R []int8 `binary:"until=200"`
	S uint64 `binary:"bcd=11"`
	T uint16 `binary:"const=0x10000"`
}

// Conflicts has options that exclude each other or miss one.
type Conflicts struct {
	A uint32  `binary:"le,be"`
	B string  `binary:"size=3,ref=A"`
	C string  `binary:"fixed=3,rest"`
	D string  `binary:"size=3,until=0"`
	E []byte  `binary:"count=A,size=3"`
	F []byte  `binary:"offset=2"`
	G []byte  `binary:"version=2"`
	H uint8   `binary:"lsb"`
	I uint32  `binary:"from=A"`
	J uint8   `binary:"bits=3,be"`
	K uint8   `binary:"const=1,if=A"`
	L *string `binary:"null,size=3"`
	M uint8   `binary:"const=1,sum=sum8"`
}

// Groups has options behind semicolons.
type Groups struct {
	A string `binary:"size=3,version=1;size=4,ref=A"`
	B string `binary:"size=3;be;be"`
	C string `binary:"count=A;offset=2"`
	D string `binary:"size=3,version=1;fixed=4"`
	E string `binary:"const=abc,size=3,version=1"`
}

// Targets has options on what they are not for.
type Targets struct {
	A uint8       `binary:"le"`
	B string      `binary:"be"`
	C uint32      `binary:"size=4"`
	D []uint8     `binary:"fixed=4"`
	E []uint16    `binary:"fixed=4"`
	F map[int]int `binary:"rest"`
	G []string    `binary:"until=0"`
	H int32       `binary:"bcd=4"`
	I float32     `binary:"bits=3"`
	J *int32      `binary:"null"`
	K int32       `binary:"null"`
	L float32     `binary:"const=1"`
	M int32       `binary:"sum=crc32"`
	N uint16      `binary:"sum=crc32"`
	O time.Time   `binary:"count=C"`
	P [4]uint16   `binary:"size=4"`
}

// Constants has constants that their members can't be.
type Constants struct {
	A uint8   `binary:"const=256"`
	B int8    `binary:"const=128"`
	C uint16  `binary:"const=abc"`
	D [3]byte `binary:"const=0x0102"`
	E string  `binary:"const=abc,size=4"`
	F []byte  `binary:"const=0x123"`
	G uint8   `binary:"const=8,bits=3"`
	H uint8   `binary:"bits=5"`
}

// Bits has runs of bit fields.
type Bits struct {
	A uint8  `binary:"bits=3"`
	B uint8  `binary:"bits=4"`
	C uint32 `binary:"align=4"`
	D uint8  `binary:"bits=9"`
	E uint8  `binary:"bits=4"`
	F uint8  `binary:"bits=4,lsb"`
	G bool   `binary:"bits=2"`
}

// Open run.
type Lengths struct {
	Len   uint8
	Flag  bool
	Head  Head
	A     []byte `binary:"count=Lem"`
	B     []byte `binary:"ref=B"`
	C     []byte `binary:"count=Later"`
	D     []byte `binary:"count=Flag"`
	E     []byte `binary:"count=Head.Nr"`
	F     []byte `binary:"count=Head"`
	G     []byte `binary:"ref=Head.Len.X"`
	Later uint8
}

// Head is a part.
type Head struct {
	Len uint16
	On  bool
	Sum uint8 `binary:"sum=sum8"`
}

// Conditions has conditions that can't be decided.
type Conditions struct {
	Flag  bool
	Bits  uint8
	A     uint8 `binary:"if=Flags"`
	B     uint8 `binary:"if=Bits"`
	C     uint8 `binary:"if=Bits.8"`
	D     uint8 `binary:"if=!Flag.0"`
	E     uint8 `binary:"if=E"`
	Heads []Head
	F     uint8 `binary:"if=Heads.On"`
	Head  Head
	G     uint8 `binary:"if=Head.Off"`
	H     uint8 `binary:"if=Head.Sum.3"`
}

// Sums has sums that start nowhere.
type Sums struct {
	A uint8
	B uint8  `binary:"sum=xor,from=X"`
	C uint32 `binary:"sum=crc32,from=D"`
	D uint8
}

// Marks has too many places that sums start from.
type Marks struct {
	A, B, C, D, E uint8
	F             uint8 `binary:"sum=xor,from=A"`
	G             uint8 `binary:"sum=xor,from=B"`
	H             uint8 `binary:"sum=xor,from=C"`
	I             uint8 `binary:"sum=xor,from=D"`
	J             uint8 `binary:"sum=xor,from=E"`
}

// Open has members of any length behind one that takes the rest.
type Open struct {
	A Tail
	B string
	C Tail
}

// Tail takes the rest.
type Tail struct {
	A uint8
	B []byte `binary:"rest"`
}

// Fields has fields that are no members.
type Fields struct {
	a uint8 `binary:"pad=1"`
	b uint8
	*inner
	hidden `binary:"pad=1"`
	C      uint8
}

type inner struct{ A uint8 }

type hidden struct{ B uint8 }

// Blank has blank fields that carry what they can't.
type Blank struct {
	_ uint8    `binary:"le"`
	_ struct{} `binary:"rest"`
	_ uint16   `binary:"pad=2"`
	_ struct{} `binary:"const=3"`
	_ struct{} `binary:"field"`
	A uint8
}

// Kinds has types without a form.
type Kinds struct {
	A chan int
	B func()
	C complex128
	D error
	E map[*int]string
	F map[any]string
	G uintptr
	H []interface{ M() }
	I map[[2]struct{ P *int }]int
}

// Opaque has nothing that anybody could write.
type Opaque struct{ a, b int }

// Promoted may write itself by what it embeds.
type Promoted struct {
	Accessed
	N uint8
}

// Accessed writes itself.
type Accessed struct{ n uint8 }

func (a *Accessed) WriteBinary(e *binary.Encoder) error { return nil }
func (a *Accessed) ReadBinary(d *binary.Decoder) error  { return nil }

// Chain has faults in types that it leads to, by several ways.
type Chain struct {
	A []map[string]*Values
	B *Chain
	C [2]Values
	D Loop
	E []byte `binary:"count=D"`
}

// Loop leads to itself and to nothing else.
type Loop *Loop

// Embeds has a fault in a struct that it embeds.
type Embeds struct {
	Len uint8
	Mixed
}

// Mixed names members of its own, of the struct that embeds it, and of none.
type Mixed struct {
	Own uint8
	A   []byte `binary:"count=Own"`
	B   []byte `binary:"count=Len"`
	C   []byte `binary:"count=Mixed.Own"`
	D   []byte `binary:"count=None"`
}

// Twice has the same fault at two places.
type Twice struct {
	A Bits
	B Bits
	C Mixed
}
