package corpus

import (
	"net/url"
	"time"

	"github.com/spanwire/spanwire/span"
)

// BadTags has tags that are wrong in themselves.
type BadTags struct {
	A uint8  `span:"size=4,size=8"`
	B uint8  `span:"nosuch"`
	C string `span:"fixed=8,fixed=9"`
	D int32  `span:"varint,varint"`
	E int32  `span:"varint, be"`
	F int32  `span:"varint,"`
	G int32  `span:",varint"`
	H int32  `span:"varint=1"`
	I string `span:"max"`
	J string `span:"max="`
	K string `span:"max=0"`
	L string `span:"max=-1"`
	M string `span:"max=2147483648"`
	N string `span:"max=+5"`
	O string `span:"max=05"`
	P string `span:"max=1e3"`
	Q string `span:"len=3"`
	R string `span:"len"`
	S string `span:"fixed=0"`
	T string `span:"fixed"`
	U Point  `span:"newlife"`
	V int32  `span:"min=0"`
	W int32  `span:"Varint"`
	X int32  `span:"-,varint"`
	Y int32  `span:"varint,-"`
	Z int32  `span:"optional=true"`
}

// BadPairs has options that exclude each other.
type BadPairs struct {
	A int32      `span:"varint,zigzag"`
	B int32      `span:"varint,zigzag,be"`
	C int32      `span:"be,zigzag"`
	D time.Time  `span:"unix,unixmilli"`
	E time.Time  `span:"unixnano,ticks,unix"`
	F string     `span:"fixed=4,len=1"`
	G []byte     `span:"fixed=4,max=9"`
	H []byte     `span:"nilable,fixed=4"`
	I *Point     `span:"sized,shared"`
	J TextOnly   `span:"marshal,fields"`
	K []byte     `span:"max=3,len=1,fixed=2,nilable"`
	L *Frame     `span:"shared"`
	M SelfWriter `span:"fields"`
	N *chan int  `span:"varint,be"`
}

// BadTargets has options that find nothing to apply to.
type BadTargets struct {
	A  string               `span:"varint"`
	B  int8                 `span:"varint"`
	C  uint8                `span:"be"`
	D  uint32               `span:"zigzag"`
	E  int8                 `span:"zigzag"`
	F  []byte               `span:"varint"`
	G  float32              `span:"varint"`
	H  bool                 `span:"be"`
	I  time.Time            `span:"varint"`
	J  time.Time            `span:"zigzag,unix"`
	K  int64                `span:"unix"`
	L  []string             `span:"unixnano"`
	M  Point                `span:"varint"`
	N  int32                `span:"utf8"`
	O  []byte               `span:"utf8"`
	P  int                  `span:"sized"`
	Q  url.URL              `span:"sized"`
	R  SelfWriter           `span:"sized"`
	S  []byte               `span:"sized"`
	T  Point                `span:"shared"`
	U  []Point              `span:"shared"`
	V  *int                 `span:"shared"`
	W  *url.URL             `span:"shared"`
	X  *SelfWriter          `span:"shared"`
	Y  *Nothing             `span:"shared"`
	Z  *[]Point             `span:"shared"`
	AA int32                `span:"len=2"`
	AB [4]string            `span:"max=3"`
	AC [4]byte              `span:"fixed=4"`
	AD []int32              `span:"fixed=4"`
	AE string               `span:"nilable"`
	AF time.Time            `span:"max=3"`
	AG Point                `span:"nilable"`
	AH SelfWriter           `span:"max=3"`
	AI url.URL              `span:"nilable"`
	AJ url.URL              `span:"fixed=8"`
	AK int                  `span:"fields"`
	AL time.Time            `span:"fields"`
	AM int                  `span:"marshal"`
	AN Point                `span:"marshal"`
	AO []byte               `span:"marshal"`
	AP HalfText             `span:"marshal"`
	AQ List                 `span:"varint"`
	AR Dict                 `span:"utf8,max=4"`
	AS Selfish              `span:"max=3"`
	AT Selfish              `span:"marshal"`
	AU span.GUID            `span:"be"`
	AV span.Decimal         `span:"varint"`
	AW span.Char            `span:"be"`
	AX map[int32]string     `span:"varint"`
	AY []*Nothing           `span:"shared"`
	AZ *Empty2              `span:"shared"`
	BA map[string]SelfInt   `span:"varint,utf8"`
	BB url.URL              `span:"utf8"`
	BC url.URL              `span:"varint"`
	BD *struct{ A []Point } `span:"len=1"`
	BE time.Duration        `span:"unix"`
	BF **Frame              `span:"marshal"`
	BG span.GUID            `span:"utf8,unix"`
	BH OuterGo              `span:"be,unix,utf8,max=3"`
	BI []chan int           `span:"varint"`
	bj int                  `span:"varint"`
	bk chan int             `span:"-"`
	bl chan int
}

// Empty2 takes no memory.
type Empty2 struct {
	_ struct{}
	A [0]int
	B [2]struct{}
}

var _ = BadTargets{bj: 1, bk: nil, bl: nil}

// BadOrder has fields behind optional ones.
type BadOrder struct {
	A int
	B int `span:"optional"`
	C int
	D int `span:"optional"`
	E int `span:"-"`
	F int
	g int
}

var _ = BadOrder{g: 1}

// BadNesting nests structs with optional fields.
type (
	BadNesting struct {
		A Old
		B *Old
		C []Old
		D map[string]*Old
		E *Old `span:"shared"`
		F Old  `span:"optional"`
		G [1]Old
		H Old `span:"sized,optional"`
	}
	OldNode struct {
		A    int
		Next *OldNode `span:"optional"`
	}
	OldEmbeds struct {
		Old
		A int
	}
	OldKeyed struct {
		M map[OldKey]int
	}
	OldKey struct {
		A int `span:"optional"`
	}
)

// BadOptions and its like have wrong type options.
type (
	BadOptions struct {
		_ struct{} `span:"nosuch"`
		A int
	}
	BadOptionField struct {
		_ struct{} `span:"varint"`
		A int
	}
	BadOptionTwice struct {
		_ struct{} `span:"newlife"`
		_ struct{} `span:"newlife"`
		A int
	}
	BadOptionPair struct {
		_ struct{} `span:"marshal"`
		_ struct{} `span:"fields"`
		A int
	}
	BadOptionPairOne struct {
		_ struct{} `span:"marshal,fields"`
		A int
	}
	BadOptionValue struct {
		_ struct{} `span:"min=1"`
		_ struct{} `span:"newlife=1"`
		A int
	}
	BadOptionMin struct {
		_ struct{} `span:"min=0"`
		A int
	}
	BadOptionMarshal struct {
		_ struct{} `span:"marshal"`
		A int
	}
	UsesBadOptions struct {
		A BadOptionMin
		B BadOptionMin
		C BadOptionMarshal
		D []BadOptionMarshal
		E BadSizedSelf
		F BadSizedText
		G BadFieldsSelf
		H BadUnknownSelf
	}
)

// BadSizedSelf is sized in vain.
type BadSizedSelf struct {
	_ struct{} `span:"sized"`
}

// WriteSpan writes v.
func (v *BadSizedSelf) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *BadSizedSelf) ReadSpan(*span.Reader) {}

// BadSizedText is sized and bounded in vain.
type BadSizedText struct {
	_ struct{} `span:"sized,min=0"`
}

// MarshalText gives v as text.
func (v BadSizedText) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText reads v.
func (v *BadSizedText) UnmarshalText([]byte) error { return nil }

// BadFieldsSelf asks for fields although it writes itself.
type BadFieldsSelf struct {
	_ struct{} `span:"fields"`
	A int
}

// WriteSpan writes v.
func (v *BadFieldsSelf) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *BadFieldsSelf) ReadSpan(*span.Reader) {}

// BadUnknownSelf has an unknown option beside methods.
type BadUnknownSelf struct {
	_ struct{} `span:"nosuch"`
	C chan int `span:"nosuch"`
}

// WriteSpan writes v.
func (v *BadUnknownSelf) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *BadUnknownSelf) ReadSpan(*span.Reader) {}

// BadMethods uses types whose methods may be promoted.
type BadMethods struct {
	A EmbedsTime
	B EmbedsSelf
	C OwnUnsaid
	D EmbedsAddr
	E []EmbedsTime
	F map[string]*EmbedsAddr
	G GenEmbedsTime
	H EmbedsSplit
	I EmbedsIface
	J EmbedsTime `span:"fields"`
}

// GenEmbedsTime is generated, but has the methods of time.
type GenEmbedsTime struct {
	time.Time
	A int
}

// WriteSpan writes v.
func (v *GenEmbedsTime) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *GenEmbedsTime) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *GenEmbedsTime) SpanGenerated(*GenEmbedsTime) {}

// EmbedsSplit declares one half of a pair and embeds the other.
type EmbedsSplit struct {
	HalfText
	A int
}

// UnmarshalText reads v.
func (v *EmbedsSplit) UnmarshalText([]byte) error { return nil }

// EmbedsIface gets methods from an interface that it skips.
type EmbedsIface struct {
	Texter `span:"-"`
	A      int
}

// Texter has both text methods.
type Texter interface {
	MarshalText() ([]byte, error)
	UnmarshalText([]byte) error
}
