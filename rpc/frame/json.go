package frame

const nameJSON = "json"

// DefaultDepth is how deep JSON may nest where it has no Depth.
const DefaultDepth = 100

// JSON cuts a stream of JSON values (RFC 8259): objects, arrays and scalars, one after another, white space between them or,
// where the first has an end of its own, none. A number ends at the white space, or the [, { or ", behind it.
//
// What is cut is valid JSON as encoding/json understands it; anything else is ErrSyntax at the first byte that is wrong,
// without waiting for an end. Bytes of strings are not decoded: a character may be cut anywhere.
type JSON struct {
	Depth int // deepest nesting; 0 is DefaultDepth, 1,024 the most
	Max   int // longest value in bytes, both ways; 0 is DefaultMax
}

// Name is the codec's name in errors.
func (c JSON) Name() string { return nameJSON }

// MaxFrame is the most bytes of one frame.
func (c JSON) MaxFrame() int { return int(limit(c.Max, DefaultMax)) + 1 }

// SizeFrame returns the bytes of f on the wire.
func (c JSON) SizeFrame(f Frame) int {
	n := len(f.Payload)
	if open(f.Payload) {
		n++
	}
	return n
}

// open tells that p ends in a value without an end of its own.
func open(p []byte) bool {
	if len(p) == 0 {
		return false
	}
	c := p[len(p)-1]
	return c >= '0' && c <= '9'
}

// AppendFrame writes f behind b, and a new line behind a number. A payload that is not exactly one value, white space around
// it aside, is ErrFrame.
func (c JSON) AppendFrame(b []byte, f Frame) ([]byte, error) {
	if uint(len(f.Payload)) > limit(c.Max, DefaultMax) {
		return b, Unwritable(nameJSON, TooLarge(len(f.Payload), int(limit(c.Max, DefaultMax))))
	}
	if _, err := c.one(f.Payload); err != nil {
		return b, Unwritable(nameJSON, errNoValue)
	}
	b = append(b, f.Payload...)
	if open(f.Payload) {
		b = append(b, '\n')
	}
	return b, nil
}

// one checks that p is one value and returns where it begins.
func (c JSON) one(p []byte) (start int, err error) {
	start = blank(p)
	k := jsonCutter{c: c}
	n, err := k.Cut(p[start:])
	if err == nil && n == 0 && k.number() {
		n = len(p) - start
	}
	if err == nil && (n == 0 || start+n+blank(p[start+n:]) != len(p)) {
		err = ErrSyntax
	}
	return start, err
}

// ParseFrame reads the first value of b and the white space before it.
func (c JSON) ParseFrame(b []byte) (f Frame, n int, err error) {
	start := blank(b)
	k := jsonCutter{c: c}
	n, err = k.Cut(b[start:])
	if err != nil {
		err.(*Error).Offset += int64(start)
		return Frame{}, 0, err
	}
	if n == 0 {
		return Frame{}, 0, nil
	}
	return c.whole(b[start : start+n]), start + n, nil
}

// NewCutter returns a cutter that remembers where in a value it is. White space between values belongs to no frame.
func (c JSON) NewCutter() Cutter { return &jsonCutter{c: c} }

// whole makes a frame of its bytes, without the white space that ended a number.
func (c JSON) whole(b []byte) Frame {
	n := len(b)
	if blank(b[n-1:]) > 0 {
		n--
	}
	return Frame{Payload: b[:n:n]}
}

// lastFrame accepts a number that ends with the stream.
func (c JSON) lastFrame(rest []byte) (Frame, bool) {
	k := jsonCutter{c: c}
	if n, err := k.Cut(rest); n != 0 || err != nil || !k.number() {
		return Frame{}, false
	}
	return c.whole(rest), true
}

// blank returns how much white space b begins with.
func blank(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return i
		}
	}
	return len(b)
}
