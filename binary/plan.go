package binary

import (
	"reflect"
	"sync"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
)

// What plans are made of: the rules are those of package binaryplan.
type (
	form   = binaryplan.Form
	op     = binaryplan.Op
	sizing = binaryplan.Length
)

// The forms of values.
const (
	opBool      = binaryplan.OpBool
	op8         = binaryplan.OpInt8
	opInt16     = binaryplan.OpInt16
	opInt32     = binaryplan.OpInt32
	opInt64     = binaryplan.OpInt64
	opInt       = binaryplan.OpInt
	opUint      = binaryplan.OpUint
	opFloat32   = binaryplan.OpFloat32
	opFloat64   = binaryplan.OpFloat64
	opChar      = binaryplan.OpChar
	opString    = binaryplan.OpString
	opTime      = binaryplan.OpTime
	opDecimal   = binaryplan.OpDecimal
	opNullable  = binaryplan.OpNullable
	opGUID      = binaryplan.OpGUID
	opBytes     = binaryplan.OpBytes
	opByteArray = binaryplan.OpByteArray
	opChars     = binaryplan.OpChars
	opDate      = binaryplan.OpDate
	opTimeOfDay = binaryplan.OpTimeOfDay
	opOffset    = binaryplan.OpOffset
	opDuration  = binaryplan.OpDuration
	opAddr      = binaryplan.OpAddr
	opAddrPort  = binaryplan.OpAddrPort
	opSlice     = binaryplan.OpSlice
	opArray     = binaryplan.OpArray
	opMap       = binaryplan.OpMap
	opAny       = binaryplan.OpAny
	opStruct    = binaryplan.OpStruct
	opObject    = binaryplan.OpObject
	opAccessor  = binaryplan.OpAccessor
	opSpan      = binaryplan.OpSpan
	opUnknown   = binaryplan.OpUnknown
)

// node is the plan of a type, made ready for use. It never changes.
type node struct {
	plan    *binaryplan.Node
	op      op
	typ     reflect.Type
	elem    *node // of pointers, lists, arrays, maps
	key     *node
	st      *structPlan
	sz      sizing
	le      bool // of numbers
	varint  bool // of numbers: uvarint
	full    bool // of times: DateTime.ToBinary
	bcd     int  // bytes of BCD, of strings and integers
	signed  bool
	len     int // of arrays
	min     int // fewest bytes
	empty   bool
	mutates bool // writing sets members: ref or count below
	open    bool // it takes the rest of the input, before a trailer
	null    binaryplan.NullForm
	pool    *sync.Pool
	stride  uintptr // size of an element in memory
	size    int     // bytes on the wire of a number
}

// structPlan is the plan of a struct's members.
type structPlan struct {
	plan   *binaryplan.Struct
	fields []field
	plain  bool // no member needs more than its node
	refs   []int
	last   int  // index of the last member that must be there, -1 without
	member bool // *T implements MemberAccessor
}

// field is one member.
type field struct {
	place
	quick quick // of node
	node  *node
	name  string
	path  string // from the struct, through embedded ones
	x     *extra
	min   int  // fewest bytes
	own   bool // writes itself: it may take no byte, but counts as missing at the end
	lends bool // what is in it, or where it points to, holds a length that others may set, too

	open    bool // it takes the rest of the input,
	trailer int  // but for this many bytes that stand behind it in its struct
}

// extra is what tags add to a member.
type extra struct {
	sizes []sizeCase // by version
	count *reference
	cond  *condition
	run   *bitRun
	sum   *sumPlan
	fixed []byte  // const: its bytes
	want  string  // const: as the tag has it
	value *uint64 // const: of an integer
	pad   int
	align int
	blank bool // no member in memory
	mark  int  // slot+1 in which to remember where the member starts
}

// sizeCase is one FieldSize attribute.
type sizeCase struct {
	version string
	sz      sizing
	ref     *reference
}

// reference leads to an integer, or a bool, of an earlier member.
type reference struct {
	path   string // as the tag has it
	steps  []step
	node   *node
	offset int
	field  int     // index of the member that is referred to, or begins the path
	value  *uint64 // of a member with const
}

// step is one member on the way; pointers are followed behind it.
type step struct {
	place
	node *node
}

// condition decides whether a member is there.
type condition struct {
	reference
	bit    int // of a number, -1 for a bool
	negate bool
}

// bitRun is a run of bit fields.
type bitRun struct {
	fields []bitField
	size   int // bytes
	lsb    bool
}

type bitField struct {
	place
	node  *node
	name  string
	path  string
	bits  int
	blank bool
	want  string
	value *uint64
}

// sumPlan is a checksum.
type sumPlan struct {
	name  string
	slot  int // of extra.mark, -1 for the start of the struct
	size  int
	funct func([]byte) uint64
}

// planSet holds the plans of one form of options.
type planSet struct {
	roots sync.Map // reflect.Type to *entry
}

// entry is a compiled plan with the reasons why it can't be used.
type entry struct {
	node   *node
	err    error // any
	tagErr error // those that no handler helps against
}

// planSets are caches; their contents follow from types alone.
var planSets [formCount]planSet

// plan gives the plan of a type under the options.
func (s *settings) plan(t reflect.Type) (*node, error) {
	e, ok := s.set.roots.Load(t)
	if !ok {
		e = compile(s.set, t)
	}
	en := e.(*entry)
	if s.Handlers != nil {
		return en.node, en.tagErr
	}
	return en.node, en.err
}
