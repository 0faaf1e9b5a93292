package span

// Char is .NET's Char as the format carries it: one byte, U+0000..U+00FF.
// Writing any other character is ErrRange.
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
