package binary

import (
	"net/netip"
	"time"

	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

// special reads the types that are neither numbers nor made of others.
func (d *Decoder) special(n *node, p ptr, sz sizing) {
	switch n.op {
	case opChar:
		*at[span.Char](p) = span.Char(d.ReadUint8())
	case opDecimal:
		d.decimal(n, at[span.Decimal](p))
	case opDate:
		v := Date(int32(d.word(4, n.le, n.varint)))
		if !v.valid() {
			d.fail(because(ErrRange, "the day %d is outside the years 1 to 9999", v))
			return
		}
		*at[Date](p) = v
	case opTimeOfDay:
		v := TimeOfDay(d.word(8, n.le, n.varint))
		if !v.valid() {
			d.fail(because(ErrRange, "%d ticks are not a time of day", v))
			return
		}
		*at[TimeOfDay](p) = v
	case opDuration:
		v, err := ticksDuration(d.timeSpan(n))
		d.fail(err)
		*at[time.Duration](p) = v
	case opOffset:
		d.dateTimeOffset(n, at[DateTimeOffset](p))
	case opAddr:
		*at[netip.Addr](p) = d.addr(sz)
	case opAddrPort:
		a := d.addr(sz)
		*at[netip.AddrPort](p) = netip.AddrPortFrom(a, uint16(d.word(2, n.le, n.varint)))
	case opChars:
		mem.SetString(p, d.string(sz))
	default:
		d.fail(because(ErrUnsupported, "no handler takes a %s", n.typ))
	}
}

func (d *Decoder) decimal(n *node, to *span.Decimal) {
	start := d.off
	var words [4]uint32
	for i := range words {
		words[i] = uint32(d.word(4, n.le, n.varint))
	}
	if d.err != nil {
		return
	}
	v, err := span.DecimalFromBits(words)
	if err != nil {
		d.off = start
		d.fail(err)
		return
	}
	*to = v
}

// time reads a DateTime.
func (d *Decoder) time(full, le, varint bool) time.Time {
	if full {
		t, ok := wire.TimeFromTicks(int64(d.word(8, le, varint)))
		if !ok {
			d.fail(because(ErrRange, "a time outside the years 1 to 9999"))
		}
		return t
	}
	v := uint32(d.word(4, le, varint))
	t, ok := wire.TimeFromSeconds(v)
	if !ok && !d.Compat {
		d.fail(because(ErrRange, "%d seconds since 1970, which is not a valid time", v))
	}
	return t
}

// timeSpan reads the ticks of a TimeSpan. Under Compat its other properties
// follow, which say the same.
func (d *Decoder) timeSpan(n *node) int64 {
	if d.Compat && d.UseRef && len(d.hosts) > 0 {
		d.size(d.prefix())
	}
	ticks := int64(d.word(8, n.le, n.varint))
	if d.Compat {
		for range timeSpanTail {
			d.word(4, n.le, n.varint)
		}
		d.take(8 * timeSpanTail)
	}
	return ticks
}

func (d *Decoder) dateTimeOffset(n *node, to *DateTimeOffset) {
	t := d.time(n.full, n.le, n.varint)
	ticks := d.timeSpanOf(n)
	if d.err != nil {
		return
	}
	offset, err := offsetOf(ticks)
	if err != nil {
		d.fail(err)
		return
	}
	if d.Compat { // t is the clock reading
		t = t.UTC().Add(-time.Duration(offset) * time.Second)
	}
	to.Time = t.In(zone(offset))
}

// timeSpanOf reads the offset of a DateTimeOffset.
func (d *Decoder) timeSpanOf(n *node) int64 {
	if d.Compat {
		return d.timeSpan(n)
	}
	return int64(d.word(8, n.le, n.varint))
}

// addr reads an IPAddress.
func (d *Decoder) addr(sz sizing) netip.Addr {
	b := d.raw(sz)
	a, ok := netip.AddrFromSlice(b)
	if !ok && len(b) > 0 {
		d.fail(because(ErrMalformed, "an address of %d bytes", len(b)))
	}
	return a
}
