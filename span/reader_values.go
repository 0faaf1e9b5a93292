package span

import (
	"encoding/binary"
	"iter"
	"math"

	"github.com/spanwire/spanwire/span/wire"
)

// The methods with which a type reads itself, in the order in which its
// WriteSpan wrote. They give the zero value once the Reader has failed, so that
// nothing need be checked in between.
//
// They read what NewLife's SpanReader reads: any byte but 0 is true, and padded
// uvarints are accepted as long as the number fits. Options.Strict refuses both
// as ErrMalformed. The switches apply as they do for the Writer.

// Configure sets options for all that is read from now on. A stream keeps its
// MaxBytes and goes on copying strings.
func (r *Reader) Configure(o Options) {
	r.st &^= rSlow
	r.configure(&o)
}

// ReadBool reads 1 byte: any but 0 is true. It is the flag before a value that may
// be missing, too:
//
//	p.Age = nil
//	if r.ReadBool() {
//		age := r.ReadInt32()
//		p.Age = &age
//	}
func (r *Reader) ReadBool() bool {
	if r.off < len(r.b) && r.b[r.off] <= 1 {
		r.off++
		return r.b[r.off-1] == 1
	}
	return r.readFlag()
}

// readFlag is the slow half of ReadBool.
//
//go:noinline
func (r *Reader) readFlag() bool {
	if !r.more() {
		r.truncated(1)
		return false
	}
	if r.b[r.off] > 1 && r.strict() {
		r.Fail(because(ErrMalformed, "a flag byte of %d", r.b[r.off]))
		return false
	}
	r.off++
	return r.b[r.off-1] != 0
}

// ReadUint8 reads 1 byte. An SByte is int8(r.ReadUint8()).
func (r *Reader) ReadUint8() uint8 {
	if r.off < len(r.b) {
		r.off++
		return r.b[r.off-1]
	}
	return r.readUint8()
}

//go:noinline
func (r *Reader) readUint8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// ReadUint16 reads 2 bytes, with EncodeInt a uvarint of at most 16 bits.
func (r *Reader) ReadUint16() uint16 {
	if b := r.b[r.off:]; len(b) >= 2 && r.st&rSlow == 0 {
		r.off += 2
		return binary.LittleEndian.Uint16(b)
	}
	return uint16(r.readInteger(2))
}

// ReadUint32 reads 4 bytes, with EncodeInt a uvarint of at most 32 bits.
func (r *Reader) ReadUint32() uint32 {
	if b := r.b[r.off:]; len(b) >= 4 && r.st&rSlow == 0 {
		r.off += 4
		return binary.LittleEndian.Uint32(b)
	}
	return uint32(r.readInteger(4))
}

// ReadUint64 reads 8 bytes, with EncodeInt a uvarint of at most 64 bits.
func (r *Reader) ReadUint64() uint64 {
	if b := r.b[r.off:]; len(b) >= 8 && r.st&rSlow == 0 {
		r.off += 8
		return binary.LittleEndian.Uint64(b)
	}
	return r.readInteger(8)
}

// ReadInt16 reads 2 bytes, with EncodeInt a uvarint of at most 16 bits.
func (r *Reader) ReadInt16() int16 { return int16(r.ReadUint16()) }

// ReadInt32 reads 4 bytes, with EncodeInt a uvarint of at most 32 bits.
func (r *Reader) ReadInt32() int32 { return int32(r.ReadUint32()) }

// ReadInt64 reads 8 bytes, with EncodeInt a uvarint of at most 64 bits. A
// time.Duration is such an integer of nanoseconds.
func (r *Reader) ReadInt64() int64 { return int64(r.ReadUint64()) }

// ReadFloat32 reads 4 bytes and keeps all bits of a NaN.
func (r *Reader) ReadFloat32() float32 {
	if b := r.b[r.off:]; len(b) >= 4 && r.st&rSlow == 0 {
		r.off += 4
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return math.Float32frombits(uint32(r.readFixed(4)))
}

// ReadFloat64 reads 8 bytes and keeps all bits of a NaN.
func (r *Reader) ReadFloat64() float64 {
	if b := r.b[r.off:]; len(b) >= 8 && r.st&rSlow == 0 {
		r.off += 8
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return math.Float64frombits(r.readFixed(8))
}

// ReadUvarint reads a uvarint of at most width bits, 1 to 64; a larger one is
// ErrRange. int32(r.ReadUvarint(32)) is SpanReader.ReadEncodedInt, where .NET drops
// the bits above, and int64(r.ReadUvarint(64)) ReadEncodedInt64. The form of the tag
// zigzag is wire.UnZigZag(r.ReadUvarint(64)).
func (r *Reader) ReadUvarint(width int) uint64 {
	if width > 6 && r.off < len(r.b) && r.b[r.off] < 0x80 {
		r.off++
		return uint64(r.b[r.off-1])
	}
	return r.readUvarint(width)
}

// Elements reads a length, and
// returns the numbers 0, 1, ... of as many elements, one after the other until the
// Reader fails. So a loop that appends ends soon whatever length the input claims:
//
//	p.Samples = p.Samples[:0]
//	for range r.Elements() {
//		p.Samples = append(p.Samples, r.ReadFloat32())
//	}
//
// More than 2^31-1 is ErrRange; it also fails when fewer bytes than that are left,
// so elements must take at least a byte each.
func (r *Reader) Elements() iter.Seq[int] {
	n := r.readLength()
	return func(yield func(int) bool) {
		for i := 0; i < n && r.st&rFailed == 0 && yield(i); i++ {
		}
	}
}

// readLength reads a length of which the input must hold as many bytes.
func (r *Reader) readLength() int {
	n := int(r.readUvarint(31))
	if !r.holds(n) {
		r.lacks(-1, n, 1)
		return 0
	}
	return n
}

// readUvarint reads a uvarint of at most width bits.
//
//go:noinline
func (r *Reader) readUvarint(width int) uint64 {
	for {
		v, n := wire.ConsumeUvarint(r.b[r.off:], width, !r.strict())
		switch {
		case n > 0:
			r.off += n
			return v
		case n != wire.Truncated:
			r.Fail(uvarintFault(r.b[r.off:], n, width))
			return 0
		case !r.need(len(r.b) - r.off + 1):
			r.truncated(int64(len(r.b) - r.off + 1))
			return 0
		}
	}
}

// readInteger reads an integer of 2, 4 or 8 bytes under the switches.
//
//go:noinline
func (r *Reader) readInteger(size int) uint64 {
	if r.st&rSlow != 0 && r.x.opts.EncodeInt {
		return r.readUvarint(8 * size)
	}
	return r.readFixed(size)
}

// readFixed reads a number of 2, 4 or 8 bytes in the byte order of the options.
//
//go:noinline
func (r *Reader) readFixed(size int) (v uint64) {
	b := r.take(size)
	if r.st&rSlow != 0 && r.x.opts.BigEndian {
		for _, c := range b {
			v = v<<8 | uint64(c)
		}
		return v
	}
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// strict reports whether tolerated forms are to be refused.
func (r *Reader) strict() bool { return r.st&rSlow != 0 && r.x.opts.Strict }
