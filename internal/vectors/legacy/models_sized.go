package legacy

// The models of NewLife's FieldSize, FixedString and FullString attributes.

// SizedFixed has members of fixed sizes.
type SizedFixed struct {
	Name  string `binary:"size=6"`
	Data  []byte `binary:"size=4"`
	After uint8
}

// SizedRef has lengths in other members.
type SizedRef struct {
	Length uint8
	Count  int16
	Body   string `binary:"ref=Length"`
	Data   []byte `binary:"ref=Count"`
	After  uint8
}

// SizedRefOffset has a length that counts itself.
type SizedRefOffset struct {
	Total int16
	Data  []byte `binary:"ref=Total,offset=-2"`
	After uint8
}

// SizedRefList has a count in another member.
type SizedRefList struct {
	Count uint8
	Items []int16 `binary:"ref=Count"`
	After uint8
}

// SizedPath has a length in a member's member.
type SizedPath struct {
	Header Header
	Data   []byte `binary:"ref=Header.Length"`
	After  uint8
}

// Header is a part of SizedPath. In .NET it is a class.
type Header struct {
	Kind   uint8
	Length uint16
}

// SizedWidth has lengths of chosen widths.
type SizedWidth struct {
	A     string `binary:"width=1"`
	B     string `binary:"width=2"`
	C     []byte `binary:"width=4"`
	D     string `binary:"width=0"`
	After uint8
}

// SizedVersion has a size for each of two versions.
type SizedVersion struct {
	Phone string `binary:"size=5,version=2011;size=10,version=2019"`
	After uint8
}

// FixedText has a FixedString.
type FixedText struct {
	Name  string `binary:"fixed=8"`
	After uint8
}

// FullText has a FullString.
type FullText struct {
	Kind uint8
	Rest string `binary:"rest"`
}
