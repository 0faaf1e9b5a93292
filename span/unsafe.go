//go:build !purego

package span

import "unsafe"

// Everything in this package that package unsafe makes faster is here and in
// plan_unsafe.go; the build tag purego selects twins that do without.

// aliasString makes a string of b's own memory.
func aliasString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// unread returns the bytes between the cursor and the end of the window.
func (r *Reader) unread() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.b)), r.off)), len(r.b)-r.off)
}

// cloneBytes copies b into memory that strings may share.
//
//go:noinline
func cloneBytes(b []byte) []byte {
	s := string(b)
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
