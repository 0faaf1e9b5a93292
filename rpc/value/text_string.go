package value

import (
	"unicode/utf8"
)

// appendString writes s as a JSON string. Control characters, " and \ are escaped, nothing else; bytes that are not UTF-8
// become U+FFFD.
func appendString[S ~string | ~[]byte](b []byte, s S) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 {
			if n := runeLen(s, i); n > 0 {
				i += n - 1
				continue
			}
			b = append(append(b, s[from:i]...), "\uFFFD"...)
			from = i + 1
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\t':
			b = append(b, '\\', 't')
		case '\n':
			b = append(b, '\\', 'n')
		case '\f':
			b = append(b, '\\', 'f')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}

// runeLen returns the length of the character at s[i], which is not ASCII; 0 when it is not UTF-8.
func runeLen[S ~string | ~[]byte](s S, i int) int {
	r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}

// appendCompact writes valid JSON without the white space outside of strings.
func appendCompact(b, s []byte) []byte {
	in := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case in && c == '\\':
			b = append(b, c)
			i++
			c = s[i]
		case c == '"':
			in = !in
		case !in && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		b = append(b, c)
	}
	return b
}

// textOf is data as a string; a byte that is not UTF-8 becomes U+FFFD.
func textOf(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	out := make([]byte, 0, len(data)+8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		out = utf8.AppendRune(out, r)
		data = data[n:]
	}
	return string(out)
}
