package span

import (
	"math"
	"reflect"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span/spanrt"
)

// programKey identifies a program: plans share the nodes of types that they have
// in common, and so their programs.
type programKey struct {
	node     *layout.Node
	switches int
}

// compiler makes programs of nodes. It is used under planLock.
type compiler struct {
	done     map[programKey]*program
	switches int
}

// program gives the program of a node.
func (c *compiler) program(n *layout.Node) *program {
	key := programKey{n, c.switches}
	if pr := c.done[key]; pr != nil {
		return pr
	}
	typ := n.Type.(reflect.Type)
	pr := &program{node: n, typ: typ, size: typ.Size(), cyclic: n.Cyclic, least: n.Least, fixed: n.Fixed, ahead: spanrt.AheadOf(typ)}
	if c.switches != 0 {
		pr.least, pr.fixed = n.LeastSwitched, -1
	}
	c.done[key] = pr
	if n.Op == layout.OpStruct {
		pr.struc = true
		pr.starts = make([]int, 0, len(n.Struct.Fields)+1)
		for i := range n.Struct.Fields {
			pr.starts = append(pr.starts, len(pr.ops))
			c.field(pr, n.Struct, i)
		}
		pr.starts = append(pr.starts, len(pr.ops))
	} else {
		pr.ops = []op{c.op(n)}
	}
	pr.raw = rawProgram(pr)
	pr.ones = append([]op(nil), pr.ops...)
	joinRuns(pr.ops)
	pr.done = true
	return pr
}

// field appends the operations of one field.
func (c *compiler) field(pr *program, s *layout.Struct, i int) {
	f := &s.Fields[i]
	marks := fField
	if s.NewLife {
		marks |= fNewLife
	}
	if f.Optional {
		marks |= fOptional
	}
	at := mem.PlaceOf(pr.typ, f.Index)
	n := f.Node
	if n.Op == layout.OpStruct && !n.Cyclic && !f.Optional && n.Struct.NewLife == s.NewLife {
		if sub := c.program(n); sub.done {
			for _, o := range sub.ones {
				o.place = at.And(o.place)
				o.name = f.Name + "." + o.name
				pr.ops = append(pr.ops, o)
			}
			return
		}
	}
	o := c.fieldOp(n)
	o.place, o.name = at, f.Name
	o.flags |= marks
	pr.ops = append(pr.ops, o)
}

// fieldOp is op for a field: where the value counts a level of depth, or is a
// struct that can't be made a part of the outer one, it keeps its own program.
func (c *compiler) fieldOp(n *layout.Node) op {
	if n.Op == layout.OpStruct || n.Cyclic {
		o := newOp(n)
		o.code, o.sub = cCall, c.program(n)
		return o
	}
	return c.op(n)
}

// newOp gives the operation with what all have in common.
func newOp(n *layout.Node) op {
	o := op{node: n, typ: n.Type.(reflect.Type), max: math.MaxInt}
	if n.Max != layout.Unlimited {
		o.max = n.Max
	}
	if n.Lenient {
		o.flags |= fLenient
	}
	if n.Nilable {
		o.flags |= fNilable
	}
	if n.UTF8 {
		o.flags |= fUTF8
	}
	if n.Lossy {
		o.flags |= fLossy
	}
	if n.Looped && (n.Op == layout.OpSlice || n.Op == layout.OpMap) {
		o.flags |= fLooped
	}
	return o
}

// op makes the operation of a value that is no struct.
func (c *compiler) op(n *layout.Node) op {
	o := newOp(n)
	switch n.Op {
	case layout.OpBool:
		o.fix(cBool, 1)
	case layout.OpInt, layout.OpFloat, layout.OpComplex:
		c.number(&o, n)
	case layout.OpTime:
		c.time(&o, n)
	case layout.OpGUID:
		o.code, o.length, o.room, o.need = cRaw, 16, 16, 16
	case layout.OpChar:
		o.fix(cChar, 1)
	case layout.OpDecimal:
		c.decimal(&o, n)
	case layout.OpString, layout.OpBytes:
		stringOp(&o, n)
	case layout.OpArray:
		c.array(&o, n)
	case layout.OpSlice:
		o.code, o.sub = cSlice, c.program(n.Elem)
		o.need = int32(n.Min)
		if n.Elem.Idle() {
			o.flags |= fIdle
		} else if n.MaxZero {
			o.flags |= fCalls
		}
	case layout.OpMap:
		o.code, o.sub, o.key = cMap, c.program(n.Elem), c.program(n.Key)
		o.need = int32(n.Min)
		o.maps = newMapPool(n)
	case layout.OpStruct:
		o.code, o.sub = cCall, c.program(n)
	default:
		c.indirect(&o, n)
	}
	return o
}

// indirect is op for pointers, sized structs and types with methods.
func (c *compiler) indirect(o *op, n *layout.Node) {
	switch n.Op {
	case layout.OpPointer:
		o.code, o.sub, o.need = cPointer, c.program(n.Elem), 1
	case layout.OpInline:
		o.code, o.sub = cInline, c.program(n.Elem)
	case layout.OpShared:
		o.code, o.sub, o.need = cShared, c.program(n.Elem), 1
	case layout.OpSized:
		o.code, o.sub, o.need = cSized, c.program(n.Elem), 1
	case layout.OpBinary:
		o.code, o.need = cBinary, int32(n.Min)
	case layout.OpText:
		o.code, o.need = cMarshalText, int32(n.Min)
	case layout.OpJSON:
		o.code, o.need = cMarshalJSON, int32(n.Min)
	case layout.OpGob:
		o.code, o.need = cMarshalGob, int32(n.Min)
	case layout.OpSelf:
		o.code = cSelf
	}
}

// incomplete reports a program that has, or leads to, a value without an operation.
func (pr *program) incomplete() bool {
	seen := map[*program]bool{nil: true}
	var visit func(pr *program) bool
	visit = func(pr *program) bool {
		if seen[pr] {
			return false
		}
		seen[pr] = true
		for i := range pr.ones {
			if o := &pr.ones[i]; o.code == cInvalid || visit(o.sub) || visit(o.key) {
				return true
			}
		}
		return false
	}
	return visit(pr)
}

// errNoOperation is the reason for values of a form that this package does not know.
var errNoOperation = because(ErrUnsupported, "there is no operation for the form of this value")

// maxRaw is the longest array that is part of a run.
const maxRaw = 1024

// array makes the operation of an array.
func (c *compiler) array(o *op, n *layout.Node) {
	o.sub, o.length = c.program(n.Elem), n.Len
	if n.Elem.Idle() {
		o.length = 0
	}
	o.code = cArray
	if n.ByteArray && n.Len <= maxRaw {
		o.code, o.room, o.need = cRaw, int32(n.Len), int32(n.Len)
	}
}

// fixed reports an operation whose bytes can be part of a run.
func (o *op) fixed() bool {
	switch {
	case o.code == cInvalid, o.code == cVarint, o.code == cZigZag, o.code == cDecimalVar, o.code == cTime && o.flags&fVarint != 0:
		return false
	}
	return o.code <= cRaw && o.code != cString
}

// joinRuns lets the first operation of each run ask for the bytes of all.
func joinRuns(ops []op) {
	const most = 1 << 14
	for i := 0; i < len(ops); {
		j := i + 1
		if !ops[i].fixed() {
			i = j
			continue
		}
		for j < len(ops) && ops[j].fixed() && ops[i].need < most {
			ops[i].need += ops[j].need
			ops[i].room += ops[j].room
			ops[j].need, ops[j].room = 0, 0
			j++
		}
		i = j
	}
}

// rawProgram reports that the memory of a value is its wire form as it stands,
// but for the byte order of the machine: numbers without gaps.
func rawProgram(pr *program) bool {
	end := uintptr(0)
	for i := range pr.ops {
		o := &pr.ops[i]
		size := int(o.size)
		if o.code == cRaw {
			size = o.length
		} else if o.code < c8 || o.code > c64 {
			return false
		}
		if !o.contiguous(end) {
			return false
		}
		end += uintptr(size)
	}
	return end == pr.size && end > 0 && !pr.cyclic
}
