package span_test

import (
	"fmt"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Sensor writes and reads itself: one call for each value, in the same order in
// both methods. Errors need no mention, the cursors keep the first.
type Sensor struct {
	Name    string
	Seen    time.Time
	Limit   *int16
	Samples []float32
	At      Position
}

func (s *Sensor) WriteSpan(w *span.Writer) {
	w.WriteString(s.Name)
	w.WriteDateTime(s.Seen)
	if w.WriteBool(s.Limit != nil); s.Limit != nil {
		w.WriteInt16(*s.Limit)
	}
	w.WriteUvarint(uint64(len(s.Samples)))
	for _, v := range s.Samples {
		w.WriteFloat32(v)
	}
	s.At.WriteSpan(w)
	w.At("At") // names the field in an error's path
}

func (s *Sensor) ReadSpan(r *span.Reader) {
	s.Name = r.ReadString()
	s.Seen = r.ReadDateTime()
	s.Limit = nil
	if r.ReadBool() {
		limit := r.ReadInt16()
		s.Limit = &limit
	}
	s.Samples = s.Samples[:0]
	for range r.Elements() {
		s.Samples = append(s.Samples, r.ReadFloat32())
	}
	s.At.ReadSpan(r)
	r.At("At")
}

// Position refuses what is not on the globe, in both directions: Fail of nil does
// nothing.
type Position struct{ Lat, Lon float64 }

func (p *Position) WriteSpan(w *span.Writer) {
	w.WriteFloat64(p.Lat)
	w.WriteFloat64(p.Lon)
	w.Fail(p.check())
}

func (p *Position) ReadSpan(r *span.Reader) {
	p.Lat = r.ReadFloat64()
	p.Lon = r.ReadFloat64()
	r.Fail(p.check())
}

func (p *Position) check() error {
	if p.Lat < -90 || p.Lat > 90 {
		return fmt.Errorf("no latitude: %v", p.Lat)
	}
	return nil
}

// A type's own WriteSpan and ReadSpan decide its bytes wherever it stands.
func ExampleSerializable() {
	limit := int16(80)
	in := &Sensor{
		Name:    "boiler",
		Seen:    time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		Limit:   &limit,
		Samples: []float32{71.5, 72},
		At:      Position{Lat: 31.2, Lon: 121.5},
	}
	var w span.Writer
	in.WriteSpan(&w)
	fmt.Printf("%x %v\n", w.Bytes()[:11], w.Err())

	var out Sensor
	r := span.NewReader(w.Bytes())
	out.ReadSpan(r)
	fmt.Println(out.Name, out.Seen.Year(), *out.Limit, out.Samples, out.At, r.Err())

	in.At.Lat = 100
	w.Reset(nil)
	in.WriteSpan(&w)
	fmt.Println(w.Err())
	// Output:
	// 06626f696c657280857467 <nil>
	// boiler 2025 80 [71.5 72] {31.2 121.5} <nil>
	// span: marshal at At (byte 39): no latitude: 100
}

// Strings of a chosen size, and lengths of a chosen width.
func ExampleWriter_WriteStringN() {
	var w span.Writer
	w.WriteStringN("Stone", 8)
	w.WriteArray([]byte("Stone"), 2)
	fmt.Printf("%x\n", w.Bytes())
	r := span.NewReader(w.Bytes())
	fmt.Println(r.ReadStringN(8), string(r.ReadArray(nil, 2)))
	// Output:
	// 53746f6e65000000050053746f6e65
	// Stone Stone
}
