package emit

import (
	"github.com/dave/jennifer/jen"
)

// guidKind writes a GUID, which is an array of bytes:
//
//	*(*[16]byte)(c[3:]) = v.ID
//
//	v.ID = *(*[16]byte)(c[3:])
type guidKind struct{ fixedSize }

func (guidKind) put(a *appender, x value, to place) { a.do("*(*[16]byte)(%v) = %s", to.bytes(), x) }
func (guidKind) get(r *reader, x value, at place) {
	if x.isNew {
		r.do("%s := %v(%v)", x, r.typeCode(x.typ()), at.slice(16))
		return
	}
	r.do("%s = *(*[16]byte)(%v)", x, at.bytes())
}

// decimalKind writes the four words of a decimal:
//
//	v.Price.PutBits(c[3:])
//
//	if !spanrt.FitsDecimal(c[3:]) { ... }
//	v.Price = f.Decimal(c[3:])
type decimalKind struct{ fixedSize }

func (decimalKind) put(a *appender, x value, to place) {
	a.do("%s.PutBits(%v)", x.operand(), to.bytes())
}

func (decimalKind) doubt(_ *reader, _ value, at place) []jen.Code {
	return []jen.Code{code("!spanrt.FitsDecimal(%v)", at.bytes())}
}

func (decimalKind) get(r *reader, x value, at place) {
	r.add(x.store(r.cursor("Decimal(%v)", at.bytes())))
}

// charKind writes a character as one byte, and leaves others than those of one
// byte to the plan:
//
//	b[i] = byte(v.Letter)
//
//	v.Letter = span.Char(b[i])
type charKind struct{}

func (charKind) size(z *sizer, _ value) { z.plus(constant(1)) }

func (charKind) room(f *file, x value) (most, exact sum, no []refusal) {
	return constant(1), constant(1), []refusal{{code: code("!%s.Valid()", x.operand())}}
}

func (charKind) append(a *appender, x value) {
	a.do("b[%s] = byte(%s)", a.at(), x)
	a.off++
}

func (charKind) opens() opening { return opening{} }
func (charKind) lead(value) int { return 1 }

func (charKind) read(r *reader, x value, lead place, _ int) {
	r.add(x.store(code("span.Char(%s)", lead.byte())))
	r.off++
}
