package binary

import (
	"reflect"
	"sync"
)

// op is how a value is written and read.
type op uint8

const (
	opNone op = iota
	opBool
	op8
	opInt16 // these three: fixed in either order, or uvarint
	opInt32
	opInt64
	opInt  // of the platform's size in memory, 64 bits on the wire
	opUint //
	opFloat32
	opFloat64
	opChar
	opString
	opTime
	opDecimal
	opNullable
	opGUID
	opBytes
	opByteArray
	opChars
	opDate
	opTimeOfDay
	opOffset
	opDuration
	opAddr
	opAddrPort
	opSlice
	opArray
	opMap
	opAny
	opStruct
	opObject // *struct
	opAccessor
	opSpan
	opUnknown // what only a handler can take
)

// sizeForm says where the length of a value is.
type sizeForm uint8

const (
	sizePrefix  sizeForm = iota // before it, in width
	sizeExact                   // known: n bytes or elements
	sizeTrimmed                 // n bytes, trimmed when read
	sizeRest                    // up to the end of the input
	sizeUntil                   // ends with n
)

// sizing is the length of strings, bytes and lists.
type sizing struct {
	form   sizeForm
	width  int8
	le     bool // of the prefix, as is
	varint bool
	n      int
	until  int64
}

// node is the plan of a type. It never changes once compiled.
type node struct {
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
	null    nullForm
	pool    *sync.Pool
	stride  uintptr // size of an element in memory
	size    int     // bytes on the wire of a number
}

// structPlan is the plan of a struct's members.
type structPlan struct {
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
	path   string
	steps  []step
	node   *node
	offset int
	field  int     // index of the member that is referred to, or begins the path
	value  *uint64 // of a member with const
	sum    bool    // the member is a checksum
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
	from  string
	slot  int // of extra.mark, -1 for the start of the struct
	size  int
	funct func([]byte) uint64
}

// maxMarks is the number of members that sums of a struct may start from.
const maxMarks = 4

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
