// Package floormodel holds the five models that are measured against the
// hand-written floor in bench/floor, with generated code. Their bytes equal the
// floor's.
package floormodel

import (
	"fmt"
	"math/rand"
	"time"
)

//go:generate go tool spangen

// Simple is a record of five fields: a number, a short string, a flag, a time
// and a float.
//
//span:generate
type Simple struct {
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time `span:"unixnano"`
	Score     float64
}

// Small is the record of the public GOSER suite.
//
//span:generate
type Small struct {
	Name     string
	BirthDay time.Time `span:"unixnano"`
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// Nested holds a Simple by value.
//
//span:generate
type Nested struct {
	ID        int32
	Title     string
	Inner     Simple
	Timestamp int64
}

// Batch is a list of Simple.
//
//span:generate
type Batch struct {
	Items []Simple
}

// Rich has a list of each kind, a map, bytes, an array and a pointer.
//
//span:generate
type Rich struct {
	Ints []int64
	Strs []string
	M    map[string]int32
	Blob []byte
	UUID [16]byte
	Ptr  *Nested
	List []Nested
}

func randString(r *rand.Rand, l int) string {
	buf := make([]byte, l)
	for i := 0; i < (l+1)/2; i++ {
		buf[i] = byte(r.Intn(256))
	}
	return fmt.Sprintf("%x", buf)[:l]
}

// NewSmalls returns 1,024 different records, the same on every call.
func NewSmalls() []*Small {
	r := rand.New(rand.NewSource(1))
	base := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	a := make([]*Small, 1024)
	for i := range a {
		a[i] = &Small{
			Name:     randString(r, 16),
			BirthDay: base.Add(time.Duration(r.Int63n(1e15))),
			Phone:    randString(r, 10),
			Siblings: r.Intn(5),
			Spouse:   r.Intn(2) == 1,
			Money:    r.Float64(),
		}
	}
	return a
}

// NewSimple returns the Simple that is measured.
func NewSimple() *Simple {
	return &Simple{ID: 42, Name: "NewLife", IsActive: true, CreatedAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Score: 99.5}
}

// NewNested returns the Nested that is measured.
func NewNested() *Nested {
	return &Nested{ID: 42, Title: "Hello World", Inner: *NewSimple(), Timestamp: 1735689600}
}

// NewBatch returns a Batch of n.
func NewBatch(n int) *Batch {
	b := &Batch{Items: make([]Simple, n)}
	for i := range b.Items {
		b.Items[i] = *NewSimple()
		b.Items[i].ID = int32(i)
		b.Items[i].Score = float64(i) + 0.5
	}
	return b
}

// NewRich returns the Rich that is measured, the same on every call.
func NewRich() *Rich {
	r := rand.New(rand.NewSource(2))
	x := &Rich{M: map[string]int32{}}
	for range 64 {
		x.Ints = append(x.Ints, r.Int63())
	}
	for range 16 {
		x.Strs = append(x.Strs, randString(r, 12))
		x.M[randString(r, 8)] = int32(r.Intn(1 << 20))
	}
	x.Blob = make([]byte, 1024)
	r.Read(x.Blob)
	r.Read(x.UUID[:])
	x.Ptr = NewNested()
	for i := range 8 {
		n := NewNested()
		n.ID = int32(i)
		x.List = append(x.List, *n)
	}
	return x
}
