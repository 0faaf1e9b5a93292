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

// serveBare handles the frames of one read where all requests go to one inline handler.
func (c *conn) serveBare(b *batch, m *method) {
	for c.serveUsual(b, m) {
		f, ok := b.in.Next()
		if !ok {
			return
		}
		b.frames++
		c.handle(f)
	}
}

// serveUsual handles whole requests and one-way messages up to a frame that is neither. It is false when nothing more is to be
// handled.
func (c *conn) serveUsual(b *batch, m *method) bool {
	u, numbered, serve := &c.cfg.bare, c.cfg.numbered, c.cfg.bare.serve
	r, o := c.begin(frame.Frame{}), b.buffer()
	b.running = m
	for p := b.in.Pending(); len(p) >= u.head; {
		n := u.length(p)
		if n > u.most || n > len(p)-u.head {
			break
		}
		raw := p[: u.head+n : u.head+n]
		var f frame.Frame
		asked := true
		if numbered {
			f.Head, f.Seq = raw[0], raw[1]
			if asked = f.Mode() == frame.Request; !asked && f.Mode() != frame.OneWay {
				break
			}
			r.Flag = f.Flag()
		} else {
			r.Header, r.Flag = raw[:u.at:u.at], 0
		}
		p = p[len(raw):]
		b.cut += len(raw)
		r.Action, r.Body, r.OneWay = "", raw[u.head:], !asked
		r.conn, r.seq = c, f.Seq
		b.unasked = !asked
		if !asked {
			b.frames++
			b.told++
			r.Header = nil
			_, _ = m.h.ServeRPC((*inlineContext)(c), nil, r) // nobody waits for what it returns
			continue
		}
		b.usual++
		r.reply = nil
		at := len(o.b)
		out := extend(o.b, u.head)
		if numbered {
			r.Header = nil
		} else if u.at > 0 {
			copy(out[at:], raw[:u.at])
		}
		b.begun = at
		body, err := serve((*inlineContext)(c), out[len(out):], r)
		if n := len(body); err == nil && n <= u.most && follows(out, body) {
			o.b = out[:len(out)+n]
			if numbered { // a typed handler has set the kind
				putHead(out[at:], frame.Head(frame.Response, r.Flag), f.Seq, n)
			} else {
				if u.at > 0 {
					copy(out[at:at+u.at], r.Header) // which a handler may have changed
				}
				u.putLength(out[at:], n)
			}
		} else {
			if n > keptBuffer && !c.mayMake(2*int64(n)) { // it is copied
				b.took()
				return false
			}
			if r.conn, r.seq = c, f.Seq; numbered {
				putHead(out[at:], 0, f.Seq, 0)
			}
			if o.b, err = c.finishReply(out, marks{frame: at}, r, body, err); err != nil {
				b.running = nil
				b.took()
				c.made()
				c.stop(b, err)
				return false
			}
			c.made()
		}
		if len(o.b) >= keptBuffer {
			c.flushOut()
			o = b.buffer()
		}
	}
	b.running = nil
	b.took()
	return true
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

// answerBare handles the frames of one read where nothing but answers is expected.
func (c *conn) answerBare(b *batch) {
	for {
		c.mu.Lock()
		f, other := c.matchBare(b)
		n := len(b.got)
		if n == 0 && b.stray == nil {
			c.mu.Unlock()
		} else {
			c.deliver(b)
		}
		switch {
		case other:
			c.handle(f)
		case n < settleMax:
			return
		}
	}
}

// matchBare looks up the calls of answers until there are settleMax of them, or until a frame is something else.
func (c *conn) matchBare(b *batch) (f frame.Frame, other bool) {
	t, numbered := c.calls.tab, c.cfg.numbered
	for len(b.got) < settleMax {
		if t != nil {
			c.matchUsual(b, t)
		}
		f, ok := b.in.Next()
		if !ok {
			break
		}
		b.frames++
		n := f.Seq
		switch {
		case !numbered && t != nil:
			n = t.Oldest()
		case numbered && f.Mode() < frame.Response:
			return f, true
		}
		if t == nil || !t.Waits(n) {
			if c.unmatched(b, n) {
				continue
			}
			break
		}
		b.matched(t, n, f)
	}
	return frame.Frame{}, false
}

// matchUsual looks up the calls of whole answers up to a frame that is none.
func (c *conn) matchUsual(b *batch, t *table) {
	u, numbered := &c.cfg.bare, c.cfg.numbered
	had, cut, next := len(b.got), 0, t.Oldest()
	for p := b.in.Pending(); len(p) >= u.head && len(b.got) < settleMax; {
		size := u.length(p)
		if size > u.most || size > len(p)-u.head {
			break
		}
		f, n := frame.Frame{Payload: p[u.head : u.head+size : u.head+size]}, next
		if numbered {
			f.Head, f.Seq = p[0], p[1]
			if n = f.Seq; f.Mode() < frame.Response {
				break
			}
		}
		s := t.Slot(n)
		if s.call == nil && s.fn == nil { // nobody waits, or it is retired
			break
		}
		a := b.answer()
		a.f, a.call, a.fn = f, s.call, s.fn
		b.async = b.async || s.fn != nil
		if *s = (slot{}); t.Free(n) {
			t.Forget(n)
		}
		next = n + 1
		p = p[u.head+size:]
		cut += u.head + size
	}
	k := len(b.got) - had
	b.frames += uint64(k)
	t.Dropped(k)
	t.Done(next - 1)
	b.in.Took(cut)
}

// matched notes an answer with the call that waits for it, whose wait ends.
func (b *batch) matched(t *table, n byte, f frame.Frame) {
	s, a := t.Slot(n), b.answer()
	a.f, a.call, a.fn = f, s.call, s.fn
	b.async = b.async || a.fn != nil
	t.Drop(n)
	t.Done(n)
}

// putBare gives the next number to a call and appends its frame. It is false, and nothing is done, when anything is in the way.
func (c *conn) putBare(body []byte, spill int) (n byte, s *slot) {
	u, t, side := &c.cfg.bare, c.calls.tab, c.calls.side
	if t == nil || !u.answers || len(body) > u.most || c.ended || side.draining != nil || side.line.Waiting() ||
		t.Full(c.cfg.lim.InFlight, side.granted) || t.Len() >= spill || c.crowded() {
		return 0, nil
	}
	n = t.Next()
	s = t.Give(n)
	k := c.write.buf
	if k == nil {
		k = c.write.open()
	}
	at, size := len(k.b), len(body)
	b := extend(k.b, u.head+size)
	if head := b[at:]; c.cfg.numbered {
		putHead(head, packetFlag, n, size)
	} else {
		if u.at > 0 {
			clear(head[:u.at])
		}
		u.putLength(head, size)
	}
	copy(b[at+u.head:], body)
	k.b = b
	return n, s
}

// tellBare is tell where nothing is in its way. When something is it does nothing and returns false.
func (c *conn) tellBare(body []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, t, side := &c.cfg.bare, c.calls.tab, c.calls.side
	if t == nil || !u.answers || !c.cfg.numbered || len(body) > u.most || c.ended || side.draining != nil || c.crowded() || c.ahead() {
		return false
	}
	k, size := c.write.open(), len(body)
	at := len(k.b)
	k.b = extend(k.b, u.head+size)
	putHead(k.b[at:], byte(frame.OneWay)|packetFlag, t.Passing(), size)
	copy(k.b[at+u.head:], body)
	c.told()
	return true
}

// goBare is goCall where nothing is in its way. When something is it does nothing and returns false.
func (c *conn) goBare(body []byte, fn func([]byte, error)) bool {
	c.mu.Lock()
	if c.read.role == readReader {
		if _, s := c.putBare(body, maxNumbers+1); s != nil {
			s.fn = fn
			if c.rides() {
				c.calls.ops++
			} else {
				c.sendCall()
			}
			c.mu.Unlock()
			return true
		}
	}
	c.mu.Unlock()
	return false
}

// callBare begins a call where nothing is in its way, for a caller that waits as long as it takes: when wait is true, for one
// signal of ca. When something is in the way it does nothing and returns nil. At spill calls under way another connection should
// take it.
func (c *conn) callBare(dst, body []byte, spill int) (ca *call, wait bool) {
	ca = c.cfg.getCall()
	ca.dst = dst
	c.mu.Lock()
	n, s := c.putBare(body, spill)
	if s == nil {
		c.mu.Unlock()
		c.cfg.putCall(ca)
		return nil, false
	}
	s.call = ca
	return ca, !c.sendOrLead(ca, n, false) || !c.lead(ca)
}
