// Package rude holds types whose marshaler methods do what they may not, or
// need not, so that tests can hold what stands around them against it.
package rude

import (
	"bytes"
	"slices"
)

// Scribble is what methods put where they should not.
var Scribble = bytes.Repeat([]byte{0xEE}, 64)

// read copies b and appends to it, as a method may do with a slice that it was
// given: what lies behind must not suffer.
func read(b []byte) string {
	s := string(b)
	_ = append(b, Scribble...)
	return s
}

// Ignorer ignores what it shall append to.
type Ignorer struct{ S string }

func (x *Ignorer) MarshalBinary() ([]byte, error)        { return []byte(x.S), nil }
func (x *Ignorer) AppendBinary([]byte) ([]byte, error)   { return x.MarshalBinary() }
func (x *Ignorer) UnmarshalBinary(b []byte) error        { x.S = read(b); return nil }
func (x *IgnorerText) MarshalText() ([]byte, error)      { return []byte(x.S), nil }
func (x *IgnorerText) AppendText([]byte) ([]byte, error) { return x.MarshalText() }
func (x *IgnorerText) UnmarshalText(b []byte) error      { x.S = read(b); return nil }

// IgnorerText is an Ignorer with text methods.
type IgnorerText struct{ S string }

// Spoiler spoils what it shall append to, and all memory it can reach.
type Spoiler struct{ S string }

func (x *Spoiler) AppendBinary(b []byte) ([]byte, error) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xEE
	}
	return append(b[:0], x.S...), nil
}

func (x *Spoiler) UnmarshalBinary(b []byte) error { x.S = read(b); return nil }

// Shifter appends more than it returns: what it returns begins later.
type Shifter struct{ S string }

func (x *Shifter) AppendText(b []byte) ([]byte, error) {
	n := len(b)
	return append(append(b, "junk"...), x.S...)[n+4:], nil
}

func (x *Shifter) UnmarshalText(b []byte) error { x.S = read(b); return nil }

// Prefixer gives what it was given and more room than it needs, elsewhere.
type Prefixer struct{ S string }

func (x *Prefixer) AppendBinary(b []byte) ([]byte, error) {
	return append(slices.Grow(slices.Clone(b), 100), x.S...), nil
}

func (x *Prefixer) UnmarshalBinary(b []byte) error { x.S = read(b); return nil }

// Maker makes the memory of its bytes.
type Maker struct{ S string }

func (x *Maker) MarshalBinary() ([]byte, error) { return []byte(x.S), nil }
func (x *Maker) UnmarshalBinary(b []byte) error { x.S = read(b); return nil }

// Key is a map key with methods.
type Key struct{ S string }

func (x Key) AppendText(b []byte) ([]byte, error) { return append(b[:0:0], x.S...), nil }
func (x *Key) UnmarshalText(b []byte) error       { x.S = read(b); return nil }

// Holder has them all, with fields around them.
//
//span:generate
type Holder struct {
	Before   string
	Ignorer  Ignorer
	A        uint32
	Text     IgnorerText
	B        uint32
	Spoiler  Spoiler
	C        uint32
	Shifter  Shifter
	D        uint32
	Prefixer *Prefixer
	E        uint32
	Maker    Maker
	List     []Spoiler
	Keys     map[Key]Shifter
	After    string
}

// Plain is Holder without generated methods.
type Plain Holder

// New gives a Holder whose values are n bytes long.
func New(n int) *Holder {
	s := func(c byte) string { return string(bytes.Repeat([]byte{c}, n)) }
	return &Holder{
		Before: s('a'), Ignorer: Ignorer{s('b')}, A: 1, Text: IgnorerText{s('c')}, B: 2, Spoiler: Spoiler{s('d')}, C: 3,
		Shifter: Shifter{s('e')}, D: 4, Prefixer: &Prefixer{s('f')}, E: 5, Maker: Maker{s('g')},
		List: []Spoiler{{s('h')}, {s('i')}}, Keys: map[Key]Shifter{{s('j')}: {s('k')}}, After: s('l'),
	}
}
