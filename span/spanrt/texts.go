package spanrt

import (
	"bytes"
	"unicode/utf8"
)

// PutBytes stores s behind its length at b[i], where there must be room, and
// returns the index behind it.
func PutBytes[T ~uint8](b []byte, i int, s []T) int {
	i = PutLength(b, i, len(s))
	PutNumbers(b[i:], s)
	return i + len(s)
}

// FitsPadded reports whether s has a form of n bytes padded with zeros.
func FitsPadded[S ~string | ~[]byte](s S, n int) bool {
	return len(s) <= n && (len(s) == 0 || s[len(s)-1] != 0)
}

// PutPadded fills b with s and zeros.
func PutPadded[S ~string | ~[]byte](b []byte, s S) { clear(b[copy(b, s):]) }

// Unpadded returns the length of b without the zeros at its end.
func Unpadded(b []byte) int { return len(bytes.TrimRight(b, "\x00")) }

// ValidUTF8 reports whether s is valid UTF-8.
func ValidUTF8(s string) bool { return utf8.ValidString(s) }
