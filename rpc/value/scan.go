package value

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner takes JSON apart as NewLife's reader does: names may lack quotes, comments are white space.
type scanner struct {
	b     []byte
	i     int
	depth int // levels of nesting around the cursor
	most  int // how many there may be
}

func (p *scanner) bad() error { return &Error{Offset: min(p.i, len(p.b)), Reason: ErrSyntax} }

// blank skips white space and comments, and returns the byte that follows, 0 at the end.
func (p *scanner) blank() byte {
	for p.i < len(p.b) {
		switch c := p.b[p.i]; {
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
			p.i++
		case c == '/' && p.i+1 < len(p.b) && p.b[p.i+1] == '*':
			n := bytes.Index(p.b[p.i+2:], []byte("*/"))
			if n < 0 {
				p.i = len(p.b)
				return 0
			}
			p.i += n + 4
		case c == '/' && p.i+1 < len(p.b) && p.b[p.i+1] == '/':
			n := bytes.IndexByte(p.b[p.i:], '\n')
			if n < 0 {
				p.i = len(p.b)
				return 0
			}
			p.i += n + 1
		default:
			return c
		}
	}
	return 0
}

// enter counts a level of nesting.
func (p *scanner) enter() error {
	if p.depth++; p.depth > p.most {
		return &Error{Offset: p.i, Reason: ErrDepth}
	}
	p.i++
	return nil
}

// object calls each for the members of the object at the cursor: it must read or skip the value.
func (p *scanner) object(each func(name []byte) error) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.blank() == '}' {
		p.i, p.depth = p.i+1, p.depth-1
		return nil
	}
	for {
		name, err := p.name()
		if err != nil {
			return err
		}
		if p.blank() != ':' {
			return p.bad()
		}
		p.i++
		if p.blank() == 0 {
			return p.bad()
		}
		if err := each(name); err != nil {
			return err
		}
		switch p.blank() {
		case ',':
			p.i++
		case '}':
			p.i, p.depth = p.i+1, p.depth-1
			return nil
		default:
			return p.bad()
		}
	}
}

// array calls each for the elements of the array at the cursor: it must read or skip the value.
func (p *scanner) array(each func() error) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.blank() == ']' {
		p.i, p.depth = p.i+1, p.depth-1
		return nil
	}
	for {
		if p.blank() == 0 {
			return p.bad()
		}
		if err := each(); err != nil {
			return err
		}
		switch p.blank() {
		case ',':
			p.i++
		case ']':
			p.i, p.depth = p.i+1, p.depth-1
			return nil
		default:
			return p.bad()
		}
	}
}

// name reads a member's name, in quotes or not.
func (p *scanner) name() ([]byte, error) {
	if p.blank() == '"' {
		return p.text()
	}
	start := p.i
	for p.i < len(p.b) && p.b[p.i] != ':' {
		if bytes.IndexByte([]byte(`{}[],"`), p.b[p.i]) >= 0 {
			return nil, p.bad()
		}
		p.i++
	}
	name := bytes.TrimSpace(p.b[start:p.i])
	if len(name) == 0 || p.i == len(p.b) {
		return nil, p.bad()
	}
	return name, nil
}

// text reads the string at the cursor. It is a slice of the input where nothing is escaped.
func (p *scanner) text() ([]byte, error) {
	p.i++
	start := p.i
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case '"':
			s := p.b[start:p.i:p.i]
			p.i++
			return s, nil
		case '\\':
			return p.escaped(append([]byte(nil), p.b[start:p.i]...))
		}
		p.i++
	}
	return nil, p.bad()
}

// escaped goes on with a string at its first escape.
func (p *scanner) escaped(s []byte) ([]byte, error) {
	for p.i < len(p.b) {
		c := p.b[p.i]
		p.i++
		if c == '"' {
			return s, nil
		}
		if c != '\\' {
			s = append(s, c)
			continue
		}
		if p.i == len(p.b) {
			break
		}
		c = p.b[p.i]
		p.i++
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, ok := p.hex()
			if !ok {
				return nil, p.bad()
			}
			s = utf8.AppendRune(s, r)
			continue
		case '"', '\\', '/', '\'':
		default:
			return nil, p.bad()
		}
		s = append(s, c)
	}
	return nil, p.bad()
}

// hex reads the digits behind \u, and the second half of a pair. Half a pair is U+FFFD.
func (p *scanner) hex() (rune, bool) {
	r, ok := p.hex4(p.i)
	if !ok {
		return 0, false
	}
	p.i += 4
	if utf16.IsSurrogate(r) {
		if p.i+1 < len(p.b) && p.b[p.i] == '\\' && p.b[p.i+1] == 'u' {
			if low, ok := p.hex4(p.i + 2); ok {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					p.i += 6
					return full, true
				}
			}
		}
		return utf8.RuneError, true
	}
	return r, true
}

func (p *scanner) hex4(at int) (rune, bool) {
	if at+4 > len(p.b) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.b[at:at+4]), 16, 16)
	return rune(n), err == nil
}

// word reads what is not a string, object or array: a number, true, false, null.
func (p *scanner) word() ([]byte, error) {
	start := p.i
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case ',', '}', ']', ' ', '\n', '\r', '\t', '/':
			goto end
		case '{', '[', '"', ':', '\\':
			return nil, p.bad()
		}
		p.i++
	}
end:
	if p.i == start {
		return nil, p.bad()
	}
	return p.b[start:p.i], nil
}

// skip passes over the value at the cursor.
func (p *scanner) skip() error {
	switch p.blank() {
	case '{':
		return p.object(func([]byte) error { return p.skip() })
	case '[':
		return p.array(p.skip)
	case '"':
		_, err := p.text()
		return err
	}
	w, err := p.word()
	if err == nil && !isWord(w) {
		p.i -= len(w)
		err = p.bad()
	}
	return err
}

// isWord tells a number or a literal from junk.
func isWord(w []byte) bool {
	switch string(w) {
	case "true", "false", "null", "True", "False", "NaN":
		return true
	}
	return isNumber(w)
}

// unquoted takes the quotes off what stands in them also at the top.
func unquoted(s []byte) []byte {
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		p := scanner{b: s}
		if q, err := p.text(); err == nil && p.i == n {
			return q
		}
	}
	return s
}
