package value

import (
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/spanwire/spanwire/span"
)

// Unspecified is the location of a time of which the wire does not say where it was read from a clock. It counts as UTC,
// and times in it are written without a zone. It is [span.Unspecified].
func Unspecified() *time.Location { return span.Unspecified() }

const (
	textLayout = "2006-01-02 15:04:05"
	jsonLayout = "2006-01-02T15:04:05"
)

var errYear = errors.New("year outside 1 to 9999")

// unspecified tells that t says nothing of its zone.
func unspecified(t time.Time) bool { return t.Location() == span.Unspecified() }

// wall is t in the clock that is written: its own where no zone is said, else UTC.
func wall(t time.Time) (time.Time, error) {
	if !unspecified(t) {
		t = t.UTC()
	}
	if y := t.Year(); y < 1 || y > 9999 {
		return t, errYear
	}
	return t, nil
}

// appendTextTime writes a time at the top: yyyy-MM-dd HH:mm:ss.
func (d *Dialect) appendTextTime(b []byte, t time.Time) ([]byte, error) {
	t, err := wall(t)
	if err != nil {
		return b, err
	}
	return d.fraction(t.AppendFormat(b, textLayout), t), d.timeLoss(t)
}

// appendJSONTime writes a time as a JSON string; the zero time is "", as NewLife has it.
func (d *Dialect) appendJSONTime(b []byte, t time.Time) ([]byte, error) {
	if t.IsZero() {
		return append(b, `""`...), nil
	}
	t, err := wall(t)
	if err != nil {
		return b, err
	}
	b = d.fraction(t.AppendFormat(append(b, '"'), jsonLayout), t)
	if !unspecified(t) {
		b = append(b, 'Z')
	}
	return append(b, '"'), d.timeLoss(t)
}

// appendFloat writes f in the shortest form that reads back as f, as .NET does: an exponent of two digits or more from 1E+15
// (1E+07 for float32, or where the digits end) up and below 0.0001.
func appendFloat(b []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "Infinity"...)
	case math.IsInf(f, -1):
		return append(b, "-Infinity"...)
	}
	var a [32]byte
	s := strconv.AppendFloat(a[:0], f, 'e', -1, bits) // d.ddde±dd
	e := len(s) - 1
	for s[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(s[e+1:]))
	digits := e
	if s[0] == '-' {
		digits--
	}
	if digits > 1 {
		digits-- // the point
	}
	most := 15
	if bits == 32 {
		most = 7
	}
	if exp+1 > max(digits, most) || exp < -4 {
		b = append(b, s[:e]...)
		b = append(b, 'E', s[e+1])
		return append(b, s[e+2:]...)
	}
	return strconv.AppendFloat(b, f, 'f', -1, bits)
}

const ticksPerSecond = 1e7 // a tick is 100 ns

// appendDuration writes d as .NET's TimeSpan: [-][d.]hh:mm:ss[.fffffff], a rest below 100 ns dropped toward minus infinity.
func appendDuration(b []byte, d time.Duration) []byte {
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

// appendString writes s as a JSON string. Control characters, " and \ are escaped, nothing else; bytes that are not UTF-8
// become U+FFFD.
func appendString[S ~string | ~[]byte](b []byte, s S) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 {
			if n := runeLen(s, i); n > 0 {
				i += n - 1
				continue
			}
			b = append(append(b, s[from:i]...), "\uFFFD"...)
			from = i + 1
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\t':
			b = append(b, '\\', 't')
		case '\n':
			b = append(b, '\\', 'n')
		case '\f':
			b = append(b, '\\', 'f')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}

// runeLen returns the length of the character at s[i], which is not ASCII; 0 when it is not UTF-8.
func runeLen[S ~string | ~[]byte](s S, i int) int {
	r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}
