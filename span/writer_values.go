package span

import (
	"encoding/binary"
	"math"

	"github.com/spanwire/spanwire/span/spanrt"
	"github.com/spanwire/spanwire/span/wire"
)

// The methods with which a type writes itself: its WriteSpan calls one for each
// of its values, in order, and its ReadSpan the Reader's methods of the same
// names. They keep the first error, so that nothing need be checked in between.
//
// The switches of the Writer's options apply to them: EncodeInt writes integers
// of 16, 32 and 64 bits as the uvarint of their bits, BigEndian turns the bytes
// of all other numbers round, FullTime changes WriteDateTime. Bools, single
// bytes, strings, byte slices, GUIDs, the 12 bytes of WriteTime, and whatever is
// a uvarint already stay as they are.

// wUncommon holds the flags with which a write is more than an append: it may
// be switched, or belongs into a buffer that is flushed, or has failed.
const wUncommon = wFailed | wSlow | wFlush

// WriteBool writes 1 byte, 0 or 1: .NET's Boolean. It is also the flag of .NET's
// Nullable<T> and the mark that SpanWriter.Write<T> puts before an object:
//
//	if w.WriteBool(p.Age != nil); p.Age != nil {
//		w.WriteInt32(*p.Age)
//	}
func (w *Writer) WriteBool(v bool) { w.WriteUint8(spanrt.Bool(v)) }

// WriteUint8 writes 1 byte: .NET's Byte. An SByte is w.WriteUint8(uint8(v)).
func (w *Writer) WriteUint8(v uint8) {
	if w.st&wUncommon == 0 && len(w.b) < cap(w.b) || w.room(1) {
		w.b = append(w.b, v)
	}
}

// WriteUint16 writes 2 bytes, 1 to 3 with EncodeInt: .NET's UInt16.
func (w *Writer) WriteUint16(v uint16) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 2 {
		w.b = binary.LittleEndian.AppendUint16(w.b, v)
		return
	}
	w.writeInteger(uint64(v), 2)
}

// WriteUint32 writes 4 bytes, 1 to 5 with EncodeInt: .NET's UInt32.
func (w *Writer) WriteUint32(v uint32) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 4 {
		w.b = binary.LittleEndian.AppendUint32(w.b, v)
		return
	}
	w.writeInteger(uint64(v), 4)
}

// WriteUint64 writes 8 bytes, 1 to 10 with EncodeInt: .NET's UInt64.
func (w *Writer) WriteUint64(v uint64) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 8 {
		w.b = binary.LittleEndian.AppendUint64(w.b, v)
		return
	}
	w.writeInteger(v, 8)
}

// WriteInt16 writes 2 bytes, 1 to 3 with EncodeInt (-1 takes 3): .NET's Int16.
func (w *Writer) WriteInt16(v int16) { w.WriteUint16(uint16(v)) }

// WriteInt32 writes 4 bytes, 1 to 5 with EncodeInt (-1 takes 5): .NET's Int32.
func (w *Writer) WriteInt32(v int32) { w.WriteUint32(uint32(v)) }

// WriteInt64 writes 8 bytes, 1 to 10 with EncodeInt (-1 takes 10): .NET's Int64. A
// time.Duration is its nanoseconds, a .NET TimeSpan int64(d/100).
func (w *Writer) WriteInt64(v int64) { w.WriteUint64(uint64(v)) }

// WriteFloat32 writes 4 bytes, also with EncodeInt: .NET's Single. Every NaN
// keeps its bits.
func (w *Writer) WriteFloat32(v float32) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 4 {
		w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(v))
		return
	}
	w.writeFixed(uint64(math.Float32bits(v)), 4)
}

// WriteFloat64 writes 8 bytes, also with EncodeInt: .NET's Double. Every NaN
// keeps its bits.
func (w *Writer) WriteFloat64(v float64) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 8 {
		w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(v))
		return
	}
	w.writeFixed(math.Float64bits(v), 8)
}

// WriteUvarint writes v in 1 to 10 bytes: 7 bits per byte, lowest first. It is the
// form of lengths, w.WriteUvarint(uint64(len(p.Samples))). For an int32 v
// w.WriteUvarint(uint64(uint32(v))) is SpanWriter.WriteEncodedInt, of which -1 takes
// 5 bytes, and for an int64 w.WriteUvarint(uint64(v)) WriteEncodedInt64. The form
// of the tag zigzag is w.WriteUvarint(wire.ZigZag(v)).
func (w *Writer) WriteUvarint(v uint64) {
	if v < 0x80 {
		w.WriteUint8(uint8(v))
		return
	}
	if w.room(wire.SizeUvarint(v)) {
		w.b = wire.AppendUvarint(w.b, v)
	}
}

// writeLength writes a length or count. One below 0 or above MaxLength is ErrRange.
func (w *Writer) writeLength(n int) {
	if uint64(n) > maxLength {
		w.Fail(because(ErrRange, "a length of %d", n))
		return
	}
	w.WriteUvarint(uint64(n))
}

// writeInteger writes an integer of 2, 4 or 8 bytes under the switches.
//
//go:noinline
func (w *Writer) writeInteger(v uint64, size int) {
	if w.st&wSlow != 0 && w.x.opts.EncodeInt {
		w.WriteUvarint(v)
		return
	}
	w.writeFixed(v, size)
}

// writeFixed writes a number of 2, 4 or 8 bytes in the byte order of the
// options.
//
//go:noinline
func (w *Writer) writeFixed(v uint64, size int) {
	if !w.room(size) {
		return
	}
	if w.st&wSlow != 0 && w.x.opts.BigEndian {
		v <<= 64 - 8*size // the highest byte first, whatever the size
		for range size {
			w.b = append(w.b, byte(v>>56))
			v <<= 8
		}
		return
	}
	for range size {
		w.b = append(w.b, byte(v))
		v >>= 8
	}
}
