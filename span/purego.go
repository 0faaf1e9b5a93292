//go:build purego

package span

import "math"

// aliasString copies: without package unsafe memory can't be shared.
func aliasString(b []byte) string { return string(b) }

// unread returns the bytes between the cursor and the end of the window.
func (r *Reader) unread() []byte { return r.b[r.off:] }

// StringAt returns b[i:i+n], a part of Unread that is known to be there.
// Without package unsafe every string is a copy, whatever the mode.
func (f *FastReader) StringAt(b []byte, i, n, rest int) string { return string(b[i : i+n]) }

// ownString copies n bytes from the i-th of Unread on.
func (f *FastReader) ownString(i, n, rest int) string { return string((*Reader)(f).unread()[i : i+n]) }

// shareAll is the length of messages that are copied at once; none are.
const shareAll = math.MaxInt

// share leaves the input as it is.
func share(b []byte) ([]byte, StringMode) { return b, SharedStrings }

// cloneBytes returns b itself: aliasString copies each string anyway.
func cloneBytes(b []byte) []byte { return b }

// shareAll has nothing to do: strings are copies.
func (r *Reader) shareAll() {}
