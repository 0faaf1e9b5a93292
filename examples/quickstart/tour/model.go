package main

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

//go:generate go tool spangen

// Simple is an ordinary struct. The directive is all that spangen needs.
//
//span:generate
type Simple struct {
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

// Nested holds another generated struct by value.
//
//span:generate
type Nested struct {
	ID        int32
	Title     string
	Inner     Simple
	Timestamp int64
}

// Batch is a list of structs.
//
//span:generate
type Batch struct {
	Items []Simple
}

// Fast writes and reads itself: a type's own WriteSpan and ReadSpan always win
// over its fields. Here the time takes four bytes.
type Fast struct {
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

// WriteSpan writes the fields in an order and form of the type's own choice.
func (f *Fast) WriteSpan(w *span.Writer) {
	w.WriteInt32(f.ID)
	w.WriteString(f.Name)
	w.WriteBool(f.IsActive)
	w.WriteUint32(uint32(f.CreatedAt.Unix()))
	w.WriteFloat64(f.Score)
}

// ReadSpan reads what WriteSpan wrote. Errors stay in the Reader.
func (f *Fast) ReadSpan(r *span.Reader) {
	f.ID = r.ReadInt32()
	f.Name = r.ReadString()
	f.IsActive = r.ReadBool()
	f.CreatedAt = time.Unix(int64(r.ReadUint32()), 0).UTC()
	f.Score = r.ReadFloat64()
}

// The plain types have the fields of their namesakes and no generated code, so
// that package span encodes them by reflection.
type (
	plainSimple struct {
		ID        int32
		Name      string
		IsActive  bool
		CreatedAt time.Time
		Score     float64
	}
	plainNested struct {
		ID        int32
		Title     string
		Inner     plainSimple
		Timestamp int64
	}
	plainBatch struct {
		Items []plainSimple
	}
)

// The examples.
var (
	simple = Simple{ID: 42, Name: "NewLife", IsActive: true, CreatedAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Score: 99.5}
	nested = Nested{ID: 42, Title: "Hello World", Inner: simple, Timestamp: 1735689600}
	fast   = Fast(simple)
)

// batch returns n records that differ.
func batch(n int) Batch {
	b := Batch{Items: make([]Simple, n)}
	for i := range b.Items {
		b.Items[i] = simple
		b.Items[i].ID = int32(i)
		b.Items[i].Score = float64(i) + 0.5
	}
	return b
}

// plain returns a batch's twin without generated code.
func (b Batch) plain() plainBatch {
	p := plainBatch{Items: make([]plainSimple, len(b.Items))}
	for i, s := range b.Items {
		p.Items[i] = plainSimple(s)
	}
	return p
}

// plain returns a Nested's twin without generated code.
func (n Nested) plain() plainNested {
	return plainNested{ID: n.ID, Title: n.Title, Inner: plainSimple(n.Inner), Timestamp: n.Timestamp}
}
