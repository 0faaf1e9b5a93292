//go:build purego

package span

// aliasString copies: without package unsafe memory can't be shared.
func aliasString(b []byte) string { return string(b) }

// unread returns the bytes between the cursor and the end of the window.
func (r *Reader) unread() []byte { return r.b[r.off:] }

// cloneBytes returns b itself: aliasString copies each string anyway.
func cloneBytes(b []byte) []byte { return b }
