// Package lib has the types of another package that random types are made of:
// plain ones, and those with methods of their own.
package lib

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/spanwire/spanwire/span"
)

// Named types of all sorts.
type (
	Byte    uint8
	Level   int32
	Label   string
	Flag    bool
	Blob    []byte
	Bytes   []Byte
	Hash    [4]byte
	Words   [3]uint16
	Names   []Label
	Sizes   map[Label]int64
	Instant time.Time
	Nothing struct{}
	Alias   = struct {
		A int32
		B string
	}
)

// Point has a fixed size.
type Point struct{ X, Y int16 }

// Item has a bit of everything.
type Item struct {
	ID    uint32
	Name  string
	At    time.Time
	Where *Point
	Tags  []Label
	Point
}

// Pair is generic.
type Pair[K comparable, V any] struct {
	Key K
	Val V
	All map[K]V
}

// Tree leads to itself.
type Tree struct {
	Label Label
	Kids  []Tree
	Left  *Tree
}

// Old has the fields of a .NET class.
type Old struct {
	_    struct{} `span:"newlife"`
	On   bool
	At   time.Time
	Name string
	Ref  *Point
}

// Roomy may grow.
type Roomy struct {
	_    struct{} `span:"sized"`
	A    int32
	B    string
	More []int32 `span:"optional"`
}

// Own writes itself.
type Own struct{ n uint32 }

// NewOwn makes one with a number.
func NewOwn(n uint32) Own { return Own{n} }

// WriteSpan writes the number in three bytes.
func (o *Own) WriteSpan(w *span.Writer) {
	for _, c := range o.AppendWire(nil) {
		w.WriteUint8(c)
	}
}

// ReadSpan reads it.
func (o *Own) ReadSpan(r *span.Reader) {
	o.n = uint32(r.ReadUint8()) | uint32(r.ReadUint8())<<8 | uint32(r.ReadUint8())<<16
}

// AppendWire is WriteSpan for codecs that have no Writer.
func (o *Own) AppendWire(b []byte) []byte {
	return append(b, byte(o.n), byte(o.n>>8), byte(o.n>>16))
}

// ConsumeWire is ReadSpan for codecs that have no Reader.
func (o *Own) ConsumeWire(b []byte) (int, error) {
	if len(b) < 3 {
		return 0, errShort
	}
	o.n = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
	return 3, nil
}

// Fill makes a random value.
func (o *Own) Fill(r *rand.Rand) { o.n = r.Uint32() >> 8 }

var errShort = errors.New("too short")

// Made gives its text in memory of its own.
type Made struct{ text string }

// MarshalText gives the text.
func (m Made) MarshalText() ([]byte, error) { return []byte(m.text), nil }

// UnmarshalText takes it.
func (m *Made) UnmarshalText(b []byte) error { m.text = string(b); return nil }

// Fill makes a random value.
func (m *Made) Fill(r *rand.Rand) { m.text = words[r.IntN(len(words))] }

// Added appends its text.
type Added struct{ text string }

// AppendText appends the text.
func (a Added) AppendText(b []byte) ([]byte, error) { return append(b, a.text...), nil }

// UnmarshalText takes it.
func (a *Added) UnmarshalText(b []byte) error { a.text = string(b); return nil }

// Fill makes a random value.
func (a *Added) Fill(r *rand.Rand) { a.text = words[r.IntN(len(words))] }

// Packed has bytes of its own, and is no more than a number.
type Packed struct{ n uint32 }

// MarshalBinary gives the number.
func (p Packed) MarshalBinary() ([]byte, error) { return binary.AppendUvarint(nil, uint64(p.n)), nil }

// UnmarshalBinary takes it.
func (p *Packed) UnmarshalBinary(b []byte) error {
	n, size := binary.Uvarint(b)
	if size != len(b) {
		return errShort
	}
	p.n = uint32(n)
	return nil
}

// Fill makes a random value.
func (p *Packed) Fill(r *rand.Rand) { p.n = r.Uint32() >> r.IntN(32) }

// Grade is a number that has a text.
type Grade int8

// MarshalText gives the text, of grades from 0 on.
func (g Grade) MarshalText() ([]byte, error) {
	if g < 0 {
		return nil, errShort
	}
	return []byte(words[int(g)%len(words)]), nil
}

// UnmarshalText takes it.
func (g *Grade) UnmarshalText(b []byte) error {
	for i, w := range words {
		if w == string(b) {
			*g = Grade(i)
			return nil
		}
	}
	return errShort
}

var words = []string{"", "a", "two", "\xff", "quite a long text, much longer than all the others of these here"}
