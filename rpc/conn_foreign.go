package rpc

import (
	"errors"
)

// ErrForeign ends a connection whose first bytes are of another protocol: HTTP, TLS or a proxy's header. Taken as frames they could
// run an action, with a web page as the caller.
var ErrForeign = errors.New("rpc: another protocol: HTTP, TLS or a proxy's header")

// openings are what connections of other protocols begin with; \x00 in hello stands for any byte.
var openings = []string{
	"GET ", "POST ", "HEAD ", "PUT ", "OPTIONS ", "PATCH ", "DELETE ", "CONNECT ", "TRACE ", // HTTP/1
	"PRI * HTTP/2",                // HTTP/2
	"PROXY ",                      // PROXY protocol, version 1
	emptyLines + "\x00\r\nQUIT\n", // and 2
}

// emptyLines may be frames, and the beginning of a proxy's header.
const emptyLines = "\r\n\r\n"

// hello is the beginning of a TLS ClientHello: type, version 3.x, a length of two bytes, type of the handshake.
const hello = "\x16\x03\x00\x00\x00\x01"

// opening compares the first bytes of a connection with those of other protocols: they are one's, or may become one's.
func opening(b []byte) (foreign, open bool) {
	for _, o := range openings {
		n := min(len(o), len(b))
		if string(b[:n]) == o[:n] {
			return n == len(o), true
		}
	}
	for i := range min(len(hello), len(b)) {
		c := b[i]
		if i == 2 {
			c &^= 0x0F // any minor version
		}
		if i != 3 && i != 4 && c != hello[i] {
			return false, false
		}
	}
	return len(b) >= len(hello), true
}

// strange looks at the first bytes of a server's connection before any of them is taken for a frame. It is true when nothing is to be
// handled: the connection was ended, or the next byte will tell. What may still become another protocol's opening is a whole frame in
// hardly any codec; empty lines, which a proxy's header begins with as well, are not held up, but what comes behind them is.
func (c *conn) strange() bool {
	b := c.read.batch.in.Pending()
	if taken := c.read.batch.skew + c.read.batch.in.Offset(); taken > 0 { // as empty lines
		b = append([]byte(emptyLines[:min(taken, int64(len(emptyLines)))]), b[:min(len(b), len(hello)+len(emptyLines)*2)]...)
	}
	foreign, open := opening(b)
	if !foreign {
		c.read.fresh = open
		return open && (b[0] != '\r' || len(b) > len(emptyLines))
	}
	c.read.fresh = false
	c.cfg.rare.foreign.Add(1)
	if c.cfg.failed != nil {
		c.cfg.failed(c, ErrForeign)
	}
	c.fail(ErrForeign)
	return true
}
