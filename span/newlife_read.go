package span

import (
	"bytes"
	"math"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/wire"
)

// ReadStringN reads what WriteStringN writes:
//
//	n == 0  a length and as many bytes, as ReadString
//	n > 0   exactly n bytes, without the zeros at their end
//	n < 0   all bytes that are left
//
// NewLife's SpanReader.ReadString(Int32) keeps the zeros.
func (r *Reader) ReadStringN(n int) string {
	switch {
	case n == 0:
		return r.ReadString()
	case n < 0:
		return r.readRest()
	}
	if n <= len(r.b)-r.off || n <= streamBuffer && r.need(n) {
		b := r.b[r.off : r.off+n]
		s := r.Fast().StringAt(r.unread(), 0, len(bytes.TrimRight(b, "\x00")), -1)
		r.off += n
		return s
	}
	b := bytes.TrimRight(r.gather(n), "\x00")
	return string(b)
}

// readRest reads all bytes that are left as a string.
func (r *Reader) readRest() string {
	if r.x == nil || r.x.src == nil {
		return r.readString(len(r.b) - r.off)
	}
	return aliasString(r.gatherRest())
}

// ReadArray reads what WriteArray writes into dst, which it uses as ReadBytes
// does: a length of the given width, then as many bytes. SpanReader's
// ReadLengthString is string(r.ReadArray(nil, width)).
func (r *Reader) ReadArray(dst []byte, width int) []byte {
	return r.readBytes(dst, r.readWidth(width))
}

// readWidth reads a length as WriteArray describes: unsigned, at most MaxLength.
func (r *Reader) readWidth(width int) int {
	var n uint32
	at := r.Offset()
	switch width {
	case 0:
		return int(r.readUvarint(31))
	case 1:
		n = uint32(r.ReadUint8())
	case 2:
		n = uint32(r.ReadUint16())
	case 4:
		n = r.ReadUint32()
	default:
		r.Fail(because(ErrRange, "a length %d bytes wide", width))
		return 0
	}
	if n > maxLength {
		r.failBack(at, because(ErrRange, "a length of %d", n))
		return 0
	}
	return int(n)
}

// ReadDateTime reads what WriteDateTime writes: uint32 Unix seconds, or with the
// switch FullTime the int64 of DateTime.ToBinary. Seconds give a time in UTC,
// FullTime one in UTC, time.Local or Unspecified.
//
// The last number of seconds, which NewLife writes for every time after its
// range, is ErrRange unless Options.Compat is set; ticks beyond the year 9999
// are ErrRange.
func (r *Reader) ReadDateTime() time.Time {
	at := r.Offset()
	if r.st&rSlow != 0 && r.x.opts.FullTime {
		x := r.readInteger(8)
		t, ok := wire.TimeFromTicks(int64(x))
		if !ok {
			r.failBack(at, noTime(x, layout.TimeTicks))
		}
		return t
	}
	sec := r.ReadUint32()
	if sec == math.MaxUint32 && !(r.st&rSlow != 0 && r.x.opts.Compat) {
		r.failBack(at, noTime(uint64(sec), layout.TimeSeconds))
		return time.Time{}
	}
	return wire.TimeFromUnix(sec)
}
