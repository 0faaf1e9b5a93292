package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// mapKind writes the entries of a map in any order:
//
//	i = spanrt.PutLength(b, i, len(v.Sizes))
//	for k, x := range v.Sizes {
//		...
//	}
//
//	if count > (len(b)-i)/5 { ... }
//	v.Sizes = spanrt.Map(v.Sizes, count)
//	keys := f.Keys(b, i, count, 4)
//	for range count {
//		...
//		k := keys.String(f, b, i, n)
//		v.Sizes[k] = int32(spanrt.GetUint32(b[i:]))
//	}
type mapKind struct{}

// loop returns the head of the loop over the entries; a variable that nothing
// is written of is left out.
func (mapKind) loop(f *fn, x value) *jen.Statement {
	k, e := f.nested("k"), f.nested("x")
	if !f.looksAt(x.node.Key) {
		k = "_"
	}
	return entries(k, e, x, f.looksAt(x.node.Elem))
}

// entries is the loop over the entries, with the variable of the values where
// it is needed.
func entries(k, e string, x value, values bool) *jen.Statement {
	switch {
	case values:
		return jen.For(code("%s, %s := range %s", k, e, x))
	case k == "_":
		return jen.For(code("range %s", x))
	}
	return jen.For(code("%s := range %s", k, x))
}

// entry returns the values of an entry.
func (mapKind) entry(f *fn, x value) []value {
	k := x.part(x.node.Key, path{expr: f.nested("k")}).stepped(step{field: "[key]"})
	e := x.part(x.node.Elem, path{expr: f.nested("x")}).stepped(f.keyStep(x.node.Key))
	f.level++
	all := append(f.flatten(k), f.flatten(e)...)
	f.level--
	for i := range all {
		all[i].name = ""
	}
	return all
}

func (k mapKind) size(z *sizer, x value) {
	z.plus(headSize(x.node, lengthOf(x)))
	key, elem := z.steady(x.node.Key), z.steady(x.node.Elem)
	if key >= 0 && elem >= 0 {
		if key+elem > 0 {
			z.plus(term(0, "%d*%s", key+elem, lengthOf(x)))
		}
		return
	}
	z.settle()
	loop := k.sizeLoop(&z.fn, x)
	all := k.entry(&z.fn, x)
	z.level++
	body := z.within(func() { z.sequence(all) })
	z.level--
	z.add(loop.Block(body...))
}

// keyStep returns the step that leads to the value of a key.
func (f *fn) keyStep(key *layout.Node) step {
	if !f.looksAt(key) {
		return step{field: "[{}]"} // the only one
	}
	return step{index: "span.PlanOf(&" + f.nested("k") + ").Key(" + f.nested("k") + ")"}
}

// sizeLoop is loop for sizes: a variable of fixed size is left out.
func (mapKind) sizeLoop(f *fn, x value) *jen.Statement {
	k, e := f.nested("k"), f.nested("x")
	if f.steady(x.node.Key) >= 0 {
		k = "_"
	}
	return entries(k, e, x, f.steady(x.node.Elem) < 0)
}

func (mapKind) room(f *file, x value) (most, exact sum, no []refusal) {
	most, exact = head(x.node, lengthOf(x))
	return most, exact, f.limit(x.node, lengthOf(x))
}

func (k mapKind) append(a *appender, x value) {
	a.putLength(x.node, lengthOf(x))
	a.settle()
	if a.fixed(x.node.Key) == 0 && a.fixed(x.node.Elem) == 0 {
		return
	}
	loop, all := k.loop(&a.fn, x), k.entry(&a.fn, x)
	a.level++
	a.loops++
	body := a.block(func() {
		a.sequence(all)
		a.settle()
	})
	a.level--
	a.loops--
	a.add(loop.Block(body...))
}

func (mapKind) opens() opening   { return opening{append: true, read: true} }
func (mapKind) lead(x value) int { return leadOf(x.node) }

func (m mapKind) read(r *reader, x value, lead place, _ int) { //nolint:revive // k is the key below
	count := r.nested("count")
	doubts := r.length(count, x.node, lead)
	if least := r.minElem(x.node); least > 0 {
		doubts = append(doubts, code("%s > %s", count, r.quotient(0, least)))
	}
	r.doubt(doubts...)
	r.do("%s = spanrt.Map(%s, %s)", x, x, count)
	if !hasText(x.node.Key) {
		m.entries(r, x, count)
		return
	}
	r.scoped(func() {
		ahead := m.ahead(r, x)
		if ahead != "" {
			r.do("keys := %v", r.cursor("Keys(b, i, %s, %s)", count, ahead))
		} else {
			r.do("keys := %v", r.cursor("Keys(b, i, 0, 0)"))
		}
		m.entries(r, x, count)
	}, "keys")
}

// entries reads as many entries.
func (mapKind) entries(r *reader, x value, count string) {
	k, e := r.nested("k"), r.nested("x")
	body := r.inLoop(0, func() {
		key := r.variable(x.part(x.node.Key, path{expr: k}))
		key.key = true
		elem := x.part(x.node.Elem, x.path.index(k))
		// A value that is looked at once more has a variable of its own: under a
		// key such as NaN nothing is found in the map.
		direct := isPlain(x.node.Elem) && !x.node.Elem.UTF8
		if !direct {
			elem = r.variable(x.part(x.node.Elem, path{expr: e}))
		}
		all := append(r.flatten(key), r.flatten(elem)...)
		for i := range all {
			all[i].name = ""
		}
		r.sequence(all)
		if !direct {
			r.settle()
			r.do("%s = %s", x.path.index(k), e)
		}
	})
	r.add(jen.For(code("range %s", count)).Block(body...))
}

// variable declares a variable for a new value, unless its first assignment
// does.
func (r *reader) variable(x value) value {
	if isPlain(x.node) {
		x.isNew = true
	} else {
		r.do("var %s %v", x.expr, r.typeCode(x.typ()))
	}
	return x
}

// isPlain reports whether n is a value that is read by a single assignment.
func isPlain(n *layout.Node) bool {
	switch n.Op {
	case layout.OpBool, layout.OpFloat, layout.OpTime, layout.OpDecimal, layout.OpString:
		return true
	case layout.OpInt:
		return n.Enc == layout.EncFixed
	}
	return false
}

// ahead tells Keys what follows each key: the size of the value, -1 for a
// string. Where that is not enough it is given no entry to look at.
func (mapKind) ahead(r *reader, x value) string {
	text := func(n *layout.Node) bool {
		return (n.Op == layout.OpString || n.Op == layout.OpBytes) && n.Prefix == 0 && n.FixedLen == 0 && !n.Nilable
	}
	switch elem := x.node.Elem; {
	case !text(x.node.Key):
	case r.fixed(elem) >= 0:
		return fmt.Sprint(r.fixed(elem))
	case text(elem):
		return "-1"
	}
	return ""
}

// hasText reports whether n is a key with strings in it.
func hasText(n *layout.Node) bool {
	switch n.Op {
	case layout.OpString:
		return true
	case layout.OpArray:
		return n.Len > 0 && hasText(n.Elem)
	case layout.OpStruct:
		for i := range n.Struct.Fields {
			if hasText(n.Struct.Fields[i].Node) {
				return true
			}
		}
	}
	return false
}
