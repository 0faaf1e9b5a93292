package dotnet

import (
	"strconv"
	"strings"
	"time"

	"github.com/spanwire/spanwire/span"
)

// hundredYears is the number of seconds up to which a number is a time in seconds since 1970; beyond, in milliseconds.
const hundredYears = 100 * 365 * 24 * 3600

// ParseTime reads a time in the forms that NewLife does: "", yyyy-MM-dd and yyyy/M/d with or without T or a space and H:m[:s[.f]],
// with Z, UTC, an offset or nothing behind, /Date(ms)/, and a number of seconds or milliseconds since 1970. A time with an
// offset is in time.Local, one with Z in UTC, any other in Unspecified. The first second of year 1 is the zero time.
func ParseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if ms, ok := strings.CutPrefix(s, "/Date("); ok {
		ms, ok = strings.CutSuffix(ms, ")/")
		n, err := strconv.ParseInt(ms, 10, 64)
		if !ok || err != nil {
			return time.Time{}, ErrForm
		}
		return inRange(time.UnixMilli(n).In(span.Unspecified()))
	}
	if IsDigits(s) {
		n, err := strconv.ParseInt(s, 10, 64)
		switch {
		case err != nil:
			return time.Time{}, ErrForm
		case n == 0:
			return time.Time{}, nil
		case n <= hundredYears && n >= -hundredYears:
			return time.Unix(n, 0).In(span.Unspecified()), nil
		}
		return inRange(time.UnixMilli(n).In(span.Unspecified()))
	}
	return parseClock(s)
}

func inRange(t time.Time) (time.Time, error) {
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}, ErrForm
	}
	if t.IsZero() {
		return time.Time{}, nil
	}
	return t, nil
}

// clock reads a time's text from the front.
type clock struct {
	s   string
	bad bool
}

// number takes 1 to width digits.
func (c *clock) number(width int) int {
	n, i := 0, 0
	for i < len(c.s) && i < width && c.s[i] >= '0' && c.s[i] <= '9' {
		n = n*10 + int(c.s[i]-'0')
		i++
	}
	c.bad = c.bad || i == 0
	c.s = c.s[i:]
	return n
}

// one takes a byte that is one of set and tells whether it did.
func (c *clock) one(set string) bool {
	if c.s != "" && strings.IndexByte(set, c.s[0]) >= 0 {
		c.s = c.s[1:]
		return true
	}
	return false
}

func (c *clock) need(set string) { c.bad = !c.one(set) || c.bad }

func parseClock(s string) (time.Time, error) {
	c := clock{s: s}
	year := c.number(4)
	c.need("-/")
	month := c.number(2)
	c.need("-/")
	day := c.number(2)
	var hour, minute, second, nano int
	if c.one("T ") && !c.bad {
		hour = c.number(2)
		c.need(":")
		minute = c.number(2)
		if c.one(":") {
			second = c.number(2)
			nano = c.fraction()
		}
	}
	zone, local := c.zone()
	if c.bad || c.s != "" || month < 1 || month > 12 || year < 1 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, ErrForm
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nano, zone)
	if t.Day() != day {
		return time.Time{}, ErrForm
	}
	if local {
		t = t.Local()
	}
	return inRange(t)
}

// fraction takes .f as nanoseconds; digits below are dropped.
func (c *clock) fraction() int {
	if !c.one(".,") {
		return 0
	}
	n, digits := 0, 0
	for c.s != "" && c.s[0] >= '0' && c.s[0] <= '9' {
		if digits < 9 {
			n = n*10 + int(c.s[0]-'0')
			digits++
		}
		c.s = c.s[1:]
	}
	c.bad = c.bad || digits == 0
	for ; digits < 9; digits++ {
		n *= 10
	}
	return n
}

// zone takes what tells the zone; local is an offset.
func (c *clock) zone() (zone *time.Location, local bool) {
	switch c.s {
	case "":
		return span.Unspecified(), false
	case "Z", "z", " UTC", "UTC", " GMT":
		c.s = ""
		return time.UTC, false
	}
	c.one(" ")
	sign := 1
	if c.one("-") {
		sign = -1
	} else {
		c.need("+")
	}
	hours := c.number(2)
	c.one(":")
	minutes := 0
	if c.s != "" {
		minutes = c.number(2)
	}
	c.bad = c.bad || hours > 14 || minutes > 59
	return time.FixedZone("", sign*(hours*3600+minutes*60)), true
}
