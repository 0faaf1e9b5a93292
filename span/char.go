package span

import "unicode/utf8"

// Char is .NET's Char as the format carries it: one byte, U+0000..U+00FF.
// Writing any other character is ErrRange. In JSON and as a map's key there it is
// text of one character, of any that Unicode has.
type Char rune

// Valid reports whether c has a place on the wire.
func (c Char) Valid() bool {
	return uint32(c) <= 0xff
}

// String gives the character as text, one or two bytes of UTF-8 where c is
// valid.
func (c Char) String() string {
	return string(rune(c))
}

// AppendText appends what String gives. A number that is not a character is
// ErrRange.
func (c Char) AppendText(b []byte) ([]byte, error) {
	if !utf8.ValidRune(rune(c)) {
		return b, because(ErrRange, "Char(%d) is not a character", c)
	}
	return utf8.AppendRune(b, rune(c)), nil
}

// MarshalText gives what AppendText appends.
func (c Char) MarshalText() ([]byte, error) { return c.AppendText(nil) }

// UnmarshalText reads text of one character; any other is ErrMalformed, and c
// keeps its value.
func (c *Char) UnmarshalText(text []byte) error {
	r, n := utf8.DecodeRune(text)
	if n != len(text) || n <= 1 && r == utf8.RuneError {
		return because(ErrMalformed, "%.50q is not one character", text)
	}
	*c = Char(r)
	return nil
}
