package frame

// Frame is one frame of any codec. Payload aliases what the frame was parsed from. It is kept to four words, so that it
// travels in registers.
type Frame struct {
	// Head is the first byte of a Standard frame: the [Mode] in the two top bits, the flag below. In a WebSocket frame it is
	// the byte with FIN, the reserved bits and the opcode. Other codecs have none.
	Head byte
	// Seq is the number that ties a response of the Standard codec to its request. In a WebSocket frame it is the mask bit,
	// 80 or 0.
	Seq byte
	// Key is the masking key of a WebSocket frame, its first byte on the wire the highest.
	Key uint32
	// Payload is the message.
	Payload []byte
}

// Mode is what a Standard frame is for: the two top bits of its first byte.
type Mode byte

// The modes. A one-way message that is an error cannot be expressed.
const (
	Request       Mode = 0x00
	OneWay        Mode = 0x40
	Response      Mode = 0x80
	ErrorResponse Mode = 0xC0
)

const (
	modeBits = 0xC0
	flagBits = 0x3F
)

// String names the mode as the recordings do.
func (m Mode) String() string {
	switch m & modeBits {
	case OneWay:
		return "oneway"
	case Response:
		return "response"
	case ErrorResponse:
		return "error"
	}
	return "request"
}

// Head builds a Standard frame's first byte; bits of flag above the low six are dropped.
func Head(m Mode, flag byte) byte { return byte(m)&modeBits | flag&flagBits }

// Mode returns the mode in the head byte.
func (f Frame) Mode() Mode { return Mode(f.Head & modeBits) }

// Flag returns the six free bits of the head byte.
func (f Frame) Flag() byte { return f.Head & flagBits }

// Reply returns the frame that answers f in mode m with payload: flag and number are those of the request.
func (f Frame) Reply(m Mode, payload []byte) Frame {
	return Frame{Head: Head(m, f.Head), Seq: f.Seq, Payload: payload}
}

// Codec draws the border between frames. Implementations are values without state, safe for concurrent use; package
// rpctest has a suite that proves one.
type Codec interface {
	// AppendFrame writes f behind b. When f cannot be written it returns b as it was and an error.
	AppendFrame(b []byte, f Frame) ([]byte, error)
	// ParseFrame reads the first frame of b: n > 0 bytes were used; n == 0 without an error needs more bytes than b has.
	// ParseFrame of a longer b gives the same frame. The error is an *Error whose offset counts from b's start.
	ParseFrame(b []byte) (f Frame, n int, err error)
	// SizeFrame is the number of bytes AppendFrame adds for a frame that it accepts.
	SizeFrame(f Frame) int
}

// Cutter finds the end of one frame after another in one stream, without looking at a byte twice.
type Cutter interface {
	// Cut is given b, which begins where a frame may begin. It returns the size of that frame when it is known, which may
	// be more than len(b); 0 when it is not, and then the next call has the same bytes and more; -k when the first k bytes
	// belong to no frame. After any answer but 0 the next call begins a new frame.
	Cut(b []byte) (n int, err error)
}

// Resumer is a Codec whose frames do not begin with their length: its Cutter remembers how far it has looked, so that a
// frame that arrives in many pieces is scanned once. A [Reader] asks for it; without one it calls ParseFrame again for each piece.
type Resumer interface {
	Codec
	NewCutter() Cutter
}

// Limiter is a Codec that knows how large its frames get; a [Reader] holds no more of one.
type Limiter interface {
	Codec
	// MaxFrame is the most bytes of one frame, header and all.
	MaxFrame() int
}

// DefaultMax is the largest payload in bytes, reading and writing, where a codec has no Max of its own.
const DefaultMax = 8 << 20

// limit returns the payload limit that max stands for; it leaves room for a header within an int32, so that sizes of
// whole frames fit an int on every platform.
func limit(max, standard int) uint {
	if max <= 0 {
		max = standard
	}
	return min(uint(max), 1<<31-1-2*trusted)
}
