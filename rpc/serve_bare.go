package rpc

import (
	"github.com/spanwire/spanwire/rpc/frame"
)

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
