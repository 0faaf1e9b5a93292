// Package legacy holds package binary to the messages recorded from NewLife's
// Binary serializer: what must be done with a line follows from its content
// alone, so that other recordings of the same models can be tried.
package legacy

import (
	"net/netip"
	"time"

	"github.com/spanwire/spanwire/binary"
	"github.com/spanwire/spanwire/internal/vectors/models"
	"github.com/spanwire/spanwire/span"
)

// The models that package models does not have, with the members of their .NET
// classes in wire order.

// Lists has lists of scalars.
type Lists struct {
	Ints    []int32
	Strings []*string `binary:"null"`
	Array   []int32
	After   uint8
}

// ObjectLists has lists of objects.
type ObjectLists struct {
	Items []*models.Simple
	Array []*models.Simple
	After uint8
}

// Dicts has dictionaries of scalars.
type Dicts struct {
	A     map[string]int32
	B     map[int32]*string `binary:"null"`
	After uint8
}

// DictOfObject has a dictionary of objects.
type DictOfObject struct {
	A     map[string]*models.Simple
	After uint8
}

// MixedList has a list of anything.
type MixedList struct {
	Items []any
	After uint8
}

// Nets has network addresses.
type Nets struct {
	Addr  *netip.Addr     `binary:"null"`
	End   *netip.AddrPort `binary:"null"`
	After uint8
}

// Calendar has dates and times apart.
type Calendar struct {
	Dto   binary.DateTimeOffset
	Date  binary.Date
	Time  binary.TimeOfDay
	Span  time.Duration
	After uint8
}

// CalendarNoSpan is what NewLife can read of Calendar.
type CalendarNoSpan struct {
	Date  binary.Date
	Time  binary.TimeOfDay
	After uint8
}

// Chars has a Char[].
type Chars struct {
	Cs    binary.Chars
	After uint8
}

// Packets has a packet.
type Packets struct {
	Pk    []byte
	After uint8
}

// Cyclic refers to itself.
type Cyclic struct {
	Id    int32
	Self  *Cyclic
	After uint8
}

// Pairing has two objects, which may be one.
type Pairing struct {
	A, B  *models.Simple
	After uint8
}

// Everything has a bit of all.
type Everything struct {
	Id     int32
	Name   string
	Levels []int16
	Rates  map[string]float64
	Key    span.GUID
	Raw    []byte
	Inner  *models.Simple
	When   time.Time
	Price  span.Decimal
	Maybe  *int64
	State  models.State
}

// WithAccessor has a member that writes itself.
type WithAccessor struct {
	Kind  uint8
	T     *Terminal
	After uint8
}

// Terminal is an IAccessor.
type Terminal struct {
	Mobile string
	Serial uint16
}

// WriteBinary writes the mobile number in 6 bytes of BCD, then the serial number.
func (t *Terminal) WriteBinary(e *binary.Encoder) error {
	e.WriteBCD(t.Mobile, 6)
	e.WriteUint16(t.Serial)
	return nil
}

// ReadBinary reads what WriteBinary writes.
func (t *Terminal) ReadBinary(d *binary.Decoder) error {
	t.Mobile = d.ReadBCD(6)
	t.Serial = d.ReadUint16()
	return nil
}
