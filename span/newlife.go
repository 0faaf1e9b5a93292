package span

import (
	"math"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/wire"
)

// What NewLife's SpanWriter has beyond the plain values: lengths of a chosen
// width, strings of a chosen size, and .NET's DateTime.

// WriteStringN is SpanWriter.Write(String, Int32):
//
//	n == 0  the length of s as a uvarint, then its bytes, as WriteString
//	n > 0   exactly n bytes: s followed by zeros, or cut where it is longer,
//	        even inside a character
//	n < 0   the bytes of s alone
//
// Cutting is what the form is for, so it is no error here; compare len(s) with n
// where nothing may be lost.
func (w *Writer) WriteStringN(s string, n int) {
	switch {
	case n == 0:
		w.WriteString(s)
	case n < 0:
		writeRaw(w, s)
	default:
		s = s[:min(len(s), n)]
		writeRaw(w, s)
		w.writeZeros(n - len(s))
	}
}

// WriteArray writes the length of b in the given width, then b: it is
// SpanWriter.WriteArray, and for the bytes of a string WriteLengthString. Width 0
// is a uvarint, 1 one byte, 2 and 4 an unsigned integer, which follows the switches
// as any other; another width is ErrRange.
//
// A length too long for its width is ErrRange as well. With Options.Compat it
// wraps as NewLife's does: 256 in one byte is 0, and the bytes that follow will
// be taken for something else.
func (w *Writer) WriteArray(b []byte, width int) {
	if w.writeWidth(len(b), width) {
		writeRaw(w, b)
	}
}

// writeWidth writes a length as WriteArray describes and reports whether it
// could.
func (w *Writer) writeWidth(n, width int) bool {
	most := uint64(maxLength)
	switch width {
	case 1:
		most = math.MaxUint8
	case 2:
		most = math.MaxUint16
	case 0, 4:
	default:
		w.Fail(because(ErrRange, "a length %d bytes wide", width))
		return false
	}
	if uint64(n) > most && !(width > 0 && uint64(n) <= maxLength && w.compat()) {
		w.Fail(because(ErrRange, "a length of %d in %d bytes", n, width))
		return false
	}
	switch width {
	case 1:
		w.WriteUint8(uint8(n))
	case 2:
		w.WriteUint16(uint16(n))
	case 4:
		w.WriteUint32(uint32(n))
	default:
		w.WriteUvarint(uint64(n))
	}
	return w.st&wFailed == 0
}

// WriteDateTime writes t as SpanWriter writes a DateTime: as uint32 Unix seconds,
// 0 for the zero time, or with the switch FullTime as the int64 of
// DateTime.ToBinary, which wire.TimeTicks describes. Both are integers that the
// other switches change.
//
// Seconds are cut toward minus infinity, and the first second of 1970 reads back
// as the zero time. A time before 1970 or after 2106-02-07T06:28:14Z is ErrRange;
// with Options.Compat it becomes the first or last number, and a time in
// time.Local gives its clock reading, as they do in .NET. With FullTime times
// outside the years 1 to 9999 are ErrRange.
func (w *Writer) WriteDateTime(t time.Time) {
	if w.st&wSlow == 0 {
		if sec, ok := wire.TimeSeconds(t); ok {
			w.WriteUint32(sec)
			return
		}
	}
	w.writeDateTime(t)
}

// writeDateTime is WriteDateTime under options, and for times out of range.
//
//go:noinline
func (w *Writer) writeDateTime(t time.Time) {
	if w.st&wSlow != 0 && w.x.opts.FullTime {
		ticks, ok := wire.TimeTicks(t)
		if !ok {
			w.Fail(timeFault(t, layout.TimeTicks))
			return
		}
		w.writeInteger(uint64(ticks), 8)
		return
	}
	sec, ok := wire.TimeSeconds(t)
	if w.compat() {
		sec, ok = compatSeconds(t), true
	}
	if !ok {
		w.Fail(timeFault(t, layout.TimeSeconds))
		return
	}
	w.writeInteger(uint64(sec), 4)
}

// compatSeconds gives the seconds that .NET writes whatever the time is: times
// too early or too late saturate, and a local time counts as if its clock
// showed UTC.
func compatSeconds(t time.Time) uint32 {
	if t.IsZero() {
		return 0
	}
	sec := t.Unix()
	if loc := t.Location(); loc == time.Local && loc != time.UTC {
		_, offset := t.Zone()
		sec += int64(offset)
	}
	return uint32(min(max(sec, 0), math.MaxUint32))
}

// compat reports whether NewLife's faults are asked for.
func (w *Writer) compat() bool { return w.st&wSlow != 0 && w.x.opts.Compat }
