package value

import (
	"errors"
	"time"

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
