package frame

import (
	"encoding/binary"
	"fmt"
)

const nameLengthField = "lengthfield"

// LengthField is NewLife's LengthFieldCodec: Offset header bytes, the length of the payload alone, the payload.
//
// Size 1 is one byte, 2 (NewLife's default) and 4 are little-endian, -2 and -4 big-endian, 0 is a uvarint of at most five
// bytes. Any other size is ErrConfig in both directions. A payload too long for its length field is ErrTooLarge; nothing is cut.
type LengthField struct {
	Size   int // form of the length: 0, 1, 2, 4, -2, -4
	Offset int // header bytes before the length, at most 64 KiB
	Max    int // largest payload in bytes, both ways; 0 is DefaultMax
}

// maxUvarint is the most bytes of a uvarint length.
const maxUvarint = 5

// Name is the codec's name in errors.
func (c LengthField) Name() string { return nameLengthField }

// MaxFrame is the most bytes of one frame.
func (c LengthField) MaxFrame() int { return int(limit(c.Max, DefaultMax)) + c.Offset + maxUvarint }

// NewCutter returns c: the length stands at the front.
func (c LengthField) NewCutter() Cutter { return c }

// width returns the bytes of the length field for a payload of n bytes, and the largest length it holds. A width of 0 is a
// setting that does not exist.
func (c LengthField) width(n int) (w int, top uint) {
	if c.Offset < 0 || c.Offset > trusted {
		return 0, 0
	}
	switch c.Size {
	case 0:
		w = 1
		for v := uint(n); v >= 1<<7; v >>= 7 {
			w++
		}
		return w, 1<<31 - 1
	case 1:
		return 1, 1<<8 - 1
	case 2, -2:
		return 2, 1<<16 - 1
	case 4, -4:
		return 4, 1<<31 - 1
	}
	return 0, 0
}

// refused is the error of settings that do not exist.
func (c LengthField) refused() error {
	return fmt.Errorf("%w: Size is %d, which may be 0, 1, 2, 4, -2 or -4; Offset is %d, which may be 0 to %d", ErrConfig, c.Size, c.Offset, trusted)
}

// over tells that a payload of n bytes is too long for the limit or the length field.
func (c LengthField) over(n int) bool {
	return n > c.most()
}

// most is the longest payload that the limit and the length field allow.
func (c LengthField) most() int {
	_, top := c.width(0)
	return int(min(top, limit(c.Max, DefaultMax)))
}

// SizeFrame returns the bytes of f on the wire.
func (c LengthField) SizeFrame(f Frame) int {
	w, _ := c.width(len(f.Payload))
	return c.Offset + w + len(f.Payload)
}

// AppendFrame writes f behind b with a header of zeros.
func (c LengthField) AppendFrame(b []byte, f Frame) ([]byte, error) {
	return c.AppendHeaded(b, nil, f.Payload)
}

// AppendHeaded writes a frame with the header bytes of the caller's choice; a reply repeats those of its request. Header must
// be empty, which writes zeros, or of Offset bytes, else the error is ErrFrame.
func (c LengthField) AppendHeaded(b, header, payload []byte) ([]byte, error) {
	if w, _ := c.width(0); w > 0 && c.over(len(payload)) { // before it is copied
		return b, Unwritable(nameLengthField, TooLarge(len(payload), c.most()))
	}
	b, mark, err := c.StartFrame(b, header)
	if err != nil {
		return b, err
	}
	return c.FinishFrame(append(b, payload...), mark)
}

// StartFrame writes the header bytes of a frame, as AppendHeaded has them, and reserves its length; the payload is what the
// caller appends next. FinishFrame, given the returned mark, completes it.
func (c LengthField) StartFrame(b, header []byte) (_ []byte, mark int, err error) {
	mark = len(b)
	w, _ := c.width(0)
	switch {
	case w == 0:
		return b, mark, Unwritable(nameLengthField, c.refused())
	case len(header) == c.Offset:
		b = append(b, header...)
	case len(header) == 0:
		b = append(b, make([]byte, c.Offset)...)
	default:
		return b, mark, Unwritable(nameLengthField, fmt.Errorf("%w: %d bytes of header where Offset is %d", ErrFrame, len(header), c.Offset))
	}
	var room [4]byte
	return append(b, room[:w]...), mark, nil
}

// FinishFrame writes the length of the frame that StartFrame began at mark. A payload whose uvarint takes more than a byte is
// moved. When it is too long, FinishFrame returns b cut back to mark and ErrTooLarge.
func (c LengthField) FinishFrame(b []byte, mark int) ([]byte, error) {
	at := mark + c.Offset
	w, _ := c.width(0)
	n := len(b) - at - w
	if n < 0 || c.over(n) {
		return b[:min(mark, len(b))], Unwritable(nameLengthField, TooLarge(n, c.most()))
	}
	switch p := b[at:]; c.Size {
	case 0:
		if w, _ = c.width(n); w > 1 {
			b = append(b, make([]byte, w-1)...)
			copy(b[at+w:], b[at+1:])
		}
		binary.PutUvarint(b[at:], uint64(n))
	case 1:
		p[0] = byte(n)
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(n))
	case -2:
		binary.BigEndian.PutUint16(p, uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(n))
	case -4:
		binary.BigEndian.PutUint32(p, uint32(n))
	}
	return b, nil
}

// ParseFrame reads the first frame of b. A length that ends with b needs more, wherever it is cut.
func (c LengthField) ParseFrame(b []byte) (f Frame, n int, err error) {
	hs, size, err := c.measure(b)
	if err != nil || hs == 0 || size > len(b)-hs {
		return Frame{}, 0, err
	}
	n = hs + size
	return Frame{Payload: b[hs:n:n]}, n, nil
}

// Header returns the header bytes of a whole frame, raw as Reader.Raw has it.
func (c LengthField) Header(raw []byte) []byte {
	n := max(min(c.Offset, len(raw)), 0)
	return raw[:n:n]
}

// Cut returns the size of the frame at b, 0 while the length is not whole.
func (c LengthField) Cut(b []byte) (int, error) {
	hs, size, err := c.measure(b)
	return hs + size, err
}

// measure reads header and length at b: their size, 0 when they are not whole, and the payload's.
func (c LengthField) measure(b []byte) (hs, size int, err error) {
	hs, n, err := c.announced(b)
	if n > limit(c.Max, DefaultMax) {
		return 0, 0, Malformed(nameLengthField, c.Offset, TooLarge(int(n), int(limit(c.Max, DefaultMax))))
	}
	return hs, int(n), err
}

// announced is measure without the limit.
func (c LengthField) announced(b []byte) (hs int, n uint, err error) {
	w, _ := c.width(0)
	if w == 0 {
		return 0, 0, Malformed(nameLengthField, 0, c.refused())
	}
	if len(b) < c.Offset+w {
		return 0, 0, nil
	}
	p := b[c.Offset:]
	switch c.Size {
	case 0:
		if n, w = uvarint(p); w <= 0 {
			return 0, 0, c.cut(w)
		}
	case 1:
		n = uint(p[0])
	case 2:
		n = uint(binary.LittleEndian.Uint16(p))
	case -2:
		n = uint(binary.BigEndian.Uint16(p))
	case 4:
		n = uint(binary.LittleEndian.Uint32(p))
	case -4:
		n = uint(binary.BigEndian.Uint32(p))
	}
	if n > 1<<31-1 {
		return 0, 0, Malformed(nameLengthField, c.Offset, ErrLength)
	}
	return c.Offset + w, n, nil
}

// cut tells a uvarint that is not whole (0) from one that is too long (negative).
func (c LengthField) cut(w int) error {
	if w == 0 {
		return nil
	}
	return Malformed(nameLengthField, c.Offset, ErrLength)
}

// uvarint reads a uvarint of at most five bytes and 32 bits, padded or not: w > 0 bytes, 0 when p ends inside, -1 when there
// is none.
func uvarint(p []byte) (v uint, w int) {
	var u uint64
	for i, c := range p {
		u |= uint64(c&0x7F) << (7 * i)
		if c < 0x80 {
			if u > 1<<32-1 {
				return 0, -1
			}
			return uint(u), i + 1
		}
		if i == maxUvarint-1 {
			return 0, -1
		}
	}
	return 0, 0
}
