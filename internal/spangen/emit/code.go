package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// The packages that generated code calls.
const (
	spanPath   = "github.com/spanwire/spanwire/span"
	spanrtPath = spanPath + "/spanrt"
)

// code makes an expression or statement of text that reads as it will stand in
// the output:
//
//	code("spanrt.PutUint32(c[%d:], %s)", 4, x)
//
// Names after "span." and "spanrt." are qualified by whatever name the file
// imports the package under. The verbs are those of fmt; an argument that is
// code itself is put in its place.
func code(format string, args ...any) *jen.Statement {
	text, parts := fill(format, args)
	s := jen.Null()
	start, quoted := 0, false
	flush := func(end int) {
		if start < end {
			s.Id(text[start:end])
		}
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == splice:
			flush(i)
			s.Add(parts[0])
			parts, start = parts[1:], i+1
		case !quoted && text[i] == 's' && (i == 0 || text[i-1] != '.' && !isLetter(text[i-1])):
			path, at := qualifier(text[i:])
			if at == 0 {
				continue
			}
			flush(i)
			n := i + at
			for n < len(text) && isLetter(text[n]) {
				n++
			}
			s.Qual(path, text[i+at:n])
			start, i = n, n-1
		}
	}
	flush(len(text))
	return s
}

// qualifier returns the package that text begins with the name of, and where
// the name after the dot begins; 0 where it begins with none.
func qualifier(text string) (path string, at int) {
	switch {
	case strings.HasPrefix(text, "span."):
		return spanPath, len("span.")
	case strings.HasPrefix(text, "spanrt."):
		return spanrtPath, len("spanrt.")
	}
	return "", 0
}

// splice stands in text for an argument that is code itself.
const splice = '\x00'

// fill puts the arguments into the format, and returns separately those that
// are code.
func fill(format string, args []any) (string, []jen.Code) {
	var parts []jen.Code
	for i, a := range args {
		if c, ok := a.(jen.Code); ok {
			if parts == nil {
				args = slices.Clone(args)
			}
			args[i], parts = string(splice), append(parts, c)
		}
	}
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return format, parts
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

// code returns the sum as an expression, the constant first.
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

// tagLiteral returns a struct tag as source.
func tagLiteral(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}
