package binary

import (
	"fmt"
	"time"
)

// Chars is .NET's Char[]: text, written as its size in bytes and the bytes in
// Options.Encoding. NewLife itself always writes an empty array, which is what
// Options.Compat does.
type Chars string

// Date is .NET's DateOnly: the number of days since 0001-01-01, up to
// 9999-12-31. It is written as an int32; another day is ErrRange.
type Date int32

const lastDate = 3652058 // 9999-12-31

var yearOne = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)

// DateOf gives the date that t's clock shows.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(floorDiv(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()-yearOne.Unix(), 86400))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Time gives the beginning of the day in UTC.
func (d Date) Time() time.Time { return yearOne.AddDate(0, 0, int(d)) }

// String gives the date as 2006-01-02.
func (d Date) String() string { return d.Time().Format(time.DateOnly) }

// MarshalText implements encoding.TextMarshaler: as String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler: as 2006-01-02.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err == nil {
		*d = DateOf(t)
	}
	return err
}

func (d Date) valid() bool { return uint32(d) <= lastDate }

// TimeOfDay is .NET's TimeOnly: units of 100 ns since midnight, less than a day.
// It is written as an int64; another number is ErrRange.
type TimeOfDay int64

const (
	ticksPerSecond = 10_000_000
	ticksPerDay    = 86400 * ticksPerSecond
)

// TimeOfDayOf gives the time that t's clock shows, cut to 100 ns.
func TimeOfDayOf(t time.Time) TimeOfDay {
	h, m, s := t.Clock()
	return TimeOfDay((h*60+m)*60+s)*ticksPerSecond + TimeOfDay(t.Nanosecond()/100)
}

// Duration gives the time since midnight.
func (t TimeOfDay) Duration() time.Duration { return time.Duration(t) * 100 }

// String gives the time as 15:04:05.0000000.
func (t TimeOfDay) String() string {
	return time.Time{}.Add(t.Duration()).Format("15:04:05.0000000")
}

func (t TimeOfDay) valid() bool { return uint64(t) < ticksPerDay }

// DateTimeOffset is .NET's DateTimeOffset: an instant, and the offset from UTC of
// the clock that showed it. It is written as the instant in UTC, in the form of a
// time, and the offset as an int64 of 100 ns; it reads in a fixed zone. The
// offset must be whole minutes within 14 hours, else ErrRange.
//
// NewLife writes the clock reading and then the computed properties of the offset,
// and can't read them; Options.Compat does the same, and reads them.
type DateTimeOffset struct{ time.Time }

// UnmarshalText implements encoding.TextUnmarshaler: RFC 3339.
func (d *DateTimeOffset) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err == nil {
		_, offset := t.Zone()
		d.Time = t.In(zone(offset))
	}
	return err
}

// MarshalText implements encoding.TextMarshaler: RFC 3339.
func (d DateTimeOffset) MarshalText() ([]byte, error) {
	return []byte(d.Format(time.RFC3339Nano)), nil
}

const maxOffset = 14 * 3600 // seconds

// zone gives the location of an offset in seconds.
func zone(offset int) *time.Location {
	if offset == 0 {
		return time.UTC
	}
	return time.FixedZone("", offset)
}

// offset gives the offset in seconds, or an error for one that .NET does not have.
func (d DateTimeOffset) offset() (int, error) {
	_, s := d.Zone()
	if s%60 != 0 || s < -maxOffset || s > maxOffset {
		return 0, because(ErrRange, "an offset from UTC of %v", time.Duration(s)*time.Second)
	}
	return s, nil
}

// offsetOf turns ticks into seconds.
func offsetOf(ticks int64) (int, error) {
	s := ticks / ticksPerSecond
	if ticks%(60*ticksPerSecond) != 0 || s < -maxOffset || s > maxOffset {
		return 0, fmt.Errorf("%w: an offset from UTC of %d ticks", ErrRange, ticks)
	}
	return int(s), nil
}

// durationTicks gives a TimeSpan's ticks.
func durationTicks(d time.Duration) (int64, error) {
	if d%100 != 0 {
		return 0, because(ErrRange, "%v is not a multiple of 100 ns", d)
	}
	return int64(d / 100), nil
}

// ticksDuration is durationTicks backwards.
func ticksDuration(ticks int64) (time.Duration, error) {
	d := time.Duration(ticks * 100)
	if int64(d/100) != ticks {
		return 0, because(ErrRange, "%d ticks do not fit a time.Duration", ticks)
	}
	return d, nil
}
