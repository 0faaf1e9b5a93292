package span_test

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

// The models that fuzz tests read random bytes into: together they have every
// kind, every tag and both profiles.

type fuzzFlat struct {
	A bool
	B int8
	C uint16
	D int32
	E uint64
	F float32
	G float64
	H complex64
	I string
	J []byte
	K [3]byte
	L [2]int16
	M int
	N uint
	O *int32
	P **string
	Q span.GUID
	R span.Char
	S time.Time
	T time.Duration
}

type fuzzLists struct {
	A []int32
	B []string
	C [][]bool
	D []fuzzFlat
	E map[string]int32
	F map[int16][]string
	G map[fuzzKey]map[bool]float64
	H []*fuzzLists
	I map[float64]int8
	J []struct{}
	K [2]map[string]string
}

type fuzzKey struct {
	A int8
	B string
	C [2]bool
}

type fuzzTags struct {
	A int16           `span:"varint"`
	B int32           `span:"zigzag"`
	C []uint64        `span:"varint"`
	D int64           `span:"be"`
	E string          `span:"len=1,max=9"`
	F []byte          `span:"len=2,nilable"`
	G []int8          `span:"nilable,max=5"`
	H map[string]bool `span:"nilable,len=4"`
	I string          `span:"fixed=5"`
	J []byte          `span:"fixed=3"`
	K string          `span:"utf8"`
	L time.Time       `span:"unix"`
	M time.Time       `span:"unixmilli,varint"`
	N []time.Time     `span:"unixnano"`
	O time.Time       `span:"ticks"`
	P span.Decimal
	Q selfWriter
	R *textPoint
	S binaryPoint
	T *fuzzTags        `span:"sized"`
	U map[int8]fuzzKey `span:"sized"`
	V []int16          `span:"optional"`
	W *fuzzKey         `span:"optional"`
}

type fuzzNet struct {
	_ struct{} `span:"newlife"`
	A bool
	B int32
	C string
	D time.Time
	E *int16
	F span.Decimal
	G []fuzzNetItem
	H map[int32]string
	I fuzzKey
	J *fuzzKey
	K *fuzzNet
}

type fuzzNetItem struct {
	_ struct{} `span:"newlife"`
	A int16
	B *uint8
}

type fuzzGraph struct {
	A int8
	B *fuzzGraph            `span:"shared"`
	C []*fuzzGraph          `span:"shared"`
	D map[string]*fuzzGraph `span:"shared"`
	E *fuzzKey              `span:"shared"`
}
