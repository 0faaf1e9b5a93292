package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// A kind makes the code of one wire form. It is a fixed or a variable as well.
type kind interface {
	// size adds the number of bytes to the sum.
	size(z *sizer, x value)
}

// A fixed is the kind of values that take the same number of bytes each and need
// no look at what is around them: runs of them are stored and loaded at
// constant offsets.
type fixed interface {
	kind
	// refuse returns the conditions under which the plan must write the value.
	refuse(x value) []refusal
	put(a *appender, x value, to place)
	// doubt returns the conditions under which the plan must read it.
	doubt(r *reader, x value, at place) []jen.Code
	get(r *reader, x value, at place)
}

// A variable is any other kind.
type variable interface {
	kind
	// room returns the most bytes that append may touch, the exact number, and
	// the conditions under which the plan must write the value. Where append
	// opens a new stretch that is about the head alone.
	room(f *file, x value) (most, exact sum, no []refusal)
	append(a *appender, x value)
	// lead is how many bytes at the front read finds at the place it is given;
	// after is how many must be left after the value.
	lead(x value) int
	read(r *reader, x value, lead place, after int)
	// opens reports whether what follows the value needs a check of its own.
	opens() opening
}

// opening reports in which directions a stretch of known size ends with a
// value.
type opening struct{ append, read bool }

// kind returns the kind of a node.
func (f *file) kind(n *layout.Node) kind {
	if f.class(n).unit != nil {
		return callKind{}
	}
	if n.Nilable {
		return nilableKind{}
	}
	switch n.Op {
	case layout.OpBool:
		return boolKind{}
	case layout.OpInt:
		if n.Enc != layout.EncFixed {
			return varintKind{}
		}
		return intKind{}
	case layout.OpFloat, layout.OpComplex:
		return floatKind{}
	case layout.OpString, layout.OpBytes:
		if n.FixedLen > 0 {
			return paddedKind{}
		}
		if n.Op == layout.OpString {
			return stringKind{}
		}
		return bytesKind{}
	case layout.OpTime:
		return timeKind{}
	case layout.OpGUID:
		return guidKind{}
	case layout.OpDecimal:
		return decimalKind{}
	case layout.OpChar:
		return charKind{}
	}
	return f.composite(n)
}

// composite returns the kind of a node that has parts.
func (f *file) composite(n *layout.Node) kind {
	switch n.Op {
	case layout.OpArray:
		switch {
		case f.fixed(n) < 0 || !f.isFixed(value{node: n.Elem}):
			return arrayKind{}
		case isNumbers(n):
			return numbersArrayKind{}
		}
		return fixedArrayKind{}
	case layout.OpSlice:
		if isNumbers(n) {
			return numbersKind{}
		}
		return listKind{}
	case layout.OpMap:
		return mapKind{}
	case layout.OpStruct:
		if f.fixed(n) >= 0 && f.allFixed(n) {
			return fixedStructKind{}
		}
		return structKind{}
	case layout.OpPointer:
		return pointerKind{}
	case layout.OpInline:
		return inlineKind{}
	case layout.OpSized:
		return sizedKind{}
	case layout.OpBinary, layout.OpText, layout.OpJSON, layout.OpGob:
		return marshalerKind{}
	case layout.OpSelf:
		return selfKind{}
	}
	f.noCode(n, "the form "+n.Op.String())
	return boolKind{} // of a file that is not rendered
}

// allFixed reports whether n is a folded struct of nothing but values of fixed
// kinds.
func (f *file) allFixed(n *layout.Node) bool {
	for i := range n.Struct.Fields {
		if !f.isFixed(value{node: n.Struct.Fields[i].Node}) {
			return false
		}
	}
	return true
}

// A refusal is a condition under which the plan must write a value: that a
// length is more than MaxLength, or any other.
type refusal struct {
	length string
	code   jen.Code
}

// conditions joins the lengths into one comparison, and returns it and the
// others.
func conditions(no []refusal) []jen.Code {
	lengths := ""
	var all []jen.Code
	for _, r := range no {
		switch {
		case r.code != nil:
			all = append(all, r.code)
		case lengths == "":
			lengths = r.length
		default:
			lengths += "|" + r.length
		}
	}
	if lengths != "" {
		all = append([]jen.Code{code("%s > spanrt.MaxLength", lengths)}, all...)
	}
	return all
}
