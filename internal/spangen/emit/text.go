package emit

import (
	"fmt"
	"go/types"

	"github.com/spanwire/spanwire/internal/layout"
)

// limit returns the conditions under which a length is too large to be written.
func (f *file) limit(n *layout.Node, length string) []refusal {
	most := layout.Unlimited
	switch n.Prefix {
	case 1:
		most = 0xff
	case 2:
		most = 0xffff
	}
	if tag := f.most(n); tag != layout.Unlimited && (most == layout.Unlimited || tag < most) {
		most = tag
	}
	if most == layout.Unlimited {
		return []refusal{{length: length}}
	}
	return []refusal{{code: code("%s > %d", length, most)}}
}

// head returns the room and the size of a length in front of a value.
func head(n *layout.Node, length string) (most, exact sum) {
	if n.Prefix > 0 {
		return constant(n.Prefix), constant(n.Prefix)
	}
	return constant(5), term(0, "spanrt.SizeLength(%s)", length)
}

// headSize is the size of head alone.
func headSize(n *layout.Node, length string) sum {
	_, exact := head(n, length)
	return exact
}

// leadOf is the least size of a length.
func leadOf(n *layout.Node) int { return max(n.Prefix, 1) }

// putLength writes a length in front of a value.
func (a *appender) putLength(n *layout.Node, length string) {
	switch n.Prefix {
	case 0:
		a.do("i = spanrt.PutLength(b, %s, %s)", a.at(), length)
		a.off = 0
		return
	case 1:
		a.do("b[%s] = byte(%s)", a.at(), length)
	default:
		a.do("spanrt.PutUint%d(b[%s:], uint%d(%s))", 8*n.Prefix, a.at(), 8*n.Prefix, length)
	}
	a.off += n.Prefix
}

// lengthOf is the length of a value.
func lengthOf(x value) string { return fmt.Sprintf("len(%s)", x) }

// stringKind writes a string after its length:
//
//	i = spanrt.PutString(b, i+4, v.Name)
//
//	n, i := int(b[4]), 5
//	if n >= 0x80 {
//		n, i = spanrt.LongLength(b, i)
//	}
//	if n > len(b)-i-17 { ... }
//	v.Name = f.StringAt(b, i, n, 17)
//	i += n
type stringKind struct{}

func (stringKind) size(z *sizer, x value) {
	if x.node.Prefix == 0 {
		z.plus(term(0, "spanrt.SizeString(%s)", convert("string", x)))
		return
	}
	z.plus(term(x.node.Prefix, "%s", lengthOf(x)))
}

func (stringKind) room(f *file, x value) (most, exact sum, no []refusal) {
	no = f.limit(x.node, lengthOf(x))
	if x.node.UTF8 {
		no = append(no, refusal{code: code("!spanrt.ValidUTF8(%s)", convert("string", x))})
	}
	length := term(0, "%s", lengthOf(x))
	if x.node.Prefix == 0 {
		return constant(5).plus(length), term(0, "spanrt.SizeString(%s)", convert("string", x)), no
	}
	both := constant(x.node.Prefix).plus(length)
	return both, both, no
}

func (stringKind) append(a *appender, x value) {
	if x.node.Prefix == 0 {
		a.do("i = spanrt.PutString(b, %s, %s)", a.at(), convert("string", x))
		a.off = 0
		return
	}
	a.putLength(x.node, lengthOf(x))
	a.settle()
	a.do("i += copy(b[i:], %s)", x)
}

func (stringKind) opens() opening   { return opening{} }
func (stringKind) lead(x value) int { return leadOf(x.node) }

func (stringKind) read(r *reader, x value, lead place, after int) {
	doubts := r.length("n", x.node, lead)
	r.doubt(append(doubts, code("n > %s", r.minus(after)))...)
	if x.key {
		r.assign(x, "string", code("keys.String(f, b, i, n)"))
	} else {
		r.assign(x, "string", r.cursor("StringAt(b, i, n, %d)", r.rest))
	}
	if x.node.UTF8 {
		r.doubt(code("!spanrt.ValidUTF8(%s)", convert("string", x)))
	}
	r.do("i += n")
}

// minus is how many bytes are left besides those that must be.
func (r *reader) minus(after int) string {
	if after == 0 {
		return r.left()
	}
	return fmt.Sprintf("%s-%d", r.left(), after)
}

// bytesKind writes bytes after their length, and reads them into the memory
// that is there:
//
//	i = spanrt.PutBytes(b, i, v.Data)
//
//	v.Data = append(v.Data[:0], b[i:i+n]...)
type bytesKind struct{}

func (bytesKind) size(z *sizer, x value) {
	z.plus(headSize(x.node, lengthOf(x)).plus(term(0, "%s", lengthOf(x))))
}

func (bytesKind) room(f *file, x value) (most, exact sum, no []refusal) {
	length := term(0, "%s", lengthOf(x))
	most, exact = head(x.node, lengthOf(x))
	return most.plus(length), exact.plus(length), f.limit(x.node, lengthOf(x))
}

func (bytesKind) append(a *appender, x value) {
	if x.node.Prefix == 0 {
		a.do("i = spanrt.PutBytes(b, %s, %s)", a.at(), x)
		a.off = 0
		return
	}
	a.putLength(x.node, lengthOf(x))
	a.do("spanrt.PutNumbers(b[%s:], %s)", a.at(), x)
	a.settle()
	a.do("i += %s", lengthOf(x))
}

func (bytesKind) opens() opening   { return opening{} }
func (bytesKind) lead(x value) int { return leadOf(x.node) }

func (bytesKind) read(r *reader, x value, lead place, after int) {
	doubts := r.length("n", x.node, lead)
	r.doubt(append(doubts, code("n > %s", r.minus(after)))...)
	if isByte(x.typ().Underlying().(*types.Slice).Elem()) {
		r.do("%s = append(%s[:0], b[i:i+n]...)", x, x.operand())
	} else {
		r.do("%s = spanrt.ReadNumbers(%s, b[i:], n)", x, x)
	}
	r.do("i += n")
}

// isByte reports the type byte itself.
func isByte(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// paddedKind writes a string or bytes padded with zeros:
//
//	spanrt.PutPadded(b[i:i+16], v.Code)
//
//	n = spanrt.Unpadded(b[i:i+16])
//	v.Code = f.StringAt(b, i, n, -1)
type paddedKind struct{}

func (paddedKind) size(z *sizer, x value) { z.plus(constant(x.node.FixedLen)) }

func (paddedKind) room(f *file, x value) (most, exact sum, no []refusal) {
	no = []refusal{{code: code("!spanrt.FitsPadded(%s, %d)", x, x.node.FixedLen)}}
	if x.node.UTF8 {
		no = append(no, refusal{code: code("!spanrt.ValidUTF8(%s)", convert("string", x))})
	}
	return constant(x.node.FixedLen), constant(x.node.FixedLen), no
}

func (paddedKind) append(a *appender, x value) {
	n := x.node.FixedLen
	a.do("spanrt.PutPadded(b[%s:][:%d], %s)", a.at(), n, x)
	a.off += n
}

func (paddedKind) opens() opening { return opening{} }
func (paddedKind) lead(value) int { return 0 }

func (paddedKind) read(r *reader, x value, _ place, _ int) {
	from := r.at(0)
	r.do("n %s spanrt.Unpadded(b[%s:][:%d])", r.set("n"), from, x.node.FixedLen)
	switch {
	case x.node.Op == layout.OpBytes:
		r.do("%s = append(%s[:0], b[%s:][:n]...)", x, x.operand(), from)
	case x.key:
		r.assign(x, "string", code("keys.String(f, b, %s, n)", from))
	default:
		r.assign(x, "string", r.cursor("StringAt(b, %s, n, -1)", from))
	}
	if x.node.UTF8 {
		r.doubt(code("!spanrt.ValidUTF8(%s)", convert("string", x)))
	}
	r.off += x.node.FixedLen
}
