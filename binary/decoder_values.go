package binary

import (
	"io"
	"math"
	"reflect"
	"time"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
)

// What accessors and handlers read with: the counterparts of the Encoder's
// methods. They give zero once the Decoder has failed.

// ReadBool reads 1 byte: any but 0 is true. Strict refuses more than 1.
func (d *Decoder) ReadBool() bool {
	v := d.ReadUint8()
	if v > 1 && d.Strict {
		d.off--
		d.fail(because(ErrMalformed, "a bool or flag of %d", v))
	}
	return v != 0
}

// ReadUint8 reads 1 byte.
func (d *Decoder) ReadUint8() uint8 {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

// ReadUint16 reads 2 bytes, with EncodeInt a uvarint of at most 16 bits.
func (d *Decoder) ReadUint16() uint16 { return uint16(d.integer(2)) }

// ReadUint32 reads 4 bytes, with EncodeInt a uvarint of at most 32 bits.
func (d *Decoder) ReadUint32() uint32 { return uint32(d.integer(4)) }

// ReadUint64 reads 8 bytes, with EncodeInt a uvarint of at most 64 bits.
func (d *Decoder) ReadUint64() uint64 { return d.integer(8) }

// ReadFloat32 reads 4 bytes.
func (d *Decoder) ReadFloat32() float32 {
	return math.Float32frombits(uint32(d.fixed(4, d.LittleEndian)))
}

// ReadFloat64 reads 8 bytes.
func (d *Decoder) ReadFloat64() float64 { return math.Float64frombits(d.fixed(8, d.LittleEndian)) }

// ReadString reads what WriteString writes.
func (d *Decoder) ReadString() string { return d.string(d.prefix()) }

// ReadBytes reads what WriteBytes writes, into memory of its own.
func (d *Decoder) ReadBytes() []byte { return append([]byte(nil), d.raw(d.prefix())...) }

// ReadRaw reads n bytes into memory of their own.
func (d *Decoder) ReadRaw(n int) []byte { return append([]byte(nil), d.take(n)...) }

// ReadSize reads what WriteSize writes. One beyond the int32 or below zero is
// ErrRange, and one beyond what is left of an input in memory is
// io.ErrUnexpectedEOF: a count of elements of at least a byte each may size a
// slice by it. From an io.Reader only MaxSize bounds it.
func (d *Decoder) ReadSize() int {
	n := d.size(d.prefix())
	d.holds(n, 1)
	if d.err != nil {
		return 0
	}
	return n
}

// ReadFixedString reads n bytes and takes 00 and FF off both ends.
func (d *Decoder) ReadFixedString(n int) string {
	return d.string(sizing{Form: binaryplan.Trimmed, N: n})
}

// ReadBCD reads n bytes as 2n decimal digits. A half byte above 9 is
// ErrMalformed.
func (d *Decoder) ReadBCD(n int) string {
	s, err := DigitsBCD(d.take(n))
	d.fail(err)
	return s
}

// ReadTime reads a DateTime as Options.FullTime says.
func (d *Decoder) ReadTime() time.Time { return d.time(d.FullTime, d.LittleEndian, d.EncodeInt) }

// ReadValue reads what WriteValue writes into what v, a pointer, points to.
func (d *Decoder) ReadValue(v any) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		d.fail(because(ErrNil, "the destination is not a pointer to a value: %T", v))
		return
	}
	n, err := d.plan(rv.Type().Elem())
	if err != nil {
		d.fail(err)
		return
	}
	if d.err == nil {
		d.value(n, mem.Target(rv))
	}
}

// prefix is the length that the options ask for.
func (d *Decoder) prefix() sizing {
	return sizing{Width: int8(d.SizeWidth), LE: d.LittleEndian, Varint: d.EncodeInt}
}

// integer reads an integer of size bytes under the options.
func (d *Decoder) integer(size int) uint64 { return d.word(size, d.LittleEndian, d.EncodeInt) }

// word reads an integer of size bytes.
func (d *Decoder) word(size int, le, varint bool) uint64 {
	if varint && size > 1 {
		return d.uvarint(8 * size)
	}
	return d.fixed(size, le)
}

// fixed reads a number of size bytes.
func (d *Decoder) fixed(size int, le bool) uint64 {
	b := d.take(size)
	if b == nil {
		return 0
	}
	return fixedAt(b, le)
}

// uvarint reads a uvarint of at most width bits.
func (d *Decoder) uvarint(width int) (v uint64) {
	if d.off < len(d.b) && d.b[d.off] < 0x80 {
		d.off++
		return uint64(d.b[d.off-1])
	}
	start := d.off
	for shift := 0; ; shift += 7 {
		b := d.take(1)
		if b == nil {
			return 0
		}
		c := b[0]
		if left := width - shift; left < 7 && c>>max(left, 0) != 0 {
			d.off = start
			d.fail(because(ErrRange, "a uvarint of more than %d bits", width))
			return 0
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if c == 0 && shift > 0 && d.Strict {
				d.off = start
				d.fail(because(ErrMalformed, "a padded uvarint"))
				return 0
			}
			return v
		}
	}
}

// size reads a length. Under Compat those below zero are 0, as in NewLife.
func (d *Decoder) size(sz sizing) int {
	start := d.off
	var n int64
	switch sz.Width {
	case 0:
		n = int64(int32(d.uvarint(32)))
	case 1:
		n = int64(d.ReadUint8())
	case 2:
		n = int64(int16(d.word(2, sz.LE, sz.Varint)))
	default:
		n = int64(int32(d.word(4, sz.LE, sz.Varint)))
	}
	if n < 0 && !d.Compat {
		d.off = start
		d.fail(because(ErrRange, "a length below zero"))
	}
	return int(max(n, 0))
}

// holds checks that the input can have n times least bytes, before anything is
// made for them.
func (d *Decoder) holds(n, least int) {
	if d.err != nil || d.r != nil || d.Compat {
		return
	}
	left := len(d.b) - d.off
	switch {
	case uint64(n)*uint64(least) <= uint64(left):
	case least == 1:
		d.fail(because(io.ErrUnexpectedEOF, "a length of %d with %d bytes left", n, left))
	default:
		d.fail(because(io.ErrUnexpectedEOF, "%d elements of at least %d bytes with %d bytes left", n, least, left))
	}
}

// least gives the fewest bytes of an element; handlers may write none.
func (d *Decoder) least(n *node) int {
	switch {
	case d.Handlers != nil:
		return 0
	case n.op != opObject: // which may be nil, but not as an element
		return n.min
	case d.UseRef && n.elem.op == opStruct:
		return 1
	}
	return n.elem.min
}
