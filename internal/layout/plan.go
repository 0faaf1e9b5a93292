package layout

import "math"

// Op is the wire form of a value.
type Op uint8

// The wire forms. The comment names the Node members each of them uses besides
// Type, Name, Min and Fixed.
const (
	OpInvalid Op = iota
	OpBool       // 1 byte. Lenient
	OpInt        // Size (memory and wire width), Signed, Enc, BE, Switched. Kinds int and uint have Platform set and Size 8
	OpFloat      // Size 4 or 8, BE, Switched
	OpComplex    // Size 8 or 16, BE, Switched
	OpString     // Prefix, Max, UTF8; FixedLen when tagged fixed
	OpBytes      // []byte and slices of named bytes: Prefix, Max, Nilable; FixedLen when tagged fixed
	OpArray      // Len, Elem. ByteArray when Elem is one plain byte
	OpSlice      // Elem, Prefix, Max, Nilable
	OpMap        // Key, Elem, Prefix, Max, Nilable, MaxZero
	OpStruct     // Struct
	OpPointer    // presence byte, then Elem. Lenient
	OpInline     // NewLife pointer to a struct or to what writes itself: Elem without a marker, nil writes nothing
	OpShared     // uvarint object number, then Elem (an OpStruct) for a new object
	OpSized      // uvarint byte length, then Elem (an OpStruct)
	OpTime       // Time, BE (all its numbers), Enc (varint unless TimeFull), Switched
	OpGUID       // 16 bytes
	OpDecimal    // 16 bytes. Switched
	OpChar       // 1 byte
	OpBinary     // uvarint length + AppendBinary/MarshalBinary. Prefix, Max
	OpText       // uvarint length + AppendText/MarshalText. Prefix, Max, UTF8
	OpJSON       // uvarint length + MarshalJSON. Prefix, Max
	OpGob        // uvarint length + GobEncode. Prefix, Max
	OpSelf       // the type's own WriteSpan and ReadSpan
	OpParam      // a type parameter: known only per instance (generator)
)

// Enc is how an integer, or a time's number, is laid out.
type Enc uint8

// Integer encodings.
const (
	EncNone Enc = iota // of all other forms
	EncFixed
	EncVarint
	EncZigZag
)

// TimeEnc is how a time is laid out.
type TimeEnc uint8

// Time encodings; see the span package's format description.
const (
	TimeNone      TimeEnc = iota // of all other forms
	TimeFull                     // int64 seconds + uint32 nanoseconds
	TimeSeconds                  // uint32 seconds, 0 the zero time: NewLife default, tag unix
	TimeUnixMilli                // int64
	TimeUnixNano                 // int64
	TimeTicks                    // int64 DateTime.ToBinary
)

// MaxLength is the longest length or count.
const MaxLength = math.MaxInt32

// Unlimited is the Max of a length without a max tag.
const Unlimited = -1

// MaxEmpty is the largest max of lists whose elements have memory but may take no
// byte. Without such a max they have no wire form.
const MaxEmpty = 1024

// MaxCalls is the most elements of a message that have neither memory nor bytes but
// write themselves.
const MaxCalls = 65536

// MaxDepth is how many types that lie on a cycle may nest by default.
const MaxDepth = 1000

// Node is the wire form of one value. Nodes form a graph: a recursive type
// points back to itself. They are immutable once Compile has returned.
type Node struct {
	Op   Op
	Type Ref    // the Go type this node reads and writes
	Name string // the type's Shape.Name

	Size     int
	Signed   bool
	Platform bool // kind int or uint: 8 bytes on the wire, must fit in memory
	Enc      Enc
	BE       bool
	Time     TimeEnc

	Prefix    int  // width of the length or count: 0 uvarint, else 1, 2 or 4 bytes
	Max       int  // most bytes or elements, Unlimited without a tag
	MaxZero   bool // no tag says Max: 1 where all keys are the same, MaxCalls where elements may take no byte
	FixedLen  int  // exact byte count of a fixed=N string or []byte, 0 without
	Nilable   bool // one byte in front: 0 nil, 1 present
	UTF8      bool
	Lossy     bool // OpText or OpBinary of a type whose bytes may read back as another value: see lossyText, lossyBinary
	Chosen    bool // OpJSON that no tag asked for
	ByteArray bool // array of single plain bytes: copied as one

	// Switched: declared in a NewLife profile without an encoding tag of its
	// own, so the BigEndian, EncodeInt and FullTime switches change it.
	Switched bool
	// Lenient: NewLife reading of flags (any non-zero is true) and of padded
	// uvarints, also those that a switch makes of a number.
	Lenient bool

	// Generated: the type bears generated methods of its own, and they write
	// just what this node says. Under an option or in a NewLife profile the
	// node of a type that is not a struct differs from its methods. The node of
	// a struct with the type option sized is an OpSized with Generated set,
	// whose methods include the length; its Elem has it set as well.
	Generated bool

	Len    int
	Key    *Node
	Elem   *Node
	Struct *Struct

	// Min is the smallest wire size: the least fixpoint, recursive references
	// count 0, leniency and optional are ignored.
	Min int
	// MinSwitched is Min when any of the switches may be on: it bounds counts
	// when reading with switches.
	MinSwitched int
	// Fixed is the wire size if every value takes the same (without
	// switches), else -1.
	Fixed int
	// Least and LeastSwitched are Min and MinSwitched of an element of a list or map,
	// where no OpInline pointer is nil.
	Least, LeastSwitched int
	// Nothing: no value takes a byte.
	Nothing bool
	// Looped: the node lies on a cycle of the graph, so that there is no end to how
	// deep its values may nest.
	Looped bool
	// Cyclic: the node is of a named type that lies on a type cycle; entering
	// it counts one level of depth.
	Cyclic bool
	// MayEndNil: a value may end in a nil OpInline pointer that wrote
	// nothing, so nothing may follow it in the message.
	MayEndNil bool
	// Shares: somewhere below, without a sized struct between, is an OpShared.
	Shares bool
	// Structs: somewhere below is an OpStruct (also through OpSized), so that
	// reading it depends on whether an early end is allowed here.
	Structs bool
	// Growth bounds memory bytes per wire byte when reading: (size of Go
	// value)/(smallest wire size), the largest of all lists below.
	// It is for tests of the allocation bound, and 0 where unknown.
	Growth int

	named bool // of a defined type, and not the wrapper of another node of it
	free  bool // OpSelf of a type with min=0
	takes bool // some value takes a byte; Nothing once the graph is known
	loose bool // some accepted bytes are not what writing produces

	listGrowth, pointerGrowth int64
}

// Struct is the layout of one struct type, shared by all nodes of that type.
type Struct struct {
	Type    Ref
	Name    string
	Pkg     string
	NewLife bool // profile of the fields declared here
	Sized   bool // type option sized: every use is wrapped in OpSized
	// Generated: the type bears generated methods of its own (marker), and they
	// write just what this layout says.
	Generated bool
	// Partial: a tag with the option omit leaves something out of the type here,
	// so that the layout is not the one that the type has as a message.
	Partial bool

	Fields []Field // those on the wire, in declaration order

	// SelfDelimiting is false for types that may end early or in nothing: with
	// unsized optional fields, or that MayEndNil. Such values can't be followed
	// by others.
	SelfDelimiting bool
	// RootShared: the type can be reached by an OpShared below itself, so a
	// root of it is object number 1.
	RootShared bool
	// Canonical: every accepted message is what writing its value produces.
	// That is not so with lenient reading, missing fields, maps (in any order),
	// times in ticks, and types that are written by methods.
	Canonical bool

	below []*Struct // those the fields lead to, once known
	stamp int       // the compiler's latest plan with this struct
}

// Field is one field on the wire.
type Field struct {
	Index    int // among all fields of the Go struct
	Name     string
	Embedded bool
	Tag      string // its text under the key span
	Node     *Node
	Optional bool

	fields bool   // the tag asks for the fields of a struct
	omit   string // what the tag leaves out of it
}

// Plan is the compiled layout of a root type.
type Plan struct {
	// Root is the node of the type as a message: for *T roots compile T.
	Root *Node
	// Structs lists every struct reached, the root's first, in the order of
	// first use: what the generator folds in and guards.
	Structs []*Struct
	// SelfDelimiting: a message determines its own end, so that others may
	// follow.
	SelfDelimiting bool
}
