package span

import (
	"encoding/binary"
	"iter"
	"math"
	"time"

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
func (r *Reader) Configure(opts ...Options) {
	if len(opts) == 0 {
		return
	}
	r.st &^= rSlow
	r.configure(opts)
}

// ReadBool reads 1 byte: any but 0 is true.
func (r *Reader) ReadBool() bool {
	if r.off < len(r.b) && r.b[r.off] <= 1 {
		r.off++
		return r.b[r.off-1] == 1
	}
	return r.readFlag()
}

// ReadPresent reads the byte that WritePresent writes: any but 0 is true.
//
//	p.Age = nil
//	if r.ReadPresent() {
//		age := r.ReadInt32()
//		p.Age = &age
//	}
func (r *Reader) ReadPresent() bool { return r.ReadBool() }

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

// ReadUint8 reads 1 byte.
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

// ReadInt8 reads 1 byte.
func (r *Reader) ReadInt8() int8 { return int8(r.ReadUint8()) }

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

// ReadInt64 reads 8 bytes, with EncodeInt a uvarint of at most 64 bits.
func (r *Reader) ReadInt64() int64 { return int64(r.ReadUint64()) }

// ReadInt reads an int64. One that int does not hold on this platform is
// ErrRange.
func (r *Reader) ReadInt() int {
	v := r.ReadInt64()
	if int64(int(v)) != v {
		r.Fail(because(ErrRange, "%d is no int on this platform", v))
		return 0
	}
	return int(v)
}

// ReadUint reads a uint64. One that uint does not hold on this platform is
// ErrRange.
func (r *Reader) ReadUint() uint {
	v := r.ReadUint64()
	if uint64(uint(v)) != v {
		r.Fail(because(ErrRange, "%d is no uint on this platform", v))
		return 0
	}
	return uint(v)
}

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

// ReadDuration reads an int64 of nanoseconds.
func (r *Reader) ReadDuration() time.Duration { return time.Duration(r.ReadUint64()) }

// ReadUvarint reads a uvarint of at most 64 bits; a larger one is ErrRange.
func (r *Reader) ReadUvarint() uint64 {
	if r.off < len(r.b) && r.b[r.off] < 0x80 {
		r.off++
		return uint64(r.b[r.off-1])
	}
	return r.readUvarint(64)
}

// ReadVarint16 reads what WriteVarint16 writes; more than 16 bits are ErrRange.
func (r *Reader) ReadVarint16() int16 { return int16(r.readUvarint(16)) }

// ReadVarint32 reads what WriteVarint32 writes; more than 32 bits are ErrRange,
// where .NET drops them. It is SpanReader.ReadEncodedInt.
func (r *Reader) ReadVarint32() int32 { return int32(r.readUvarint(32)) }

// ReadVarint64 reads what WriteVarint64 writes; more than 64 bits are ErrRange.
// It is SpanReader.ReadEncodedInt64.
func (r *Reader) ReadVarint64() int64 { return int64(r.readUvarint(64)) }

// ReadZigZag reads what WriteZigZag writes.
func (r *Reader) ReadZigZag() int64 { return wire.UnZigZag(r.ReadUvarint()) }

// ReadLength reads what WriteLength writes. More than MaxLength is ErrRange; it
// also fails when fewer bytes than that are left, so that a count of elements
// that take at least a byte each can't make a slice larger than its input
// deserves. From an io.Reader only Options.MaxBytes bounds it: let slices grow
// with the elements there, as append does.
func (r *Reader) ReadLength() int {
	n := int(r.readUvarint(31))
	if !r.holds(n) {
		r.lacks(-1, n, 1)
		return 0
	}
	return n
}

// Elements reads a length as ReadLength does and gives the numbers 0, 1, ... of
// as many elements, one after the other until the Reader fails. So a loop that
// appends ends soon whatever length the input claims:
//
//	p.Samples = p.Samples[:0]
//	for range r.Elements() {
//		p.Samples = append(p.Samples, r.ReadFloat32())
//	}
func (r *Reader) Elements() iter.Seq[int] {
	n := r.ReadLength()
	return func(yield func(int) bool) {
		for i := 0; i < n && r.st&rFailed == 0 && yield(i); i++ {
		}
	}
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
