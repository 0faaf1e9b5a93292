package dotnet

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const ticksPerSecond = 1e7 // a tick is 100 ns

// AppendDuration writes d as .NET's TimeSpan: [-][d.]hh:mm:ss[.fffffff], a rest below 100 ns dropped toward minus infinity.
func AppendDuration(b []byte, d time.Duration) []byte {
	ticks := int64(d) / 100
	if d < 0 && int64(d)%100 != 0 {
		ticks--
	}
	u := uint64(ticks)
	if ticks < 0 {
		b, u = append(b, '-'), -u
	}
	s := u / ticksPerSecond
	if days := s / 86400; days > 0 {
		b = append(strconv.AppendUint(b, days, 10), '.')
	}
	b = two(append(two(append(two(b, s/3600%24), ':'), s/60%60), ':'), s%60)
	if f := u % ticksPerSecond; f > 0 {
		b = append(b, '.')
		for div := uint64(ticksPerSecond / 10); div > 0; div /= 10 {
			b = append(b, '0'+byte(f/div%10))
		}
	}
	return b
}

func two(b []byte, n uint64) []byte { return append(b, '0'+byte(n/10), '0'+byte(n%10)) }

// ParseDuration reads .NET's form, [-][d.]hh:mm[:ss[.fffffff]], or Go's form (1h2m).
func ParseDuration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if !strings.Contains(s, ":") {
		return time.ParseDuration(s)
	}
	c := clock{s: s}
	negative := c.one("-")
	days, hours := 0, c.number(8)
	if c.one(".") {
		days, hours = hours, c.number(2)
	}
	c.need(":")
	minutes, seconds, nano := c.number(2), 0, 0
	if c.one(":") {
		seconds = c.number(2)
		nano = c.fraction()
	}
	const mostDays = 106751 // what a Duration holds
	if c.bad || c.s != "" || days > mostDays || hours > 23 || minutes > 59 || seconds > 59 {
		return 0, ErrForm
	}
	n := uint64(days*24+hours)*uint64(time.Hour) + uint64(minutes)*uint64(time.Minute) + uint64(seconds)*uint64(time.Second) + uint64(nano)
	switch {
	case n <= math.MaxInt64 && negative:
		return -time.Duration(n), nil
	case n <= math.MaxInt64:
		return time.Duration(n), nil
	case negative && n <= lowest:
		return math.MinInt64, nil
	}
	return 0, ErrForm
}

// lowest is, without its sign, the tick in nanoseconds that the least durations are written as, though it is less than them: what
// is below a tick is dropped toward minus infinity.
const lowest = (1<<63/100 + 1) * 100
