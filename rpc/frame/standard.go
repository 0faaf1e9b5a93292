package frame

import "encoding/binary"

const nameStandard = "standard"

// Standard is the SRMP frame of NewLife's StandardCodec:
//
//	flag:1 seq:1 length:2 LE payload           payloads of up to FFFE bytes
//	flag:1 seq:1 FF FF length:4 LE payload     longer ones
//
// The long header is never written for a short payload, and is read with any. The zero value is ready to use.
type Standard struct {
	Max int // largest payload in bytes, both ways; 0 is DefaultMax
}

const (
	shortHead = 4
	longHead  = 8
	longMark  = 0xFFFF // in the short length: an int32 with the length follows
)

// SizeFrame returns the bytes of f on the wire.
func (c Standard) SizeFrame(f Frame) int {
	if len(f.Payload) < longMark {
		return shortHead + len(f.Payload)
	}
	return longHead + len(f.Payload)
}

// AppendFrame writes f behind b. A payload over the limit is ErrTooLarge.
func (c Standard) AppendFrame(b []byte, f Frame) ([]byte, error) {
	n := len(f.Payload)
	if uint(n) > limit(c.Max, DefaultMax) {
		return b, Unwritable(nameStandard, TooLarge(n, int(limit(c.Max, DefaultMax))))
	}
	if n < longMark {
		b = append(b, f.Head, f.Seq, byte(n), byte(n>>8))
	} else {
		b = append(b, f.Head, f.Seq, 0xFF, 0xFF, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	return append(b, f.Payload...), nil
}

// ParseFrame reads the first frame of b. A negative length is ErrLength, one over the limit ErrTooLarge, both as soon as the
// header is there.
func (c Standard) ParseFrame(b []byte) (f Frame, n int, err error) {
	hs, size, err := c.measure(b)
	if err != nil || hs == 0 || size > len(b)-hs {
		return Frame{}, 0, err
	}
	n = hs + size
	return Frame{Head: b[0], Seq: b[1], Payload: b[hs:n:n]}, n, nil
}

// Cut returns the size of the frame at b, 0 while the header is not whole.
func (c Standard) Cut(b []byte) (int, error) {
	hs, size, err := c.measure(b)
	return hs + size, err
}

// measure reads the header at b: its own size, 0 when it is not whole, and the payload's.
func (c Standard) measure(b []byte) (hs, size int, err error) {
	if len(b) < shortHead {
		return 0, 0, nil
	}
	n, hs := uint(b[2])|uint(b[3])<<8, shortHead
	if n == longMark {
		if len(b) < longHead {
			return 0, 0, nil
		}
		n, hs = uint(binary.LittleEndian.Uint32(b[4:])), longHead
	}
	if n > limit(c.Max, DefaultMax) {
		return 0, 0, tooLong(n, hs, limit(c.Max, DefaultMax))
	}
	return hs, int(n), nil
}

// tooLong tells a negative int32 length from one over the limit; the offset is that of the length field.
func tooLong(n uint, hs int, max uint) *Error {
	if n > 1<<31-1 {
		return Malformed(nameStandard, shortHead, ErrLength)
	}
	return Malformed(nameStandard, hs/2, TooLarge(int(n), int(max)))
}

// StartFrame reserves the header of a frame whose payload the caller appends next. FinishFrame, given the returned mark, completes it:
//
//	b, mark := StartFrame(b, head, seq)
//	b = append(b, payload...)
//	b, err = Standard{}.FinishFrame(b, mark)
func StartFrame(b []byte, head, seq byte) (_ []byte, mark int) {
	return append(b, head, seq, 0, 0), len(b)
}

// FinishFrame writes the length of the frame that StartFrame began at mark. A payload that needs the long header is moved by four
// bytes. Over the limit it returns b cut back to mark and ErrTooLarge.
func (c Standard) FinishFrame(b []byte, mark int) ([]byte, error) {
	n := len(b) - mark - shortHead
	if n < 0 || uint(n) > limit(c.Max, DefaultMax) {
		return b[:min(mark, len(b))], Unwritable(nameStandard, TooLarge(n, int(limit(c.Max, DefaultMax))))
	}
	if n < longMark {
		b[mark+2], b[mark+3] = byte(n), byte(n>>8)
		return b, nil
	}
	b = append(b, 0, 0, 0, 0)
	copy(b[mark+longHead:], b[mark+shortHead:])
	b[mark+2], b[mark+3] = 0xFF, 0xFF
	binary.LittleEndian.PutUint32(b[mark+4:], uint32(n))
	return b, nil
}

// NewCutter returns c: the length stands at the front.
func (c Standard) NewCutter() Cutter { return c }

// Name is the codec's name in errors.
func (c Standard) Name() string { return nameStandard }

// MaxFrame is the most bytes of one frame.
func (c Standard) MaxFrame() int { return int(limit(c.Max, DefaultMax)) + longHead }
