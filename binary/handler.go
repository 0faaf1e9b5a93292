package binary

import (
	"reflect"

	"github.com/spanwire/spanwire/internal/mem"
)

// Handler writes and reads values of the types it knows (IBinaryHandler). The
// handlers of Options.Handlers are asked in their order for every value at every
// depth, the root included, until one answers something else than
// errors.ErrUnsupported, which means "next, please".
//
// v is addressable. A nil-able pointer is offered as such, and then what it
// points to. Members whose tag changes their form (bits, const, sum, bcd,
// fixed, and lengths) are not offered, but the elements of such a list are.
//
// Write uses the Encoder's methods, Read the Decoder's, WriteValue and ReadValue
// for values inside. What Write has written when it answers ErrUnsupported is
// taken back.
//
// With a chain every value costs a walk along it, and package reflect: messages
// take several times as long as with nil, which has the same bytes as
// [DefaultHandlers].
type Handler interface {
	Write(e *Encoder, v reflect.Value) error
	Read(d *Decoder, v reflect.Value) error
}

// DefaultHandlers returns NewLife's chain: General (numbers, strings, times,
// Nullable), Normal (Guid, byte arrays and the like), List, Dictionary and
// Composite (objects). The slice is the caller's, to insert handlers into; those
// that stand before another of the same type take its place.
func DefaultHandlers() []Handler {
	return []Handler{general, normal, lists, dictionary, composite}
}

// The handlers of the default chain.
const (
	general    group = iota // BinaryGeneral: bool, numbers, string, Char, Decimal, DateTime, Nullable
	normal                  // BinaryNormal: Guid, Byte[], Char[], DateOnly, TimeOnly, addresses and the like
	lists                   // BinaryList: slices and arrays
	dictionary              // BinaryDictionary: maps
	composite               // BinaryComposite: structs, and values that write themselves
)

// group is a handler of the default chain.
type group uint8

// Write implements [Handler].
func (g group) Write(e *Encoder, v reflect.Value) error {
	n, err := e.current(v)
	if err != nil {
		return err
	}
	if n.op == opUnknown || groupOf(n) != g {
		return errNext
	}
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		v = c
	}
	e.sized(n, mem.Address(v), n.sz)
	return nil
}

// Read implements [Handler].
func (g group) Read(d *Decoder, v reflect.Value) error {
	n, err := d.current(v)
	if err != nil {
		return err
	}
	if n.op == opUnknown || groupOf(n) != g {
		return errNext
	}
	if !v.CanAddr() {
		return because(ErrUnsupported, "a %s that is not addressable can't be read", v.Type())
	}
	d.sized(n, mem.Address(v), n.sz)
	return nil
}

// String gives the handler's name.
func (g group) String() string {
	return [...]string{"General", "Normal", "List", "Dictionary", "Composite"}[g]
}

// groupOf gives the handler that a type belongs to.
func groupOf(n *node) group {
	switch n.op {
	case opBytes, opByteArray, opGUID, opChars, opDate, opTimeOfDay, opOffset, opDuration, opAddr, opAddrPort:
		return normal
	case opSlice, opArray:
		return lists
	case opMap:
		return dictionary
	case opStruct, opObject, opAccessor, opSpan, opAny:
		return composite
	}
	return general
}
