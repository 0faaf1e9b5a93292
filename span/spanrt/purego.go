//go:build purego

package spanrt

// Tail is b[i:].
func Tail(b []byte, i int) []byte { return b[i:] }

// At is b[i:].
func At(b []byte, i int) []byte { return b[i:] }

// numberBytes never gives memory: that takes package unsafe.
func numberBytes[T fixedNumber]([]T) ([]byte, bool) { return nil, false }

// intBytes never gives memory.
func intBytes[T platformInt]([]T) ([]byte, bool) { return nil, false }

// PutString stores s behind its length at b[i], where there must be room, and
// returns the index behind it.
func PutString(b []byte, i int, s string) int {
	i = PutLength(b, i, len(s))
	_ = b[i:][:len(s)]
	return i + copy(b[i:], s)
}
