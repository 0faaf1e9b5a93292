package binaryplan

import (
	"strconv"

	"github.com/spanwire/spanwire/internal/layout"
)

// Form is the part of package binary's options that plans depend on.
type Form struct {
	LittleEndian bool
	EncodeInt    bool
	FullTime     bool
	FieldSize    bool
	SizeWidth    int // 0 (a uvarint), 1, 2 or 4
}

// Strictest is the form under which every tag counts: a type that makes sense in
// it does so under the zero Form as well.
var Strictest = Form{FieldSize: true}

// Op is how a value is written and read.
type Op uint8

// The forms of values. The zero Op is none.
const (
	_ Op = iota
	OpBool
	OpInt8
	OpInt16 // these three: fixed in either order, or uvarint
	OpInt32
	OpInt64
	OpInt  // of the platform's size in memory, 64 bits on the wire
	OpUint //
	OpFloat32
	OpFloat64
	OpChar
	OpString
	OpTime
	OpDecimal
	OpNullable
	OpGUID
	OpBytes
	OpByteArray
	OpChars
	OpDate
	OpTimeOfDay
	OpOffset
	OpDuration
	OpAddr
	OpAddrPort
	OpSlice
	OpArray
	OpMap
	OpAny
	OpStruct
	OpObject // *struct
	OpAccessor
	OpSpan
	OpUnknown // what only a handler can take
	opEnd
)

// Ops returns all forms.
func Ops() []Op {
	var all []Op
	for o := OpBool; o < opEnd; o++ {
		all = append(all, o)
	}
	return all
}

// String returns the form's name.
func (o Op) String() string {
	names := [...]string{
		"invalid", "bool", "int8", "int16", "int32", "int64", "int", "uint", "float32", "float64", "char", "string", "time",
		"decimal", "nullable", "guid", "bytes", "byte-array", "chars", "date", "time-of-day", "offset", "duration", "addr",
		"addr-port", "slice", "array", "map", "any", "struct", "object", "accessor", "span", "unknown",
	}
	if int(o) < len(names) {
		return names[o]
	}
	return "op(" + strconv.Itoa(int(o)) + ")"
}

// LengthForm is where the length of a value is.
type LengthForm uint8

// The forms of lengths.
const (
	Prefixed LengthForm = iota // before it, in Width
	Exact                      // known: N bytes or elements
	Trimmed                    // N bytes, trimmed when read
	Rest                       // up to the end of the input
	Until                      // ends with End
)

// Length is the length of strings, bytes and lists.
type Length struct {
	Form   LengthForm
	Width  int8
	LE     bool // of the prefix, as is
	Varint bool
	N      int
	End    int64
}

// NullForm is how a null pointer is written.
type NullForm uint8

// The forms of null.
const (
	Flagged     NullForm = iota // with a flag
	NullMember                  // as the empty value
	NullElement                 // as nothing
)

// Node is the plan of a type. It never changes once compiled.
type Node struct {
	Op     Op
	Type   layout.Ref
	Name   string // of the type
	Elem   *Node  // of pointers, lists, arrays, maps
	Key    *Node
	Struct *Struct
	Length Length
	Size   int  // bytes on the wire of a number
	LE     bool // of numbers
	Varint bool // of numbers: uvarint
	Full   bool // of times: DateTime.ToBinary
	Signed bool
	BCD    int // bytes of BCD, of strings and integers
	Len    int // of arrays
	Null   NullForm

	Min     int  // fewest bytes
	Empty   bool // it takes no byte
	Mutates bool // writing sets members: ref or count below
	Open    bool // it takes the rest of the input, before a trailer

	kind layout.Kind // of the type
}

// Struct is the plan of a struct's members.
type Struct struct {
	Fields []Field
	Refs   []int // members whose length is in another one
	Last   int   // index of the last member that must be there, -1 without
	Member bool  // it may write members itself, by the methods of MemberAccessor

	spoilt bool // a tag in it is at fault: what would follow from it is not reported
}

// Field is one member.
type Field struct {
	Index []int  // from the struct, through embedded ones; nil of a blank field
	Name  string // of the field
	Path  string // from the struct, through embedded ones
	Node  *Node  // nil for a field without a value
	Blank bool   // no member in memory
	Min   int    // fewest bytes
	Own   bool   // writes itself: it may take no byte, but counts as missing at the end
	Lends bool   // what is in it, or where it points to, holds a length that others may set, too

	Sizes []SizeCase // by version
	Count *Reference
	If    *Condition
	Bits  *BitRun
	Sum   *Sum
	Const *Const
	Pad   int
	Align int
	Mark  int // number, from 1, of a member that a sum starts from

	Open    bool // it takes the rest of the input,
	Trailer int  // but for this many bytes that come after it in its struct

	owner layout.Ref // where it is declared
	at    int
}

// Plain reports whether f is a member that needs no more than its node.
func (f *Field) Plain() bool {
	return !f.Blank && f.Sizes == nil && f.Count == nil && f.If == nil && f.Bits == nil && f.Sum == nil && f.Const == nil &&
		f.Pad == 0 && f.Align == 0 && f.Mark == 0
}

// SizeCase is one FieldSize attribute.
type SizeCase struct {
	Version string
	Length  Length
	Ref     *Reference
}

// Reference leads to an integer, or a bool, of an earlier member.
type Reference struct {
	Text   string
	Steps  []Step
	Node   *Node
	Offset int
	Field  int     // index of the member that is referred to, or begins the path
	Value  *uint64 // of a member with const
	sum    bool    // the member is a checksum
}

// Step is one member on the way; pointers are followed after it.
type Step struct {
	Index []int
	Node  *Node
}

// Condition decides whether a member is there.
type Condition struct {
	Reference
	Bit    int // of a number, -1 for a bool
	Negate bool
}

// BitRun is a run of bit fields.
type BitRun struct {
	Fields []BitField
	Size   int // bytes
	LSB    bool
}

// BitField is one member of a run.
type BitField struct {
	Index []int
	Node  *Node
	Name  string
	Path  string
	Bits  int
	Blank bool
	Const *Const
}

// Const is the value that a member has.
type Const struct {
	Text  string  // as the tag has it
	Value *uint64 // of an integer, its bits
	Raw   []byte  // of anything else, its bytes
}

// Sum is a checksum.
type Sum struct {
	Name string
	Size int
	Slot int // Mark of the member that it starts from, less 1; -1 for the start of the struct
	from string
}

// MaxMarks is the number of members that sums of a struct may start from.
const MaxMarks = 4
