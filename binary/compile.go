package binary

import (
	"reflect"
	"slices"
	"sync"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/layout/fromreflect"
	"github.com/spanwire/spanwire/internal/mem"
)

// compiled makes plans: what types and tags mean is told by package binaryplan;
// here it is made ready for use, with the places of members in memory.
var compiled = compiler{
	Compiler: binaryplan.NewCompiler(fromreflect.Accessors{
		Accessor: reflect.TypeFor[Accessor](), MemberAccessor: reflect.TypeFor[MemberAccessor](),
	}),
	nodes: map[*binaryplan.Node]*node{},
}

// compiler has the nodes of all plans, for types that plans have in common.
type compiler struct {
	sync.Mutex
	*binaryplan.Compiler
	nodes map[*binaryplan.Node]*node
}

// compile makes the plan of a root type and keeps it.
func compile(set *planSet, t reflect.Type) *entry {
	compiled.Lock()
	defer compiled.Unlock()
	if e, ok := set.roots.Load(t); ok {
		return e.(*entry)
	}
	index := 0
	for index < formCount && &planSets[index] != set {
		index++
	}
	plan, problems := compiled.Compile(t, formOf(index))
	e := &entry{err: unsupportedBy(problems)}
	e.tagErr = unsupportedBy(slices.DeleteFunc(slices.Clone(problems), binaryplan.OfType))
	if e.tagErr == nil {
		e.node = compiled.node(plan)
	}
	set.roots.Store(t, e)
	return e
}

// unsupportedBy makes an error of the reasons.
func unsupportedBy(problems []layout.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &layout.Error{Kind: ErrUnsupported, Problems: problems}
}

// node makes a node ready for use.
func (c *compiler) node(l *binaryplan.Node) *node {
	if l == nil {
		return nil
	}
	if n := c.nodes[l]; n != nil {
		return n
	}
	n := &node{
		plan: l, op: l.Op, typ: l.Type.(reflect.Type), sz: l.Length, size: l.Size, le: l.LE, varint: l.Varint, full: l.Full,
		signed: l.Signed, bcd: l.BCD, len: l.Len, null: l.Null, min: l.Min, empty: l.Empty, mutates: l.Mutates, open: l.Open,
	}
	c.nodes[l] = n
	n.elem, n.key = c.node(l.Elem), c.node(l.Key)
	if n.elem != nil {
		n.stride = n.elem.typ.Size()
	}
	if n.op == opMap {
		n.pool = newMapPool(n.typ)
	}
	if l.Struct != nil {
		n.st = &structPlan{plan: l.Struct}
		c.structOf(n.st, l.Struct, n.typ)
	}
	return n
}

// structOf makes the plan of a struct's members ready for use.
func (c *compiler) structOf(st *structPlan, l *binaryplan.Struct, t reflect.Type) {
	st.refs, st.last, st.member = l.Refs, l.Last, l.Member
	st.plain = !l.Member && len(l.Refs) == 0
	st.fields = make([]field, len(l.Fields))
	for i := range l.Fields {
		f := &l.Fields[i]
		st.fields[i] = field{
			place: placeAt(t, f.Index), node: c.node(f.Node), name: f.Name, path: f.Path, x: c.extra(f, t),
			min: f.Min, own: f.Own, lends: f.Lends, open: f.Open, trailer: f.Trailer,
		}
		if !f.Plain() || f.Open {
			st.plain = false
		}
		if f.Plain() {
			st.fields[i].quick = st.fields[i].node.quick()
		}
	}
}

// placeAt returns the place of a member of t, through embedded structs.
func placeAt(t reflect.Type, index []int) place {
	var pl place
	for _, i := range index {
		pl, t = pl.And(mem.PlaceOf(t, i)), t.Field(i).Type
	}
	return pl
}

// extra returns what tags add to a member of t, nil where they add nothing.
func (c *compiler) extra(f *binaryplan.Field, t reflect.Type) *extra {
	if f.Plain() {
		return nil
	}
	x := &extra{
		count: c.reference(f.Count, t), cond: c.condition(f.If, t), run: c.run(f.Bits, t), sum: sumOf(f.Sum),
		pad: f.Pad, align: f.Align, blank: f.Blank, mark: f.Mark,
	}
	for _, s := range f.Sizes {
		x.sizes = append(x.sizes, sizeCase{version: s.Version, sz: s.Length, ref: c.reference(s.Ref, t)})
	}
	if k := f.Const; k != nil {
		x.want, x.value, x.fixed = k.Text, k.Value, k.Raw
		if k.Value != nil {
			x.fixed = appendNumber(nil, c.node(f.Node), *k.Value)
		}
	}
	return x
}

// reference makes the way to another member of t.
func (c *compiler) reference(l *binaryplan.Reference, t reflect.Type) *reference {
	if l == nil {
		return nil
	}
	r := &reference{path: l.Text, node: c.node(l.Node), offset: l.Offset, field: l.Field, value: l.Value}
	for _, s := range l.Steps {
		n := c.node(s.Node)
		r.steps = append(r.steps, step{placeAt(t, s.Index), n})
		for t = n.typ; t.Kind() == reflect.Pointer; t = t.Elem() {
		}
	}
	return r
}

func (c *compiler) condition(l *binaryplan.Condition, t reflect.Type) *condition {
	if l == nil {
		return nil
	}
	return &condition{reference: *c.reference(&l.Reference, t), bit: l.Bit, negate: l.Negate}
}

// run makes a run of bit fields of t.
func (c *compiler) run(l *binaryplan.BitRun, t reflect.Type) *bitRun {
	if l == nil {
		return nil
	}
	r := &bitRun{size: l.Size, lsb: l.LSB}
	for _, f := range l.Fields {
		bf := bitField{node: c.node(f.Node), name: f.Name, path: f.Path, bits: f.Bits, blank: f.Blank}
		if !f.Blank {
			bf.place = placeAt(t, f.Index)
		}
		if f.Const != nil {
			bf.want, bf.value = f.Const.Text, f.Const.Value
		}
		r.fields = append(r.fields, bf)
	}
	return r
}
