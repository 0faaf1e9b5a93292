//go:build !purego

package span

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Everything in this package that package unsafe makes faster, but for values by
// address, is here; the build tag purego selects twins that do without.

// aliasString makes a string of b's own memory.
func aliasString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// sliceHeader is a slice's memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// offset is i, or 0 where no byte is left behind it: a pointer just behind its
// memory is one into somebody else's, which the garbage collector may find bad.
func offset(i, left int) int { return i & (-left >> (bits.UintSize - 1)) }

// Tail is b[i:] for an i that is known to be at most len(b): it is not checked.
func Tail(b []byte, i int) []byte {
	n := len(b) - i
	h := sliceHeader{unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), offset(i, n)), n, n}
	return *(*[]byte)(unsafe.Pointer(&h))
}

// unread returns the bytes between the cursor and the end of the window.
func (r *Reader) unread() []byte { return Tail(r.b, r.off) }

// StringAt returns b[i:i+n], a part of Unread that is known to be there, as a
// string in the Reader's mode. Where only rest bytes without a string can follow
// in the struct that is read, rest is their number, else below 0.
func (r *Reader) StringAt(b []byte, i, n, rest int) string {
	if n > 0 && StringMode(r.st) == AliasStrings {
		return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)), n)
	}
	return r.ownString(i, n, rest)
}

// ownString copies n bytes from the i-th of Unread on. In shared mode the first
// string copies the whole message, which later ones share - unless it is the last
// one as well.
//
//go:noinline
func (r *Reader) ownString(i, n, rest int) string {
	if n == 0 {
		return ""
	}
	b := r.unread()
	if StringMode(r.st) == CopyStrings || r.shared == nil && len(b)-i-n == rest {
		return string(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)), n))
	}
	if r.shared == nil {
		r.shared = unsafe.StringData(string(r.b))
	}
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(r.shared), r.off+i)), n)
}

// shareAll is the length of messages that are copied at once.
const shareAll = 256

// share prepares the string mode SharedStrings. A short message is copied when
// its first string comes; a long one at once, so that all its strings may simply
// alias the copy.
//
//go:noinline
func share(b []byte) ([]byte, StringMode) {
	if len(b) < shareAll {
		return b, SharedStrings
	}
	s := string(b)
	return unsafe.Slice(unsafe.StringData(s), len(s)), AliasStrings
}

// word moves bytes a register at a time, on every machine whatever the alignment.
var word = binary.NativeEndian

// PutString stores s behind its length at b[i], where there must be room, and
// returns the index behind it. Strings of up to 16 bytes, which most are, are
// moved by two overlapping words instead of a call of memmove.
//
//go:noinline
func PutString(b []byte, i int, s string) int {
	n := len(s)
	if n >= 0x80 {
		i = putLongLength(b, i, n)
		_ = b[i+n-1]
		return i + copy(b[i:], s)
	}
	_ = b[i+n]
	b[i] = byte(n)
	d := unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) // of the length: behind it there may be nothing
	q := unsafe.Pointer(unsafe.StringData(s))
	switch {
	case n > 16:
		copy(unsafe.Slice((*byte)(unsafe.Add(d, 1)), n), s)
	case n >= 8:
		x, y := word.Uint64((*[8]byte)(q)[:]), word.Uint64((*[8]byte)(unsafe.Add(q, n-8))[:])
		word.PutUint64((*[8]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint64((*[8]byte)(unsafe.Add(d, n-7))[:], y)
	case n >= 4:
		x, y := word.Uint32((*[4]byte)(q)[:]), word.Uint32((*[4]byte)(unsafe.Add(q, n-4))[:])
		word.PutUint32((*[4]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint32((*[4]byte)(unsafe.Add(d, n-3))[:], y)
	case n >= 2:
		x, y := word.Uint16((*[2]byte)(q)[:]), word.Uint16((*[2]byte)(unsafe.Add(q, n-2))[:])
		word.PutUint16((*[2]byte)(unsafe.Add(d, 1))[:], x)
		word.PutUint16((*[2]byte)(unsafe.Add(d, n-1))[:], y)
	case n == 1:
		*(*byte)(unsafe.Add(d, 1)) = *(*byte)(q)
	}
	return i + 1 + n
}

// cloneBytes copies b into memory that strings may share.
//
//go:noinline
func cloneBytes(b []byte) []byte {
	s := string(b)
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// shareAll makes the copy of the whole message that shared strings are parts of,
// before a part of the message becomes the window.
func (r *Reader) shareAll() {
	if r.mode() == SharedStrings && r.shared == nil {
		r.shared = unsafe.StringData(string(r.b))
	}
}
