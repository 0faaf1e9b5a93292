package rude

import (
	"bytes"

	"github.com/spanwire/spanwire/span"
)

// Types whose methods come back to package span without end.

// Own marshals itself.
type Own struct{ A int32 }

func (x *Own) MarshalBinary() ([]byte, error) { return span.Marshal(x) }
func (x *Own) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, x) }

// OwnValue does so by value, which is another copy each time.
type OwnValue struct{ A int32 }

func (x OwnValue) MarshalText() ([]byte, error)  { return span.Marshal(x) }
func (x *OwnValue) UnmarshalText(b []byte) error { return span.Unmarshal(b, x) }

// OwnAppend appends to what it is given.
type OwnAppend struct{ A int32 }

func (x *OwnAppend) AppendBinary(b []byte) ([]byte, error) { return span.Append(b, x) }
func (x *OwnAppend) UnmarshalBinary(b []byte) error {
	_, err := span.UnmarshalFirst(b, x)
	return err
}

// OwnSelf has the methods of package span.
type OwnSelf struct{ A int32 }

func (x *OwnSelf) WriteSpan(w *span.Writer) {
	b, err := span.Marshal(x)
	w.Fail(err)
	w.WriteBytes(b)
}

func (x *OwnSelf) ReadSpan(r *span.Reader) { r.Fail(span.Unmarshal(r.ReadBytes(nil), x)) }

// Ping marshals a Pong, and the other way round.
type (
	Ping struct{ A int32 }
	Pong struct{ A int32 }
)

func (x *Ping) MarshalBinary() ([]byte, error) { return span.Marshal(&Pong{x.A}) }
func (x *Ping) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, new(Pong)) }
func (x *Pong) MarshalBinary() ([]byte, error) { return span.Marshal([]*Ping{{x.A}}) }
func (x *Pong) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, new([]*Ping)) }

// Part marshals a struct that holds it, of which the methods are generated.
type Part struct{ A int32 }

func (x *Part) MarshalBinary() ([]byte, error) {
	return span.Marshal(&Whole{Part: *x, Sized: &Inner{*x}})
}
func (x *Part) UnmarshalBinary(b []byte) error { return span.Unmarshal(b, new(Whole)) }

// Whole holds a Part.
//
//span:generate
type Whole struct {
	ID    string
	Part  Part
	Sized *Inner `span:"sized"`
	After uint32
}

// Inner is held behind its length.
type Inner struct{ Part Part }

// Marked is marked although it has marshaler methods, which call what was
// generated.
//
//span:generate
type Marked struct {
	_ struct{} `span:"marshal"`
	A int32
}

func (x *Marked) MarshalBinary() ([]byte, error) { return x.AppendSpan(nil) }
func (x *Marked) UnmarshalBinary(b []byte) error {
	var r span.Reader
	r.Reset(b, span.CopyStrings)
	x.ReadSpan(&r)
	return r.Err()
}

// MarkedText writes with a Writer.
//
//span:generate
type MarkedText struct {
	_ struct{} `span:"marshal"`
	A int32
}

func (x *MarkedText) MarshalText() ([]byte, error) {
	var w span.Writer
	x.WriteSpan(&w)
	return w.Bytes(), w.Err()
}

func (x *MarkedText) UnmarshalText(b []byte) error { return span.Unmarshal(b, x) }

// Stream writes a struct that holds it to a stream, where lengths are found
// before anything is written.
type Stream struct{ A int32 }

func (x *Stream) MarshalBinary() ([]byte, error) {
	var out bytes.Buffer
	err := span.NewEncoder(&out).Encode(&StreamHolder{x})
	if err == nil {
		err = span.MarshalWrite(&out, &StreamHolder{x})
	}
	return out.Bytes(), err
}

func (x *Stream) UnmarshalBinary(b []byte) error {
	var h StreamHolder
	if err := span.NewDecoder(bytes.NewReader(b)).Decode(&h); err != nil {
		return err
	}
	return span.UnmarshalRead(bytes.NewReader(b), &h)
}

// StreamHolder holds a Stream behind its length.
type StreamHolder struct {
	S *Stream `span:"marshal"`
}

// Sizer asks for the size of what holds it.
type Sizer struct{ A int32 }

func (x *Sizer) MarshalBinary() ([]byte, error) {
	_, err := span.Size(&struct{ S *Sizer }{x})
	return nil, err
}

func (x *Sizer) UnmarshalBinary(b []byte) error { return nil }

// Chain is a list through marshalers, as deep as it is long: no loop.
type Chain struct {
	A    int32
	Next *Chain
}

type link struct {
	A    int32
	Next *Chain
}

func (x *Chain) MarshalBinary() ([]byte, error) { return span.Marshal(&link{x.A, x.Next}) }
func (x *Chain) UnmarshalBinary(b []byte) error {
	var l link
	err := span.Unmarshal(b, &l)
	x.A, x.Next = l.A, l.Next
	return err
}
