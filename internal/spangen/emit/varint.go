package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/spanwire/spanwire/internal/layout"
)

// varintKind writes an integer as the uvarint of its bits, or of its zigzag form:
//
//	i = spanrt.PutUvarint(b, i, uint64(uint32(v.Count)))
//	i = spanrt.PutUvarint(b, i, spanrt.ZigZag(int64(v.Delta)))
//
//	if i = spanrt.VarintAt(b, i, &v.Count); i < 0 { ... }
type varintKind struct{}

// bits returns the number that is written.
func (varintKind) bits(x value) *jen.Statement {
	switch {
	case x.node.Enc == layout.EncZigZag:
		return code("spanrt.ZigZag(%s)", convert("int64", x))
	case x.node.Signed && x.node.Size < 8:
		return code("uint64(uint%d(%s))", 8*x.node.Size, x)
	}
	return code("%s", convert("uint64", x))
}

func (k varintKind) size(z *sizer, x value) { z.plus(term(0, "spanrt.SizeUvarint(%v)", k.bits(x))) }

func (k varintKind) room(f *file, x value) (most, exact sum, no []refusal) {
	longest := map[int]int{2: 3, 4: 5, 8: 10}[x.node.Size]
	return constant(longest), term(0, "spanrt.SizeUvarint(%v)", k.bits(x)), nil
}

func (k varintKind) append(a *appender, x value) {
	a.do("i = spanrt.PutUvarint(b, %s, %v)", a.at(), k.bits(x))
	a.off = 0
}

func (varintKind) opens() opening { return opening{read: true} }
func (varintKind) lead(value) int { return 0 }

func (varintKind) read(r *reader, x value, _ place, _ int) {
	form := "Varint"
	if x.node.Enc == layout.EncZigZag {
		form = "ZigZag"
	}
	if x.node.Platform {
		form += "Int"
	}
	r.look()
	r.settle()
	call := code(fmt.Sprintf("i = spanrt.%sAt(b, i, %s)", form, x.address()))
	r.add(jen.If(call, code("i < 0")).Block(r.plan()...))
}
