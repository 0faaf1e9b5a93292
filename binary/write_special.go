package binary

import (
	"encoding/binary"
	"math"
	"net/netip"
	"time"

	"github.com/spanwire/spanwire/internal/layout/binaryplan"
	"github.com/spanwire/spanwire/internal/mem"
	"github.com/spanwire/spanwire/span"
	"github.com/spanwire/spanwire/span/wire"
)

type timeT = time.Time

// special writes the types that are neither numbers nor made of others.
func (e *Encoder) special(n *node, p ptr, sz sizing) {
	switch n.op {
	case opChar:
		e.char(*at[span.Char](p))
	case opDecimal:
		for _, word := range at[span.Decimal](p).Bits() {
			e.b = e.word(n, uint64(word), 4)
		}
	case opDate:
		d := *at[Date](p)
		if !d.valid() {
			e.fail(because(ErrRange, "the day %d is outside the years 1 to 9999", d))
			return
		}
		e.b = e.word(n, uint64(d), 4)
	case opTimeOfDay:
		t := *at[TimeOfDay](p)
		if !t.valid() {
			e.fail(because(ErrRange, "%d ticks are not a time of day", t))
			return
		}
		e.b = e.word(n, uint64(t), 8)
	case opDuration:
		e.duration(n, *at[time.Duration](p))
	case opOffset:
		e.dateTimeOffset(n, *at[DateTimeOffset](p))
	case opAddr:
		e.addr(*at[netip.Addr](p), sz)
	case opAddrPort:
		a := *at[netip.AddrPort](p)
		if e.Compat && !a.Addr().IsValid() {
			if a.Port() != 0 {
				e.fail(because(ErrRange, "the port %d of no address has no form in NewLife", a.Port()))
				return
			}
			e.null()
			return
		}
		e.addr(a.Addr(), sz)
		e.b = e.word(n, uint64(a.Port()), 2)
	case opChars:
		e.chars(mem.GetString(p), sz)
	default:
		e.fail(because(ErrUnsupported, "no handler takes a %s", n.typ))
	}
}

// word appends an integer of size bytes, given as its low bits, in the form of n.
func (e *Encoder) word(n *node, v uint64, size int) []byte {
	if n.varint {
		return binary.AppendUvarint(e.b, v&(1<<(8*size)-1))
	}
	return appendFixed(e.b, v, size, n.le)
}

func (e *Encoder) char(c span.Char) {
	if !c.Valid() {
		e.fail(because(ErrRange, "the character %U does not fit in one byte", rune(c)))
		return
	}
	e.b = append(e.b, byte(c))
}

// time writes a DateTime.
func (e *Encoder) time(t time.Time, full, le, varint bool) {
	var v uint64
	size := 4
	if full {
		ticks, ok := wire.TimeTicks(t)
		if !ok {
			e.fail(because(ErrRange, "a time outside the years 1 to 9999"))
			return
		}
		v, size = uint64(ticks), 8
	} else {
		sec, ok := wire.TimeSeconds(t)
		if e.Compat {
			sec, ok = compatSeconds(t)
		}
		if !ok {
			e.fail(because(ErrRange, "the time %s is outside 1970 to 2106-02-07T06:28:14Z", t.UTC().Format(time.RFC3339)))
			return
		}
		v = uint64(sec)
	}
	if varint {
		e.b = binary.AppendUvarint(e.b, v)
		return
	}
	e.b = appendFixed(e.b, v, size, le)
}

// compatSeconds gives what NewLife writes: 0 before 1970, and the clock reading
// of a local time.
func compatSeconds(t time.Time) (uint32, bool) {
	if t.IsZero() {
		return 0, true
	}
	sec := t.Unix()
	if loc := t.Location(); loc == time.Local && loc != time.UTC {
		_, offset := t.Zone()
		sec += int64(offset)
	}
	return uint32(max(sec, 0)), sec < math.MaxUint32
}

// duration writes a TimeSpan.
func (e *Encoder) duration(n *node, d time.Duration) {
	ticks, err := durationTicks(d)
	if err != nil {
		e.fail(err)
		return
	}
	if e.Compat {
		e.timeSpan(n, ticks)
		return
	}
	e.b = e.word(n, uint64(ticks), 8)
}

// timeSpan writes the computed properties of a TimeSpan, as NewLife does: it
// takes it for an object.
func (e *Encoder) timeSpan(n *node, ticks int64) {
	if e.UseRef && len(e.hosts) > 0 {
		e.WriteSize(len(e.hosts) + 1)
	}
	e.b = e.word(n, uint64(ticks), 8)
	for _, part := range [...]int64{
		ticks / ticksPerDay, ticks / (ticksPerSecond * 3600) % 24, ticks / (ticksPerSecond / 1000) % 1000,
		ticks / 10 % 1000, ticks % 10 * 100, ticks / (ticksPerSecond * 60) % 60, ticks / ticksPerSecond % 60,
	} {
		e.b = e.word(n, uint64(part), 4)
	}
	t := float64(ticks)
	for _, total := range [...]float64{
		t / ticksPerDay, t / (ticksPerSecond * 3600), t / (ticksPerSecond / 1000),
		t / 10, t * 100, t / (ticksPerSecond * 60), t / ticksPerSecond,
	} {
		e.b = appendFixed(e.b, math.Float64bits(total), 8, n.le)
	}
}

// timeSpanTail is the number of integers and floats behind the ticks.
const timeSpanTail = binaryplan.TimeSpanTail

func (e *Encoder) dateTimeOffset(n *node, d DateTimeOffset) {
	offset, err := d.offset()
	if err != nil {
		e.fail(err)
		return
	}
	ticks := int64(offset) * ticksPerSecond
	if !e.Compat {
		e.time(d.UTC(), n.full, n.le, n.varint)
		e.b = e.word(n, uint64(ticks), 8)
		return
	}
	clock := d.Time.UTC().Add(time.Duration(offset) * time.Second)
	e.time(clock.In(span.Unspecified()), n.full, n.le, n.varint)
	e.timeSpan(n, ticks)
}

// addr writes an IPAddress. NewLife writes it without its length, and can't read
// that.
func (e *Encoder) addr(a netip.Addr, sz sizing) {
	if a.Zone() != "" {
		e.fail(because(ErrRange, "the address %s has a zone, which cannot be written", a))
		return
	}
	b := a.AsSlice()
	switch {
	case e.Compat && b == nil:
		e.null()
	case e.Compat:
		e.b = append(e.b, b...)
	default:
		e.raw(b, sz)
	}
}

// null writes what NewLife does for a null that none of its handlers knows: the
// mark of no object under UseRef, else nothing.
func (e *Encoder) null() {
	if e.UseRef && len(e.hosts) > 0 {
		e.WriteSize(0)
	}
}

func (e *Encoder) chars(s string, sz sizing) {
	if e.Compat {
		s = ""
	}
	e.string(s, sz)
}
