package frame

import "bytes"

const nameDelimited = "delimited"

// DefaultLine is the longest line in bytes where Delimited has no Max.
const DefaultLine = 64 << 10

// Delimited is NewLife's SplitDataCodec: the payload, then a delimiter. Empty lines are frames. NewLife hands the delimiter
// on with the payload, Delimited only with Keep.
//
// A payload that holds the delimiter is written as it is and arrives as two frames, as NewLife's does; Strict refuses it.
type Delimited struct {
	Delimiter string // "" is CR LF
	Keep      bool   // payloads that are read end in the delimiter; ones that are written get it if they do not
	Strict    bool   // writing a payload in which the delimiter would be found is ErrFrame
	Max       int    // longest payload in bytes, the delimiter not counted, both ways; 0 is DefaultLine
}

// Name is the codec's name in errors.
func (c Delimited) Name() string { return nameDelimited }

// MaxFrame is the most bytes of one frame.
func (c Delimited) MaxFrame() int { return int(limit(c.Max, DefaultLine)) + len(c.delimiter()) }

func (c Delimited) delimiter() string {
	if c.Delimiter == "" {
		return "\r\n"
	}
	return c.Delimiter
}

// bare returns the payload of f without the delimiter that a kept one ends in.
func (c Delimited) bare(f Frame) []byte {
	d := c.delimiter()
	if n := len(f.Payload) - len(d); c.Keep && n >= 0 && string(f.Payload[n:]) == d {
		return f.Payload[:n]
	}
	return f.Payload
}

// SizeFrame returns the bytes of f on the wire.
func (c Delimited) SizeFrame(f Frame) int { return len(c.bare(f)) + len(c.delimiter()) }

// AppendFrame writes f behind b.
func (c Delimited) AppendFrame(b []byte, f Frame) ([]byte, error) {
	p, d := c.bare(f), c.delimiter()
	if uint(len(p)) > limit(c.Max, DefaultLine) {
		return b, Unwritable(nameDelimited, TooLarge(len(p), int(limit(c.Max, DefaultLine))))
	}
	old := len(b)
	b = append(append(b, p...), d...)
	// The delimiter may begin inside the payload and end in the one behind it ("a#" before "##").
	if c.Strict && index(b[old:], d) < len(p) {
		return b[:old], Unwritable(nameDelimited, errDelimiter)
	}
	return b, nil
}

// ParseFrame reads the first line of b. One that is longer than the limit is ErrTooLarge as soon as it is.
func (c Delimited) ParseFrame(b []byte) (f Frame, n int, err error) {
	var k delimitedCutter
	k.c = c
	if n, err = k.Cut(b); n == 0 {
		return Frame{}, 0, err
	}
	return c.whole(b[:n]), n, nil
}

// NewCutter returns a cutter that remembers how far a line has been searched.
func (c Delimited) NewCutter() Cutter { return &delimitedCutter{c: c} }

type delimitedCutter struct {
	c    Delimited
	seen int // bytes in which the delimiter does not begin
}

// Cut searches on from where the last call ended, back by what the delimiter may have begun.
func (k *delimitedCutter) Cut(b []byte) (int, error) {
	d := k.c.delimiter()
	top := int(limit(k.c.Max, DefaultLine))
	i := index(b[k.seen:], d)
	if i >= 0 && k.seen+i <= top {
		n := k.seen + i + len(d)
		k.seen = 0
		return n, nil
	}
	seen := max(k.seen, len(b)-len(d)+1)
	if i >= 0 || seen > top {
		k.seen = 0
		return 0, Malformed(nameDelimited, top, ErrTooLarge)
	}
	k.seen = seen
	return 0, nil
}

// index is bytes.Index for a delimiter that is a string.
func index(b []byte, d string) int {
	if len(d) == 1 {
		return bytes.IndexByte(b, d[0])
	}
	var a [16]byte
	return bytes.Index(b, append(a[:0], d...))
}

func (c Delimited) whole(b []byte) Frame {
	if !c.Keep {
		b = b[:len(b)-len(c.delimiter())]
	}
	return Frame{Payload: b[:len(b):len(b)]}
}
