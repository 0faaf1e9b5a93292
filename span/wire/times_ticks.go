package wire

import "time"

// The form of the tag ticks and the switch FullTime is .NET's DateTime.ToBinary:
// 62 bits of 100 ns ticks since 0001-01-01 under two bits of kind.
const (
	ticksPerSecond = 10_000_000
	ticksPerDay    = 86400 * ticksPerSecond
	ticksMax       = 3155378975999999999 // 9999-12-31T23:59:59.9999999
	ticksMod       = 1 << 62

	ticksUTC   = 1 << 62 // bits 63..62 are 01
	ticksLocal = 1 << 63 // 10; .NET reads 11 alike
)

// unspecified is compared by address, so it must never change.
var unspecified = time.FixedZone("Unspecified", 0)

// Unspecified is the location of times that name a date and a clock reading but
// no place, as .NET's DateTimeKind.Unspecified does. Such a time counts as UTC
// when it is compared or written in a form without kinds; the form ticks alone
// carries it as what it is.
func Unspecified() *time.Location { return unspecified }

// TimeTicks gives .NET's DateTime.ToBinary: 100 ns ticks since 0001-01-01 up to
// the end of 9999, with the kind in the top two bits. A time in time.Local is
// local (10, ticks of its instant modulo 2^62, which may lie up to a day outside
// that range), one in Unspecified is unspecified (00), all others are UTC (01).
// The zero time is 0. What else lies in its tick reads back as the zero time, since
// fractions are cut; as unspecified time it would be written as 0 and has no number.
func TimeTicks(t time.Time) (int64, bool) {
	if t.IsZero() {
		return 0, true
	}
	sec := t.Unix() - zeroUnix
	if sec < -86400 || sec > ticksMax/ticksPerSecond+86400 { // before the product can overflow
		return 0, false
	}
	ticks := sec*ticksPerSecond + int64(t.Nanosecond())/100
	inYears := 0 <= ticks && ticks <= ticksMax
	loc := t.Location()
	switch {
	case loc == unspecified:
		if !inYears || ticks == 0 { // a part of the first tick has the zero time's number
			return 0, false
		}
		return ticks, true
	case loc == time.Local && loc != time.UTC: // programs set Local to UTC
		if ticks <= -ticksPerDay || ticks > ticksMax+ticksPerDay {
			return 0, false
		}
		return int64(uint64(ticks)&(ticksMod-1) | ticksLocal), true
	case !inYears:
		return 0, false
	}
	return ticks | ticksUTC, true
}

// TimeFromTicks reads what TimeTicks gives, and everything else that
// DateTime.FromBinary takes on a computer in any time zone. The time is in UTC,
// time.Local or Unspecified; the first tick of any kind is the zero time, which is
// in UTC.
func TimeFromTicks(x int64) (time.Time, bool) {
	ticks := x & (ticksMod - 1)
	if x >= 0 {
		if ticks > ticksMax {
			return time.Time{}, false
		}
		t := fromTicks(ticks)
		if x&ticksUTC != 0 || ticks == 0 {
			return t.UTC(), true
		}
		return t.In(unspecified), true
	}
	if ticks == 0 {
		return time.Time{}, true
	}
	// An instant shortly before year 1 is a date of year 1 east of Greenwich.
	if ticks > ticksMod-ticksPerDay {
		ticks -= ticksMod
	}
	if ticks > ticksMax+ticksPerDay {
		return time.Time{}, false
	}
	return fromTicks(ticks), true
}

// fromTicks gives the instant, in time.Local.
func fromTicks(ticks int64) time.Time {
	return time.Unix(ticks/ticksPerSecond+zeroUnix, ticks%ticksPerSecond*100)
}
