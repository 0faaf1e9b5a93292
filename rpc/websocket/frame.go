package websocket

import (
	"encoding/binary"

	"github.com/spanwire/spanwire/rpc/frame"
)

// Opcode is the kind of a frame.
type Opcode byte

// The opcodes of RFC 6455, 5.2.
const (
	Continuation Opcode = 0x0
	Text         Opcode = 0x1
	Binary       Opcode = 0x2
	Close        Opcode = 0x8
	Ping         Opcode = 0x9
	Pong         Opcode = 0xA
)

// Bits of a frame's first two bytes.
const (
	Fin      = 0x80 // Frame.Head: last fragment
	Reserved = 0x70 // Frame.Head: RSV1..3
	opcodes  = 0x0F
	Masked   = 0x80 // Frame.Seq: the payload is masked with Frame.Key
)

const (
	name       = "websocket"
	maxControl = 125
	len16      = 126
	len64      = 127
)

// Of returns the opcode in a frame's first byte.
func Of(f frame.Frame) Opcode { return Opcode(f.Head & opcodes) }

// Codec is the frame of RFC 6455, 5.2:
//
//	FIN:1 RSV:3 opcode:4  MASK:1 length:7  [length:16 or 64 BE]  [key:4]  payload
//
// In a frame.Frame, Head is the first byte, Seq the mask bit (80 or 0), Key the masking key as a big-endian number and Payload
// the bytes on the wire, still masked: see [Mask]. Any head byte and, unless Strict, any form of a length is read; the shortest
// is written.
type Codec struct {
	Max    int  // largest payload in bytes, both ways; 0 is frame.DefaultMax
	Strict bool // a length in a longer form than needed, or of a control frame over 125 bytes, is frame.ErrLength
}

// Name is the codec's name in errors.
func (c Codec) Name() string { return name }

// NewCutter returns c: the length stands at the front.
func (c Codec) NewCutter() frame.Cutter { return c }

// MaxFrame is the most bytes of one frame.
func (c Codec) MaxFrame() int { return int(c.limit()) + 14 }

func (c Codec) limit() uint64 {
	if c.Max <= 0 {
		return frame.DefaultMax
	}
	return min(uint64(c.Max), 1<<31-1-64)
}

// SizeFrame returns the bytes of f on the wire.
func (c Codec) SizeFrame(f frame.Frame) int { return headSize(len(f.Payload), f.Seq) + len(f.Payload) }

func headSize(n int, mask byte) int {
	h := 2
	switch {
	case n > 1<<16-1:
		h += 8
	case n > maxControl:
		h += 2
	}
	if mask&Masked != 0 {
		h += 4
	}
	return h
}

// AppendFrame writes f behind b, the payload as it is.
func (c Codec) AppendFrame(b []byte, f frame.Frame) ([]byte, error) {
	if uint64(len(f.Payload)) > c.limit() {
		return b, frame.Unwritable(name, frame.ErrTooLarge)
	}
	return append(appendHead(b, f), f.Payload...), nil
}

func appendHead(b []byte, f frame.Frame) []byte {
	n, mask := len(f.Payload), f.Seq&Masked
	switch {
	case n > 1<<16-1:
		b = append(b, f.Head, mask|len64)
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	case n > maxControl:
		b = append(b, f.Head, mask|len16, byte(n>>8), byte(n))
	default:
		b = append(b, f.Head, mask|byte(n))
	}
	if mask != 0 {
		b = binary.BigEndian.AppendUint32(b, f.Key)
	}
	return b
}

// ParseFrame reads the first frame of b.
func (c Codec) ParseFrame(b []byte) (f frame.Frame, n int, err error) {
	hs, size, err := c.measure(b)
	if err != nil || hs == 0 || size > len(b)-hs {
		return frame.Frame{}, 0, err
	}
	n = hs + size
	f = frame.Frame{Head: b[0], Seq: b[1] & Masked, Payload: b[hs:n:n]}
	if f.Seq != 0 {
		f.Key = binary.BigEndian.Uint32(b[hs-4:])
	}
	return f, n, nil
}

// Cut returns the size of the frame at b, 0 while the header is not whole.
func (c Codec) Cut(b []byte) (int, error) {
	hs, size, err := c.measure(b)
	return hs + size, err
}

// measure reads the header at b: its own size, 0 when it is not whole, and the payload's.
func (c Codec) measure(b []byte) (hs, size int, err error) {
	if len(b) < 2 {
		return 0, 0, nil
	}
	n, hs, least := uint64(b[1]&^Masked), 2, uint64(0)
	switch {
	case n == len16 && len(b) >= 4:
		n, hs, least = uint64(binary.BigEndian.Uint16(b[2:])), 4, len16
	case n == len64 && len(b) >= 10:
		n, hs, least = binary.BigEndian.Uint64(b[2:]), 10, 1<<16
	case n >= len16:
		return 0, 0, nil
	}
	switch {
	case n > 1<<63-1, c.Strict && (n < least || n > maxControl && Opcode(b[0]&opcodes) >= Close):
		return 0, 0, frame.Malformed(name, 1, frame.ErrLength)
	case n > c.limit():
		return 0, 0, frame.Malformed(name, 1, frame.ErrTooLarge)
	}
	if b[1]&Masked != 0 {
		if hs += 4; len(b) < hs {
			return 0, 0, nil
		}
	}
	return hs, int(n), nil
}

// Mask masks or unmasks p in place with key, whose byte for p[0] is that of place pos.
func Mask(p []byte, key uint32, pos int) {
	if k := uint(pos) % 4 * 8; k != 0 {
		key = key<<k | key>>(32-k)
	}
	wide := uint64(key)<<32 | uint64(key)
	for len(p) >= 8 {
		binary.BigEndian.PutUint64(p, binary.BigEndian.Uint64(p)^wide)
		p = p[8:]
	}
	for i := range p {
		p[i] ^= byte(wide >> (56 - 8*i))
	}
}

// AppendMessage writes a whole message as one frame behind b. A client passes a fresh key, which masks the copy in b; a server
// passes nil. A control message over 125 bytes is frame.ErrTooLarge.
func AppendMessage(b []byte, op Opcode, payload []byte, key *[4]byte) ([]byte, error) {
	if op >= Close && len(payload) > maxControl {
		return b, frame.Unwritable(name, frame.ErrTooLarge)
	}
	f := frame.Frame{Head: Fin | byte(op)&opcodes, Payload: payload}
	if key != nil {
		f.Seq, f.Key = Masked, binary.BigEndian.Uint32(key[:])
	}
	b = appendHead(b, f)
	start := len(b)
	b = append(b, payload...)
	if key != nil {
		Mask(b[start:], f.Key, 0)
	}
	return b, nil
}
