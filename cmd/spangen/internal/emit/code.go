package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// spanPath is the package that generated code calls.
const spanPath = "github.com/spanwire/spanwire/span"

// code makes an expression or statement of text that reads as it will stand in
// the output:
//
//	code("span.PutUint32(c[%d:], %s)", 4, x)
//
// Names behind "span." are qualified by whatever name the file imports the
// package under. The verbs are those of fmt; an argument that is code itself is
// put in its place.
func code(format string, args ...any) *jen.Statement {
	s := jen.Null()
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			s.Id(plain.String())
			plain.Reset()
		}
	}
	for len(format) > 0 {
		switch {
		case format[0] == '%' && len(format) > 1:
			if c, ok := args[0].(jen.Code); ok {
				flush()
				s.Add(c)
			} else {
				fmt.Fprintf(&plain, format[:2], args[0])
			}
			format, args = format[2:], args[1:]
		case strings.HasPrefix(format, "span."):
			flush()
			n := len("span.")
			for n < len(format) && isLetter(format[n]) {
				n++
			}
			s.Qual(spanPath, format[len("span."):n])
			format = format[n:]
		default:
			plain.WriteByte(format[0])
			format = format[1:]
		}
	}
	flush()
	return s
}

func isLetter(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// anyOf joins conditions, one a line where they are many.
func anyOf(conditions []jen.Code) *jen.Statement {
	s := jen.Null()
	for i, c := range conditions {
		if i > 0 {
			s.Op("||")
			if len(conditions) > 3 {
				s.Line()
			}
		}
		s.Add(c)
	}
	return s
}

// A sum is a number of bytes: a constant and terms known at run time.
type sum struct {
	n     int
	terms []jen.Code
}

func constant(n int) sum { return sum{n: n} }

// term is a sum of one expression.
func term(n int, format string, args ...any) sum {
	return sum{n: n, terms: []jen.Code{code(format, args...)}}
}

func (s sum) plus(t sum) sum {
	return sum{s.n + t.n, append(s.terms[:len(s.terms):len(s.terms)], t.terms...)}
}

func (s sum) isZero() bool { return s.n == 0 && len(s.terms) == 0 }

// code gives the sum as an expression, the constant first.
func (s sum) code() *jen.Statement {
	c := jen.Null()
	if s.n != 0 || len(s.terms) == 0 {
		c.Lit(s.n)
	}
	for i, t := range s.terms {
		if i > 0 || s.n != 0 {
			c.Op("+")
			if i > 0 && i%4 == 0 {
				c.Line()
			}
		}
		c.Add(t)
	}
	return c
}

// tagLiteral gives a struct tag as source.
func tagLiteral(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}
