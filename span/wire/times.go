package wire

import (
	"math"
	"time"
)

// How an instant becomes a number and comes back. The functions TimeX give the
// number and false for a time that has none: one outside the range of the form,
// or one that would get the number that the zero time gets. The functions
// TimeFromX give the time back, in UTC unless said otherwise, and false for
// numbers that stand for no time. Fractions that a form does not hold are cut
// toward minus infinity: what is left of a time in year 1's first millisecond or
// tick is the zero time. That is any time for which IsZero holds.

const (
	zeroUnix   = -62135596800       // 0001-01-01T00:00:00Z in Unix seconds
	maxSeconds = math.MaxUint32 - 1 // 2106-02-07T06:28:14Z
)

// MaxNanosecond is the largest nanosecond of a second.
const MaxNanosecond = 999_999_999

// TimeSeconds gives the time form of the NewLife profile: Unix seconds, 0 for
// the zero time. The first second of 1970 gives 0 too and so reads back as the
// zero time; that loss is part of the format. The range ends at
// 2106-02-07T06:28:14Z: .NET writes the next number for everything later.
func TimeSeconds(t time.Time) (uint32, bool) {
	if sec := t.Unix(); uint64(sec) <= maxSeconds {
		return uint32(sec), true
	}
	return 0, t.IsZero()
}

// TimeFromSeconds reads what TimeSeconds gives. The largest number, which .NET
// writes for every time too late, is refused.
func TimeFromSeconds(x uint32) (time.Time, bool) {
	return TimeFromUnix(x), x <= maxSeconds
}

// TimeUnix gives the form of the tag unix: Unix seconds from 1 to 2^32-1, 0 for
// the zero time. The first second of 1970 has no number.
func TimeUnix(t time.Time) (uint32, bool) {
	if sec := t.Unix(); uint64(sec-1) < math.MaxUint32 {
		return uint32(sec), true
	}
	return 0, t.IsZero()
}

// TimeFromUnix reads what TimeUnix gives.
func TimeFromUnix(x uint32) time.Time {
	if x == 0 {
		return time.Time{}
	}
	return time.Unix(int64(x), 0).UTC()
}

// TimeUnixMilli gives the form of the tag unixmilli: milliseconds since 1970,
// the smallest int64 for the zero time. All other times of year 1's first
// millisecond get a number of their own, that of its start, which is cut as every
// fraction is and so reads back as the zero time.
func TimeUnixMilli(t time.Time) (int64, bool) {
	if t.IsZero() {
		return math.MinInt64, true
	}
	return unixUnits(t.Unix(), int64(t.Nanosecond())/1e6, 1e3)
}

// TimeFromUnixMilli reads what TimeUnixMilli gives. The milliseconds of year 1
// read as that instant, which is the zero time as well.
func TimeFromUnixMilli(x int64) time.Time {
	if x == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMilli(x).UTC()
}

// fastSeconds bounds the Unix seconds, either side of 1970, for which every
// nanosecond fits an int64.
const fastSeconds = math.MaxInt64 / 1_000_000_000

// TimeUnixNano gives the form of the tag unixnano: nanoseconds since 1970, the
// smallest int64 for the zero time. The range is
// 1677-09-21T00:12:43.145224193Z to 2262-04-11T23:47:16.854775807Z.
func TimeUnixNano(t time.Time) (int64, bool) {
	sec, nsec := t.Unix(), t.Nanosecond()
	if uint64(sec+fastSeconds) < 2*fastSeconds {
		return sec*1e9 + int64(nsec), true
	}
	return unixNanoEdge(sec, nsec)
}

// unixNanoEdge is TimeUnixNano for the zero time, the two seconds that are in range
// in part, and times out of range.
//
//go:noinline
func unixNanoEdge(sec int64, nsec int) (int64, bool) {
	if sec == zeroUnix && nsec == 0 {
		return math.MinInt64, true
	}
	return unixUnits(sec, int64(nsec), 1e9)
}

// TimeFromUnixNano reads what TimeUnixNano gives.
func TimeFromUnixNano(x int64) time.Time {
	if x == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, x).UTC()
}

// unixUnits is sec*per + frac, 0 <= frac < per, and false if that is no int64
// or the smallest one, which stands for the zero time.
func unixUnits(sec, frac, per int64) (int64, bool) {
	if sec < 0 { // both parts of one sign: the product then overflows only if the sum does
		sec, frac = sec+1, frac-per
	}
	if most := math.MaxInt64 / per; sec > most || sec < -most {
		return 0, false
	}
	whole := sec * per
	x := whole + frac
	if x != whole && x > whole != (frac > 0) || x == math.MinInt64 {
		return 0, false
	}
	return x, true
}

// TimeFromFull reads the time form of the Go profile: Unix seconds as t.Unix
// gives them and nanoseconds of that second, which may not exceed 999,999,999.
// Every time, the zero time included, has this form.
func TimeFromFull(sec int64, nsec uint32) (time.Time, bool) {
	if nsec > MaxNanosecond {
		return time.Time{}, false
	}
	return time.Unix(sec, int64(nsec)).UTC(), true
}
