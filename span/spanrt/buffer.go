package spanrt

import "github.com/spanwire/spanwire/span/wire"

// Grow returns b with room for n more bytes behind its length. When it must
// reallocate it at least doubles, so that repeated calls cost linear time.
//
//go:noinline
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	c := make([]byte, len(b), max(len(b)+n, 2*cap(b), 64))
	copy(c, b)
	return c
}

// GrowAt returns all the capacity of b, or of a larger copy of its first i bytes,
// with room for n bytes behind index i.
//
//go:noinline
func GrowAt(b []byte, i, n int) []byte {
	if len(b)-i >= n {
		return b
	}
	b = Grow(b[:i], n)
	return b[:cap(b)]
}

// PutSize completes a sized struct that was appended behind one byte reserved at
// b[start]: it stores the number of bytes behind that byte as a uvarint, moving
// them when it takes more than one. It reports false where they are more than
// MaxLength.
func PutSize(b []byte, start int) ([]byte, bool) {
	n := len(b) - start - 1
	if uint(n) < 0x80 {
		b[start] = byte(n)
		return b, true
	}
	return putLongSize(b, start, n)
}

//go:noinline
func putLongSize(b []byte, start, n int) ([]byte, bool) {
	if n < 0 || n > MaxLength {
		return b, false
	}
	more := wire.SizeLength(n) - 1
	b = Grow(b, more)
	b = b[:len(b)+more]
	copy(b[start+1+more:], b[start+1:])
	putLongLength(b, start, n)
	return b, true
}

// EndSized completes what was appended behind one byte reserved at b[start] with
// the number of its bytes, as PutSize does. It returns all the capacity of the
// buffer and the index behind, or one below 0 where the plan must decide.
func EndSized(b []byte, start int) ([]byte, int) {
	b, ok := PutSize(b, start)
	if !ok {
		return b, -1
	}
	return b[:cap(b)], len(b)
}

// EndMarshaled stores data behind its length at b[start], where there must be
// room for a byte. A method may have appended data behind that byte, or have made
// it anywhere. It returns what EndSized does.
func EndMarshaled(b []byte, start int, data []byte) ([]byte, int) {
	at := start + 1
	if len(data) > cap(b)-at {
		b = Grow(b[:at], len(data))
	}
	b = b[:at+len(data)]
	if len(data) > 0 && &data[0] != &b[at] {
		copy(b[at:], data)
	}
	return EndSized(b, start)
}

// ReadJSON sets *v to what its UnmarshalJSON makes of b, whatever was there.
func ReadJSON[P interface {
	*T
	UnmarshalJSON([]byte) error
}, T any](v P, b []byte) error {
	*v = *new(T)
	return v.UnmarshalJSON(b)
}

// ReadGob is ReadJSON for GobDecode.
func ReadGob[P interface {
	*T
	GobDecode([]byte) error
}, T any](v P, b []byte) error {
	*v = *new(T)
	return v.GobDecode(b)
}
