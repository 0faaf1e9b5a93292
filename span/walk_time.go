package span

import (
	"math"
	"time"

	"github.com/spanwire/spanwire/internal/layout"
	"github.com/spanwire/spanwire/span/wire"
)

// time writes a time in a form other than cNano.
func (w *Writer) time(o *op, t time.Time) {
	if layout.TimeEnc(o.mem) == layout.TimeFull {
		w.fixed(o, uint64(t.Unix()), 8)
		w.fixed(o, uint64(t.Nanosecond()), 4)
		return
	}
	x, ok := w.timeNumber(o, t)
	switch {
	case !ok:
		w.Fail(timeFault(t, layout.TimeEnc(o.mem)))
	case o.flags&fVarint != 0:
		w.b = wire.AppendUvarint(w.b, x)
	default:
		w.fixed(o, x, int(o.size))
	}
}

// timeNumber gives the number that stands for t, and false where there is none.
func (w *Writer) timeNumber(o *op, t time.Time) (uint64, bool) {
	switch layout.TimeEnc(o.mem) {
	case layout.TimeUnixMilli:
		x, ok := wire.TimeUnixMilli(t)
		return uint64(x), ok
	case layout.TimeUnixNano:
		x, ok := wire.TimeUnixNano(t)
		return uint64(x), ok
	case layout.TimeTicks:
		x, ok := wire.TimeTicks(t)
		return uint64(x), ok
	case layout.TimeSeconds:
		return w.seconds(o, t)
	}
	return 0, false
}

// seconds is timeNumber for the forms of uint32 seconds: that of the tag unix, and
// that of the NewLife profile.
func (w *Writer) seconds(o *op, t time.Time) (uint64, bool) {
	if o.flags&fSeconds == 0 {
		x, ok := wire.TimeUnix(t)
		return uint64(x), ok
	}
	if w.compat() {
		return uint64(compatSeconds(t)), true
	}
	x, ok := wire.TimeSeconds(t)
	return uint64(x), ok
}

// time reads a time in a form other than cNano.
func (r *Reader) time(o *op, p ptr) {
	at := r.Offset()
	var t time.Time
	var x uint64
	var ok bool
	switch {
	case layout.TimeEnc(o.mem) == layout.TimeFull:
		b := r.b[r.off:]
		x = getFixed(o, b[8:], 4)
		t, ok = wire.TimeFromFull(int64(getFixed(o, b, 8)), uint32(x))
		r.off += 12
	case o.flags&fVarint != 0:
		var good bool
		if x, good = r.uvarint(8*int(o.size), r.tolerates(o)); !good {
			return
		}
		t, ok = r.timeOf(o, x)
	default:
		x = getFixed(o, r.b[r.off:], int(o.size))
		t, ok = r.timeOf(o, x)
		r.off += int(o.size)
	}
	if !ok {
		r.failBack(at, noTime(x, layout.TimeEnc(o.mem)))
		return
	}
	storeTime(p, o, t)
}

// timeOf gives the time that a number stands for.
func (r *Reader) timeOf(o *op, x uint64) (time.Time, bool) {
	switch layout.TimeEnc(o.mem) {
	case layout.TimeUnixMilli:
		return wire.TimeFromUnixMilli(int64(x)), true
	case layout.TimeUnixNano:
		return wire.TimeFromUnixNano(int64(x)), true
	case layout.TimeTicks:
		return wire.TimeFromTicks(int64(x))
	case layout.TimeSeconds:
		ok := o.flags&fSeconds == 0 || x != math.MaxUint32 || r.st&rSlow != 0 && r.x.opts.Compat
		return wire.TimeFromUnix(uint32(x)), ok
	}
	return time.Time{}, false
}
