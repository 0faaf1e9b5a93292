package value

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// losslessScanner takes JSON apart as RFC 8259 has it.
type losslessScanner struct {
	b     []byte
	i     int
	depth int // levels of nesting that are left
}

func (r *losslessScanner) bad() error { return &Error{Offset: r.i, Reason: ErrSyntax} }

// blank passes over white space and returns the byte behind it, 0 at the end.
func (r *losslessScanner) blank() byte {
	for ; r.i < len(r.b); r.i++ {
		if c := r.b[r.i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

func (r *losslessScanner) peek() byte {
	if r.i < len(r.b) {
		return r.b[r.i]
	}
	return 0
}

func (r *losslessScanner) literal(s string) error {
	if len(r.b)-r.i < len(s) || string(r.b[r.i:r.i+len(s)]) != s {
		return r.bad()
	}
	r.i += len(s)
	return nil
}

// object calls member with each name, at its value.
func (r *losslessScanner) object(member func(name []byte) error) error {
	return r.sequence('}', func() error {
		if r.peek() != '"' {
			return r.bad()
		}
		name, err := r.text()
		if err != nil {
			return err
		}
		if r.blank() != ':' {
			return r.bad()
		}
		r.i++
		r.blank()
		return member(name)
	})
}

// elements calls element at each element of an array.
func (r *losslessScanner) elements(element func() error) error { return r.sequence(']', element) }

// sequence passes over the bracket at the cursor and calls one at each thing up to the other bracket.
func (r *losslessScanner) sequence(end byte, one func() error) error {
	r.i++
	if r.blank() == end {
		r.i++
		return nil
	}
	for {
		if err := one(); err != nil {
			return err
		}
		switch r.blank() {
		case end:
			r.i++
			return nil
		case ',':
			r.i++
			r.blank()
		default:
			return r.bad()
		}
	}
}

// text reads the string at the cursor. What it returns may be memory of the data.
func (r *losslessScanner) text() ([]byte, error) {
	start := r.i + 1
	for i := start; i < len(r.b); i++ {
		switch c := r.b[i]; {
		case c == '"':
			s := r.b[start:i]
			if !utf8.Valid(s) {
				return nil, r.bad()
			}
			r.i = i + 1
			return s, nil
		case c == '\\':
			return r.escaped(start, i)
		case c < ' ':
			r.i = i
			return nil, r.bad()
		}
	}
	r.i = len(r.b)
	return nil, r.bad()
}

// escaped reads on at the first escape of a string.
func (r *losslessScanner) escaped(start, i int) ([]byte, error) {
	s := append([]byte(nil), r.b[start:i]...)
	for i < len(r.b) {
		c := r.b[i]
		i++
		switch {
		case c == '"':
			r.i = i
			if !utf8.Valid(s) {
				return nil, r.bad()
			}
			return s, nil
		case c < ' ':
			r.i = i - 1
			return nil, r.bad()
		case c != '\\':
			s = append(s, c)
			continue
		}
		one, n := unescape(r.b[i:])
		if n == 0 {
			r.i = i
			return nil, r.bad()
		}
		s = utf8.AppendRune(s, one)
		i += n
	}
	r.i = len(r.b)
	return nil, r.bad()
}

// unescape reads what stands behind a backslash: n bytes, 0 when it is not an escape, or half a pair.
func unescape(b []byte) (c rune, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, b[0]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 1
	}
	c, ok := hex4(b)
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(c):
		return c, 5
	case len(b) < 11 || b[5] != '\\':
		return 0, 0
	}
	low, ok := hex4(b[6:])
	c = utf16.DecodeRune(c, low)
	if !ok || c == utf8.RuneError {
		return 0, 0
	}
	return c, 11
}

// hex4 reads u and four hexadecimal digits.
func hex4(b []byte) (rune, bool) {
	if len(b) < 5 || b[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	return rune(n), err == nil && b[1] != '+' && b[1] != '_'
}

// skip passes over the value at the cursor, which must be well formed.
func (r *losslessScanner) skip() error {
	if r.depth--; r.depth < 0 {
		return &Error{Offset: r.i, Reason: ErrDepth}
	}
	defer func() { r.depth++ }()
	switch c := r.blank(); c {
	case '{':
		return r.object(func([]byte) error { return r.skip() })
	case '[':
		return r.elements(r.skip)
	case '"':
		_, err := r.text()
		return err
	case 't':
		return r.literal("true")
	case 'f':
		return r.literal("false")
	case 'n':
		return r.literal("null")
	}
	n := numberLength(r.b[r.i:])
	if n == 0 {
		return r.bad()
	}
	r.i += n
	return nil
}

// isZero tells that a well-formed value is what a member that holds nothing is written as.
func isZero(b []byte) bool {
	switch string(b) {
	case "null", "false", `""`, "[]", "{}", `"0001-01-01T00:00:00Z"`, `"00000000-0000-0000-0000-000000000000"`:
		return true
	}
	if n := numberLength(b); n == len(b) && n > 0 {
		mantissa, _, _ := strings.Cut(strings.ToLower(string(b)), "e")
		return strings.Trim(mantissa, "-0.") == ""
	}
	if b[0] != '{' {
		return false
	}
	r := losslessScanner{b: b, depth: 1 << 20} // it was passed over, not as deep as that
	zero := true
	err := r.object(func([]byte) error {
		start := r.i
		if err := r.skip(); err != nil {
			return err
		}
		zero = zero && isZero(r.b[start:r.i])
		return nil
	})
	return zero && err == nil
}
