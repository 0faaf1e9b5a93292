package corpus

import (
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/spanwire/spanwire/span"
)

// SelfWriter writes itself.
type SelfWriter struct{ a, b uint8 }

// WriteSpan writes v.
func (v *SelfWriter) WriteSpan(*span.Writer) { _ = v.a + v.b }

// ReadSpan reads v.
func (v *SelfWriter) ReadSpan(*span.Reader) {}

// SelfInt is no struct and writes itself.
type SelfInt int16

// WriteSpan writes v.
func (v SelfInt) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *SelfInt) ReadSpan(*span.Reader) {}

// SelfFunc has no wire form but its methods.
type SelfFunc func()

// WriteSpan writes v.
func (v SelfFunc) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *SelfFunc) ReadSpan(*span.Reader) {}

// SelfByte makes []SelfByte a list.
type SelfByte uint8

// WriteSpan writes v.
func (v SelfByte) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *SelfByte) ReadSpan(*span.Reader) {}

// SelfTime is a time that writes itself.
type SelfTime time.Time

// WriteSpan writes v.
func (v SelfTime) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *SelfTime) ReadSpan(*span.Reader) {}

// SelfEmpty may write nothing.
type SelfEmpty struct {
	_ struct{} `span:"min=0"`
}

// WriteSpan writes v.
func (v *SelfEmpty) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *SelfEmpty) ReadSpan(*span.Reader) {}

// HalfSelf can only be written.
type HalfSelf struct{ A int8 }

// WriteSpan writes v.
func (v *HalfSelf) WriteSpan(*span.Writer) {}

// OddSelf has methods of other signatures.
type OddSelf struct{ A int8 }

// WriteSpan is of another kind.
func (v *OddSelf) WriteSpan(*span.Writer) error { return nil }

// ReadSpan is of another kind.
func (v *OddSelf) ReadSpan(span.Reader) {}

// Gen bears the methods of generated code.
type Gen struct {
	A int32
	B string
}

// WriteSpan writes v.
func (v *Gen) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *Gen) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *Gen) SpanGenerated(*Gen) {}

// GenList is generated and no struct.
type GenList []Gen

// WriteSpan writes v.
func (v *GenList) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *GenList) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *GenList) SpanGenerated(*GenList) {}

// GenPair is generated and generic.
type GenPair[T any] struct{ A, B T }

// WriteSpan writes v.
func (v *GenPair[T]) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *GenPair[T]) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *GenPair[T]) SpanGenerated(*GenPair[T]) {}

// GenSized is generated with its length.
type GenSized struct {
	_ struct{} `span:"sized"`
	A int8
}

// WriteSpan writes v.
func (v *GenSized) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *GenSized) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *GenSized) SpanGenerated(*GenSized) {}

// GenText is generated and a marshaler.
type GenText struct{ A int8 }

// WriteSpan writes v.
func (v *GenText) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *GenText) ReadSpan(*span.Reader) {}

// SpanGenerated marks v.
func (v *GenText) SpanGenerated(*GenText) {}

// MarshalText gives v as text.
func (v GenText) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText reads v.
func (v *GenText) UnmarshalText([]byte) error { return nil }

// TextOnly is a struct written as text.
type TextOnly struct{ a string }

// MarshalText gives v as text.
func (v TextOnly) MarshalText() ([]byte, error) { return []byte(v.a), nil }

// UnmarshalText reads v.
func (v *TextOnly) UnmarshalText([]byte) error { return nil }

// Appender is a struct written as bytes.
type Appender struct{ A int }

// AppendBinary appends v.
func (v Appender) AppendBinary(b []byte) ([]byte, error) { return b, nil }

// UnmarshalBinary reads v.
func (v *Appender) UnmarshalBinary([]byte) error { return nil }

// HalfText can only be printed.
type HalfText struct{ A int8 }

// MarshalText gives v as text.
func (v HalfText) MarshalText() ([]byte, error) { return nil, nil }

// TextInt is an integer with text methods.
type TextInt int32

// MarshalText gives v as text.
func (v TextInt) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText reads v.
func (v *TextInt) UnmarshalText([]byte) error { return nil }

// TextByte is a byte with text methods.
type TextByte uint8

// MarshalText gives v as text.
func (v TextByte) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText reads v.
func (v *TextByte) UnmarshalText([]byte) error { return nil }

// Tagged is a comparable marshaler with an option.
type Tagged struct {
	_ struct{} `span:"marshal"`
	A int8
}

// MarshalBinary gives v as bytes.
func (v Tagged) MarshalBinary() ([]byte, error) { return nil, nil }

// UnmarshalBinary reads v.
func (v *Tagged) UnmarshalBinary([]byte) error { return nil }

// ByFields prefers its fields.
type ByFields struct {
	_ struct{} `span:"fields"`
	A int8
}

// MarshalBinary gives v as bytes.
func (v ByFields) MarshalBinary() ([]byte, error) { return nil, nil }

// UnmarshalBinary reads v.
func (v *ByFields) UnmarshalBinary([]byte) error { return nil }

// Structs that embed types with methods.
type (
	EmbedsGen struct {
		Gen
		C int8
	}
	EmbedsGenPtr struct {
		*Gen
		C int8
	}
	EmbedsGenTwice struct {
		EmbedsGen
		D int8
	}
	EmbedsTwoGens struct {
		Gen
		GenSized
	}
	EmbedsSelf   struct{ SelfWriter }
	EmbedsFields struct {
		_ struct{} `span:"fields"`
		SelfWriter
		A int8
	}
	EmbedsMarshal struct {
		_ struct{} `span:"marshal"`
		SelfWriter
		A int8
	}
	EmbedsTime       struct{ time.Time }
	EmbedsTimeFields struct {
		_ struct{} `span:"fields"`
		time.Time
		Name string
	}
	EmbedsTimeMarshal struct {
		_ struct{} `span:"marshal"`
		time.Time
	}
	EmbedsAddr struct {
		netip.Addr
		Zone string
	}
	EmbedsHalf struct {
		HalfText
		B int8
	}
	EmbedsTwoTexts struct {
		TextOnly
		TextInt
	}
	OwnOverGen struct {
		_ struct{} `span:"marshal"`
		Gen
	}
	OwnUnsaid struct {
		SelfWriter
		A int8
	}
	UsesTags struct {
		A EmbedsTime   `span:"fields"`
		B EmbedsTime   `span:"marshal"`
		C OwnUnsaid    `span:"marshal"`
		D []EmbedsTime `span:"fields,max=3"`
		E EmbedsSelf   `span:"fields"`
		F *EmbedsAddr  `span:"marshal,len=1"`
	}
)

// WriteSpan writes v.
func (v *OwnOverGen) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *OwnOverGen) ReadSpan(*span.Reader) {}

// WriteSpan writes v.
func (v *OwnUnsaid) WriteSpan(*span.Writer) {}

// ReadSpan reads v.
func (v *OwnUnsaid) ReadSpan(*span.Reader) {}

// Methods uses them all.
type Methods struct {
	A SelfWriter
	B *SelfWriter
	C SelfInt
	D *SelfInt
	E SelfFunc
	F []SelfByte
	G SelfTime
	H SelfEmpty
	I []SelfEmpty `span:"max=1000"`
	K OddSelf
	L Gen
	M *Gen
	N GenList
	O GenPair[int8]
	P GenSized
	Q *GenSized
	R GenText
	S TextOnly
	T Appender
	U HalfText
	V TextInt
	W []TextByte
	X Tagged
	Y ByFields
	Z map[TextInt]SelfInt
}

// MethodsNewLife uses them in the other profile.
type MethodsNewLife struct {
	_ struct{} `span:"newlife"`
	A SelfWriter
	B *SelfWriter
	D *SelfInt
	M *Gen
	N GenList
	P GenSized
	Q *GenSized
	S TextOnly
	T *TextOnly
	U *Appender
	V *url.URL
}

// Asked asks for methods and fields.
type Asked struct {
	A TextInt          `span:"marshal"`
	B []TextInt        `span:"marshal,nilable"`
	C net.IP           `span:"marshal"`
	D []net.IP         `span:"marshal,max=9"`
	E *TextByte        `span:"marshal"`
	F []TextByte       `span:"marshal"`
	G time.Time        `span:"marshal"`
	H map[int8]TextInt `span:"marshal"`
	I url.URL          `span:"marshal"`
	J ByFields         `span:"marshal"`
	K Tagged           `span:"fields"`
	L []Appender       `span:"fields"`
	M Point            `span:"fields"`
	N TextInt          `span:"marshal,utf8,max=20"`
	O SelfInt          `span:"marshal"`
	P *Appender        `span:"fields,shared"`
	Q *Appender        `span:"fields,sized"`
}

// Foreign uses types of other packages.
type Foreign struct {
	A url.URL
	B *url.URL
	C netip.Addr
	D netip.AddrPort
	E netip.Prefix
	F big.Int
	G *big.Int
	H big.Float
	I net.IP
	J net.IPNet
	K net.HardwareAddr
	L []netip.Addr
	M map[netip.Addr]string
	N time.Duration
	O url.Values
	P big.Rat
	Q net.TCPAddr
	R net.MX
}
