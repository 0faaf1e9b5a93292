package emit

import (
	"fmt"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// fixedSize is what the kinds of fixed size have in common.
type fixedSize struct{}

func (fixedSize) size(z *sizer, x value)                 { z.plus(constant(z.fixed(x.node))) }
func (fixedSize) refuse(value) []refusal                 { return nil }
func (fixedSize) doubt(*reader, value, place) []jen.Code { return nil }

// boolKind writes a bool as one byte, and leaves any but 0 and 1 to the plan:
//
//	c[4] = spanrt.Bool(v.Active)
//
//	if c[4] > 1 { ... }
//	v.Active = c[4] != 0
type boolKind struct{ fixedSize }

func (boolKind) put(a *appender, x value, to place) {
	a.do("%s = spanrt.Bool(%s)", to.byte(), convert("bool", x))
}

func (boolKind) doubt(_ *reader, _ value, at place) []jen.Code {
	return []jen.Code{code("%s > 1", at.byte())}
}

func (boolKind) get(r *reader, x value, at place) {
	if x.isNew { // which must get its own type
		r.assign(x, "bool", code("%s != 0", at.byte()))
		return
	}
	r.add(x.store(code("%s != 0", at.byte())))
}

// intKind writes an integer of fixed width:
//
//	spanrt.PutUint32(c[5:], uint32(v.ID))
//
//	v.ID = int32(spanrt.GetUint32(c[5:]))
//
// An int that does not fit here, on a platform of 32 bits, is left to the plan.
type intKind struct{ fixedSize }

func (intKind) put(a *appender, x value, to place) {
	if x.node.Size == 1 {
		a.do("%s = %s", to.byte(), convert("uint8", x))
		return
	}
	u := fmt.Sprintf("uint%d", 8*x.node.Size)
	a.do("spanrt.PutUint%d%s(%v, %s)", 8*x.node.Size, order(x.node), to.bytes(), convert(u, x))
}

func (intKind) doubt(_ *reader, x value, at place) []jen.Code {
	switch {
	case !x.node.Platform:
		return nil
	case x.node.Signed:
		return []jen.Code{code("!spanrt.FitsInt%s(%v)", order(x.node), at.bytes())}
	}
	return []jen.Code{code("!spanrt.FitsUint%s(%v)", order(x.node), at.bytes())}
}

func (intKind) get(r *reader, x value, at place) {
	if x.node.Size == 1 {
		r.assign(x, "uint8", code("%s", at.byte()))
		return
	}
	u := fmt.Sprintf("uint%d", 8*x.node.Size)
	r.assign(x, u, code("spanrt.GetUint%d%s(%v)", 8*x.node.Size, order(x.node), at.bytes()))
}

// floatKind writes floats, and complex numbers as two of them:
//
//	spanrt.PutFloat64(c[9:], v.Score)
//
//	v.Score = spanrt.GetFloat64(c[9:])
type floatKind struct{ fixedSize }

func (floatKind) put(a *appender, x value, to place) {
	bits := 8 * x.node.Size
	if x.node.Op == layout.OpFloat {
		a.do("spanrt.PutFloat%d%s(%v, %s)", bits, order(x.node), to.bytes(), convert(fmt.Sprintf("float%d", bits), x))
		return
	}
	c := convert(fmt.Sprintf("complex%d", bits), x)
	a.do("spanrt.PutFloat%d%s(%v, real(%s))", bits/2, order(x.node), to.bytes(), c)
	a.do("spanrt.PutFloat%d%s(%v, imag(%s))", bits/2, order(x.node), to.plus(x.node.Size/2).bytes(), c)
}

func (floatKind) get(r *reader, x value, at place) {
	bits := 8 * x.node.Size
	if x.node.Op == layout.OpFloat {
		r.assign(x, fmt.Sprintf("float%d", bits), code("spanrt.GetFloat%d%s(%v)", bits, order(x.node), at.bytes()))
		return
	}
	get := fmt.Sprintf("spanrt.GetFloat%d%s(%%v)", bits/2, order(x.node))
	both := code("complex("+get+", "+get+")", at.bytes(), at.plus(x.node.Size/2).bytes())
	r.assign(x, fmt.Sprintf("complex%d", bits), both)
}

// order is the end of the names of functions for the byte order.
func order(n *layout.Node) string {
	if n.BE {
		return "BE"
	}
	return ""
}

// convert returns the value as one of a predeclared type.
func convert(to string, x value) string {
	if b, ok := x.typ().(*types.Basic); ok && basicName(b) == to {
		return x.String()
	}
	return fmt.Sprintf("%s(%s)", to, x)
}

// basicName returns the name of a predeclared type, uint8 for byte.
func basicName(b *types.Basic) string { return types.Typ[b.Kind()].Name() }

// assign stores a result of the predeclared type from, converted as needed.
func (r *reader) assign(x value, from string, result *jen.Statement) {
	if b, ok := x.typ().(*types.Basic); ok && basicName(b) == from {
		r.add(x.store(result))
		return
	}
	r.add(x.store(code("%v(%v)", r.typeCode(x.typ()), result)))
}
