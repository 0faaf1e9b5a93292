package emit

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// A unit is a type with code of its own: generated methods, here or in another
// file, or functions of this file for a type that bears none.
type unit struct {
	node   *layout.Node // what the code writes and reads, as a message
	typ    types.Type
	method bool
	local  bool         // a method of this package, so unexported ones exist too
	suffix string       // of the functions' names
	body   *layout.Node // what the code does of a type that is not a struct

	// cyclic: the type lies on a type cycle, so that entering it counts one
	// level of depth. deep: such a type is reached, so that the depth is passed.
	cyclic, deep bool
}

// unitOf returns the unit whose code is called for a node, nil where there is
// none and only the plan can do it.
func (f *file) unitOf(n *layout.Node) *unit {
	named, ok := n.Type.(*types.Named)
	if !ok {
		return nil
	}
	isStruct := n.Op == layout.OpStruct || n.Op == layout.OpSized && n.Elem.Struct.Sized
	generated := n.Generated || isStruct && f.pkg.Generated != nil && f.pkg.Generated(n.Type)
	switch {
	case generated && named.TypeArgs().Len() == 0:
		u := &unit{node: n, typ: named, method: true, local: named.Obj().Pkg() == f.pkg.Types}
		u.cyclic, u.deep = n.Cyclic, f.deep(n)
		return u
	case !isStruct, f.isForeignBuild(n), !f.nameable(named), hasParams(named):
		return nil
	}
	return f.function(n, named)
}

// function returns the functions of a type without methods, which are emitted
// behind the methods.
func (f *file) function(n *layout.Node, named *types.Named) *unit {
	if u := f.functions[named]; u != nil {
		return u
	}
	base := functionBase(named)
	suffix := base + "_" + f.out.Stem
	for i := 2; f.pkg.Types.Scope().Lookup("append"+suffix) != nil || f.suffixes[suffix]; i++ {
		suffix = fmt.Sprintf("%s%d_%s", base, i, f.out.Stem)
	}
	f.suffixes[suffix] = true
	u := &unit{node: n, typ: named, local: true, suffix: suffix, cyclic: n.Cyclic, deep: f.deep(n)}
	f.functions[named] = u
	f.queue = append(f.queue, u)
	return u
}

// functionBase makes a part of a name of a type: Node[int] becomes NodeInt.
func functionBase(t types.Type) string {
	text := types.TypeString(t, func(*types.Package) string { return "" })
	var b strings.Builder
	up := true
	for _, c := range text {
		switch {
		case !isLetter(byte(c)) || c > 127:
			up = true
			continue
		case up:
			b.WriteString(strings.ToUpper(string(c)))
		default:
			b.WriteRune(c)
		}
		up = false
	}
	return b.String()
}

// hasParams reports whether t is a type that mentions type parameters.
func hasParams(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t.TypeParams().Len() > 0
		}
		for i := range t.TypeArgs().Len() {
			if hasParams(types.Unalias(t.TypeArgs().At(i))) {
				return true
			}
		}
	case *types.Pointer:
		return hasParams(types.Unalias(t.Elem()))
	case *types.Slice:
		return hasParams(types.Unalias(t.Elem()))
	case *types.Array:
		return hasParams(types.Unalias(t.Elem()))
	case *types.Map:
		return hasParams(types.Unalias(t.Key())) || hasParams(types.Unalias(t.Elem()))
	}
	return false
}

// deep reports whether a type that lies on a cycle is the node's or below it.
func (f *file) deep(n *layout.Node) bool {
	if d, ok := f.deeps[n]; ok {
		return d
	}
	f.deeps[n] = n.Cyclic
	d := n.Cyclic
	for _, m := range []*layout.Node{n.Key, n.Elem} {
		d = d || m != nil && f.deep(m)
	}
	if n.Struct != nil {
		for i := range n.Struct.Fields {
			d = d || f.deep(n.Struct.Fields[i].Node)
		}
	}
	f.deeps[n] = d
	return d
}

// leadsToOwn reports whether methods by hand are or may be called for the node or
// below it.
func (f *file) leadsToOwn(root *layout.Node) bool {
	seen := map[*layout.Node]bool{}
	var visit func(n *layout.Node) bool
	visit = func(n *layout.Node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		if leads, ok := f.owns[n]; ok || n.Op == layout.OpSelf || n.Op == layout.OpParam {
			return leads || !ok
		}
		for i := 0; n.Struct != nil && i < len(n.Struct.Fields); i++ {
			if visit(n.Struct.Fields[i].Node) {
				return true
			}
		}
		return visit(n.Key) || visit(n.Elem)
	}
	leads := visit(root)
	if leads {
		f.owns[root] = true
		return true
	}
	for n := range seen {
		f.owns[n] = false // none of them does
	}
	return false
}

// fields returns the fields of the unit's struct, nil where it is none.
func (u *unit) fields() []layout.Field {
	switch {
	case u.node.Op == layout.OpStruct:
		return u.node.Struct.Fields
	case u.node.Op == layout.OpSized:
		return u.node.Elem.Struct.Fields
	}
	return nil
}

// newLife reports whether u is a struct whose fields have NewLife's profile.
func (u *unit) newLife() bool {
	n := u.node
	if n.Op == layout.OpSized {
		n = n.Elem
	}
	return n.Op == layout.OpStruct && n.Struct.NewLife
}

// wholly reports whether u is a type of which the plan does everything.
func (u *unit) wholly() bool {
	n := u.node
	if n.Op == layout.OpSized && n.Elem.Shares {
		return true
	}
	return n.Shares || n.Struct != nil && n.Struct.RootShared
}

// appendCall calls the code that appends x to b, depth being an expression.
func (u *unit) appendCall(x value, b, depth string) *jen.Statement {
	switch {
	case !u.method && u.deep:
		return code("append%s(%s, %s, %s)", u.suffix, b, x.address(), depth)
	case !u.method:
		return code("append%s(%s, %s)", u.suffix, b, x.address())
	case u.local && u.deep:
		return code("%s.appendSpan(%s, %s)", x.receiver(), b, depth)
	}
	return code("%s.AppendSpan(%s)", x.receiver(), b)
}

// sizeCall is appendCall for the size.
func (u *unit) sizeCall(x value, depth string) *jen.Statement {
	switch {
	case !u.method && u.deep:
		return code("size%s(%s, %s)", u.suffix, x.address(), depth)
	case !u.method:
		return code("size%s(%s)", u.suffix, x.address())
	case u.local && u.deep:
		return code("%s.sizeSpan(%s)", x.receiver(), depth)
	}
	return code("%s.SizeSpan()", x.receiver())
}

// readCall is appendCall for reading.
func (u *unit) readCall(x value) *jen.Statement {
	if !u.method {
		return code("read%s(r, %s)", u.suffix, x.address())
	}
	return code("%s.ReadSpan(r)", x.receiver())
}
