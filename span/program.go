package span

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
)

// A program is the plan of one value, made executable: what a walker does at an
// address, in order. The program of a struct has the operations of its fields,
// those of plain nested structs included, so that most structs are one flat
// run; the program of any other value has a single operation.
//
// Programs are immutable once made. They refer to each other as types do, in
// cycles where types are recursive.
type program struct {
	node *layout.Node
	typ  reflect.Type
	size uintptr // of the value in memory

	// ops and ones are the same operations. In ops the first of a run of
	// fixed-size values asks for the bytes of the whole run, in ones each asks
	// for its own: ones serves where the input may end in between.
	ops  []op
	ones []op
	// starts has, for each field of a struct, the index of its first operation,
	// and behind them the number of all operations.
	starts []int

	least  int  // fewest bytes on the wire as an element of a list, by the plan
	fixed  int  // bytes on the wire if every value takes the same, else -1
	ahead  int  // memory that a list of such elements may get before they are read
	cyclic bool // entering counts one level of depth
	raw    bool // memory is the wire form, with the machine's byte order aside
	struc  bool // the operations are fields
	done   bool // complete: false only while it is made
}

// An op is one step of a program: one value to write or read.
type op struct {
	place // where the value is in its struct: the build decides how
	code  opcode
	mem   uint8   // bytes of an integer in memory
	size  uint8   // bytes of a number on the wire
	flags opFlags //

	// Bytes to make sure of before the run that begins here, 0 inside of one:
	// at most what is written, at least what is read.
	room int32
	need int32

	quick  int    // strings: most bytes of the fast path, below 0 for none
	name   string // the step of the path, "" where the program is no struct
	length int    // array, raw bytes, fixed strings: number of elements or bytes
	max    int    // most bytes or elements

	sub  *program // element, pointee, nested value
	key  *program // map key
	node *layout.Node
	typ  reflect.Type
	maps *mapPool // iterators and scratch of a map type
}

// opFlags are the properties of an operation that need a bit.
type opFlags uint16

const (
	fSigned  opFlags = 1 << iota // integer
	fBE                          // big-endian
	fVarint                      // the number of a time is a uvarint
	fLenient                     // padded uvarints and any flag byte are accepted
	fNilable                     // a byte in front tells nil from empty
	fUTF8
	fSeconds  // time: the rules of the NewLife profile's seconds
	fField    // stands for a struct's field, so a boundary is before it
	fNewLife  // field of the NewLife profile: may be missing at the end
	fOptional // field tagged optional: may be missing at the end
	fIdle     // list: there is nothing to write or read of its elements
	fLooped   // list or map: lies on a cycle of types
	fCalls    // list: elements of neither memory nor bytes write themselves
	fLossy    // marshaler: may read back as another value, see hasText, lostBy
)

// opcode selects what the walkers do.
type opcode uint8

const (
	cInvalid opcode = iota // no operation: the compiler knows none for the form

	// The operations that the inner loops know.
	cBool
	c8
	c16
	c32
	c64
	cNano // time as int64 nanoseconds
	cString

	// Scalars.
	c16BE
	c32BE
	c64BE
	cComplex64
	cComplex128
	cPlatform // int and uint where they have 32 bits
	cVarint
	cZigZag
	cTime
	cDecimal
	cDecimalVar // four uvarints
	cChar
	cRaw // length bytes of memory as they are

	// Values of varying shape: the methods one of the walkers.
	cText // strings with options
	cBytes
	cFixedText
	cFixedBytes
	cCall // a value with a program of its own
	cArray
	cSlice
	cMap
	cPointer
	cInline
	cShared
	cSized
	cBinary
	cMarshalText
	cMarshalJSON
	cMarshalGob
	cSelf

	codes // how many there are
)

// What a program may be changed by: one bit per switch.
const (
	swBigEndian = 1 << iota
	swEncodeInt
	swFullTime
	swCount = 1 << iota
)

// switches returns the bits of the options that select among the programs of a
// plan.
func (o *Options) switches() (s int) {
	if o.BigEndian {
		s |= swBigEndian
	}
	if o.EncodeInt {
		s |= swEncodeInt
	}
	if o.FullTime {
		s |= swFullTime
	}
	return s
}
