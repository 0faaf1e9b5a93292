package rpc

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Bare messages have no envelope: a frame is its body. In a window of them the kernel takes about as long for one as all of this
// package, so that what is usual has a loop of its own on either side. What is not goes the way of all messages.

// bare is what is usual for the connections of a client or server.
type bare struct {
	head    int         // bytes before a payload; 0 when nothing is
	at      int         // where in them its length stands
	form    int         // of the length, as LengthField.Size has it
	most    int         // longest payload
	inline  *method     // answers all requests
	serve   HandlerFunc // its handler: one call less where it is a function
	answers bool        // nothing else comes in
}

// longMark is where a Standard frame's long header begins.
const longMark = 0xFFFF

// setBare finds out what is usual, when all else is set.
func (g *config) setBare() {
	if g.envelope || g.notify {
		return
	}
	u := &g.bare
	switch l := g.length; {
	case l != nil && (l.Offset < 0 || l.Offset > 64<<10):
		return // the codec refuses it
	case g.numbered:
		*u = bare{head: 4, at: 2, form: 2, most: min(orMax(g.std.Max), longMark-1)}
	case l != nil && l.Size == 2:
		*u = bare{head: l.Offset + 2, at: l.Offset, form: 2, most: min(orMax(l.Max), 1<<16-1)}
	case l != nil && l.Size == -2:
		*u = bare{head: l.Offset + 2, at: l.Offset, form: -2, most: min(orMax(l.Max), 1<<16-1)}
	case l != nil && l.Size == 4:
		*u = bare{head: l.Offset + 4, at: l.Offset, form: 4, most: min(orMax(l.Max), 1<<30)}
	case l != nil && l.Size == -4:
		*u = bare{head: l.Offset + 4, at: l.Offset, form: -4, most: min(orMax(l.Max), 1<<30)}
	default:
		return
	}
	if g.only != nil && g.only.inline && (g.server || g.numbered) { // what comes to a client in order are answers
		u.inline = g.only
		if u.serve, _ = g.only.h.(HandlerFunc); u.serve == nil {
			u.serve = g.only.h.ServeRPC
		}
	}
	u.answers = g.router == nil && g.header == nil
}

func orMax(n int) int {
	if n <= 0 {
		return frame.DefaultMax
	}
	return n
}

// putLength writes a payload's length to where it stands in a head.
func (u *bare) putLength(head []byte, n int) {
	switch p := head[u.at:]; u.form {
	case 2:
		p[0], p[1] = byte(n), byte(n>>8)
	case -2:
		p[0], p[1] = byte(n>>8), byte(n)
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(n))
	case -4:
		binary.BigEndian.PutUint32(p, uint32(n))
	}
}

// length reads the payload's length in the head at the front of p.
func (u *bare) length(p []byte) int {
	p = p[u.at:u.head]
	switch u.form {
	case 2:
		return int(binary.LittleEndian.Uint16(p))
	case -2:
		return int(binary.BigEndian.Uint16(p))
	case 4:
		return int(min(binary.LittleEndian.Uint32(p), math.MaxInt32)) // which no frame may have
	default:
		return int(min(binary.BigEndian.Uint32(p), math.MaxInt32))
	}
}

// putHead writes a Standard frame's short header.
func putHead(b []byte, head, seq byte, size int) {
	binary.LittleEndian.PutUint32(b, uint32(head)|uint32(seq)<<8|uint32(size)<<16)
}

// extend makes b longer by n bytes, which are to be written.
func extend(b []byte, n int) []byte {
	if n += len(b); n <= cap(b) {
		return b[:n]
	}
	return extendAnew(b, n)
}

//go:noinline
func extendAnew(b []byte, n int) []byte { return slices.Grow(b, n-len(b))[:n] }

// follows tells whether p stands directly behind b, in its memory.
func follows(b, p []byte) bool {
	n := len(b)
	return len(p) == 0 || len(p) <= cap(b)-n && &p[0] == &b[: n+1 : cap(b)][n]
}
