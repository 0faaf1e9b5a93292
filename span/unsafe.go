//go:build !purego

package span

import (
	"unsafe"

	"github.com/spanwire/spanwire/span/spanrt"
)

// Everything in this package that package unsafe makes faster, but for values by
// address, is here; the build tag purego selects twins that do without.

// aliasString makes a string of b's own memory.
func aliasString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// unread returns the bytes between the cursor and the end of the window.
func (r *Reader) unread() []byte { return spanrt.Tail(r.b, r.off) }

// StringAt returns b[i:i+n], a part of Unread that is known to be there, as a
// string in the Reader's mode. Where only rest bytes without a string can follow
// in the struct that is read, rest is their number, else below 0.
func (f *FastReader) StringAt(b []byte, i, n, rest int) string {
	if n > 0 && StringMode(f.st) == AliasStrings {
		return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)), n)
	}
	return f.ownString(i, n, rest)
}

// ownString copies n bytes from the i-th of Unread on. In shared mode the first
// string copies the whole message, which later ones share - unless it is the last
// one as well.
//
//go:noinline
func (f *FastReader) ownString(i, n, rest int) string {
	r := (*Reader)(f)
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
