package binary_test

import (
	"testing"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/span"
)

// A day is made of time.Time and writes itself.
type day time.Time

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (d *day) WriteBinary(e *binary.Encoder) error {
	e.WriteUint16(uint16(time.Time(*d).Sub(start) / (24 * time.Hour)))
	return nil
}

func (d *day) ReadBinary(r *binary.Decoder) error {
	*d = day(start.AddDate(0, 0, int(r.ReadUint16())))
	return nil
}

// A spanDay does so by the methods of package span.
type spanDay time.Time

func (d *spanDay) WriteSpan(w *span.Writer) {
	w.WriteUint16(uint16(time.Time(*d).Sub(start) / (24 * time.Hour)))
}

func (d *spanDay) ReadSpan(r *span.Reader) {
	*d = spanDay(start.AddDate(0, 0, int(r.ReadUint16())))
}

// TestTimesWriteThemselves: methods count for types that are made of time.Time as
// for all others, wherever they stand.
func TestTimesWriteThemselves(t *testing.T) {
	type calendar struct {
		A day
		B *day
		C []day
		D spanDay
		E time.Time
	}
	d := day(start.AddDate(0, 0, 258))
	v := calendar{d, &d, []day{d}, spanDay(d), start.AddDate(0, 0, 258)}
	const want = "0102 0102 01 0102 0102 39c16680"
	roundTrip(t, &v, want, binary.Options{})
	roundTrip(t, &v, want, binary.Options{Handlers: binary.DefaultHandlers()})
}
