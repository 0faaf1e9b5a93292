package binary

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// What accessors and handlers write with. Integers follow Options.EncodeInt and
// LittleEndian; signed ones are written by their bits, uint16(v) and so on.

// WriteBool writes 1 byte: Boolean.
func (e *Encoder) WriteBool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.WriteUint8(b)
}

// WriteUint8 writes 1 byte: Byte, SByte.
func (e *Encoder) WriteUint8(v uint8) { e.b = append(e.b, v) }

// WriteUint16 writes 2 bytes, 1 to 3 with EncodeInt: UInt16, Int16.
func (e *Encoder) WriteUint16(v uint16) { e.integer(uint64(v), 2) }

// WriteUint32 writes 4 bytes, 1 to 5 with EncodeInt: UInt32, Int32.
func (e *Encoder) WriteUint32(v uint32) { e.integer(uint64(v), 4) }

// WriteUint64 writes 8 bytes, 1 to 10 with EncodeInt: UInt64, Int64.
func (e *Encoder) WriteUint64(v uint64) { e.integer(v, 8) }

// WriteFloat32 writes 4 bytes: Single.
func (e *Encoder) WriteFloat32(v float32) {
	e.b = appendFixed(e.b, uint64(math.Float32bits(v)), 4, e.LittleEndian)
}

// WriteFloat64 writes 8 bytes: Double.
func (e *Encoder) WriteFloat64(v float64) {
	e.b = appendFixed(e.b, math.Float64bits(v), 8, e.LittleEndian)
}

// WriteString writes the size of s and its bytes in Options.Encoding: String.
func (e *Encoder) WriteString(s string) { e.string(s, e.prefix()) }

// WriteBytes writes the size of b, then b: Byte[].
func (e *Encoder) WriteBytes(b []byte) { e.bytes(b, e.prefix()) }

// WriteRaw writes b alone.
func (e *Encoder) WriteRaw(b []byte) { e.b = append(e.b, b...) }

// WriteSize writes a length or count in the width of Options.SizeWidth
// (Binary.WriteSize). One that does not fit is ErrRange; it wraps under Compat.
func (e *Encoder) WriteSize(n int) { e.size(n, e.prefix()) }

// WriteFixedString writes s in exactly n bytes, padded with zeros
// (Binary.WriteFixedString). A longer one is ErrRange; Compat cuts it.
func (e *Encoder) WriteFixedString(s string, n int) {
	e.string(s, sizing{Form: binaryplan.Trimmed, N: n})
}

// WriteBCD writes digits in n bytes, as [AppendBCD] does (Binary.WriteBCD).
func (e *Encoder) WriteBCD(digits string, n int) {
	b, err := appendBCD(e.b, digits, n, e.Compat)
	e.b = b
	e.fail(err)
}

// WriteTime writes t as Options.FullTime says: DateTime.
func (e *Encoder) WriteTime(t time.Time) { e.time(t, e.FullTime, e.LittleEndian, e.EncodeInt) }

// WriteValue writes any value, or what a pointer points to, as a member of its
// type is written: through the chain, with a mark under Options.UseRef. Its type
// must have a plan.
func (e *Encoder) WriteValue(v any) {
	if e.err != nil {
		return
	}
	if v == nil {
		e.fail(because(ErrNil, "the value is nil"))
		return
	}
	n, err := e.plan(reflect.TypeOf(v))
	if err != nil {
		e.fail(err)
		return
	}
	if n.op == opObject || n.op == opNullable {
		p, ok := mem.Load(mem.CopyOf(v))
		if !ok {
			e.fail(because(ErrNil, "the value is a nil %s", n.typ))
			return
		}
		e.value(n.elem, p)
		return
	}
	e.value(n, mem.CopyOf(v))
}

// prefix is the length that the options ask for.
func (e *Encoder) prefix() sizing {
	return sizing{Width: int8(e.SizeWidth), LE: e.LittleEndian, Varint: e.EncodeInt}
}

// integer writes the low size bytes of v under the options.
func (e *Encoder) integer(v uint64, size int) {
	if e.EncodeInt {
		e.b = binary.AppendUvarint(e.b, v)
		return
	}
	e.b = appendFixed(e.b, v, size, e.LittleEndian)
}

// size writes a length before what it is of, and reports whether it could.
func (e *Encoder) size(n int, sz sizing) bool {
	most := maxLength
	switch sz.Width {
	case 1:
		most = math.MaxUint8
	case 2:
		most = math.MaxInt16
	}
	if n < 0 || n > maxLength || n > most && !e.Compat {
		e.fail(because(ErrRange, "a length of %d does not fit in %s", n, widthName(sz.Width)))
		return false
	}
	switch {
	case sz.Width == 0:
		e.b = binary.AppendUvarint(e.b, uint64(n))
	case sz.Width == 1:
		e.b = append(e.b, byte(n))
	case sz.Varint && sz.Width == 2:
		e.b = binary.AppendUvarint(e.b, uint64(uint16(n)))
	case sz.Varint:
		e.b = binary.AppendUvarint(e.b, uint64(n))
	default:
		e.b = appendFixed(e.b, uint64(n), int(sz.Width), sz.LE)
	}
	return true
}

func widthName(width int8) string {
	return [...]string{"a uvarint", "1 byte", "2 bytes", "", "4 bytes"}[width]
}
