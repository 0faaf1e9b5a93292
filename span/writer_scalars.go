package span

import (
	"encoding/binary"
	"time"

	"github.com/spanwire/spanwire/span/wire"
)

// WriteString writes the length of s in bytes as a uvarint, then its bytes as
// they are, valid UTF-8 or not: .NET's String, where null is the empty string.
// A string longer than MaxLength is ErrRange.
func (w *Writer) WriteString(s string) {
	if len(s) < 0x80 && w.st&wUncommon == 0 && cap(w.b)-len(w.b) > len(s) {
		w.b = append(append(w.b, byte(len(s))), s...)
		return
	}
	if w.writeLength(len(s)); w.st&wFailed == 0 {
		writeRaw(w, s)
	}
}

// WriteBytes writes the length of b as a uvarint, then b: .NET's Byte[], where
// null is the empty array. A slice longer than MaxLength is ErrRange.
func (w *Writer) WriteBytes(b []byte) {
	if w.writeLength(len(b)); w.st&wFailed == 0 {
		writeRaw(w, b)
	}
}

// WriteRaw writes b alone, without a length. For a GUID it is w.WriteRaw(g[:]),
// .NET's Guid.
func (w *Writer) WriteRaw(b []byte) { writeRaw(w, b) }

// writeRaw writes s. What is flushed goes through the buffer in pieces, so that
// a long value does not make the buffer long.
func writeRaw[T string | []byte](w *Writer, s T) {
	if w.st&wFlush != 0 {
		if w.st&wCount != 0 && len(s) > cap(w.b)-len(w.b) {
			w.x.flushed += int64(len(s))
			return
		}
		for len(s) > flushChunk {
			if !w.room(flushChunk) {
				return
			}
			w.b = append(w.b, s[:flushChunk]...)
			s = s[flushChunk:]
		}
	}
	if w.room(len(s)) {
		w.b = append(w.b, s...)
	}
}

// writeZeros writes n zero bytes.
func (w *Writer) writeZeros(n int) {
	for n > 0 {
		k := n
		if w.st&wFlush != 0 {
			k = min(n, flushChunk)
		}
		if !w.room(k) {
			return
		}
		at := len(w.b)
		w.b = w.b[:at+k]
		clear(w.b[at:])
		n -= k
	}
}

// WriteTime writes t in the form of the Go profile: int64 Unix seconds and
// uint32 nanoseconds, 12 bytes little-endian whatever the switches are. Every
// instant has this form, the zero time too; the location is not carried. The
// form of a .NET DateTime is [Writer.WriteDateTime].
func (w *Writer) WriteTime(t time.Time) {
	if w.room(12) {
		w.b = wire.AppendTime(w.b, t)
	}
}

// WriteDecimal writes the four words of d.Bits, 16 bytes: .NET's Decimal. Each
// word is an integer that the switches change, so that EncodeInt makes 4 to 20
// bytes of them.
func (w *Writer) WriteDecimal(d Decimal) {
	if w.st&wUncommon == 0 && cap(w.b)-len(w.b) >= 16 {
		w.b = binary.LittleEndian.AppendUint64(w.b, uint64(d.mid)<<32|uint64(d.lo))
		w.b = binary.LittleEndian.AppendUint64(w.b, uint64(d.flags)<<32|uint64(d.hi))
		return
	}
	for _, word := range d.Bits() {
		w.WriteUint32(word)
	}
}

// WriteChar writes 1 byte: .NET's Char as NewLife carries it. A character above
// U+00FF is ErrRange; .NET throws as well.
func (w *Writer) WriteChar(c Char) {
	if !c.Valid() {
		w.Fail(charFault(c))
		return
	}
	w.WriteUint8(uint8(c))
}
