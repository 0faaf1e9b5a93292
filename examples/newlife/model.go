// Package newlife shows types that exchange messages with .NET programs which use
// NewLife.Core's SpanSerializer: the type option newlife gives a struct the
// defaults of that side.
//
//   - A class member is a pointer; nil writes nothing at all, so it may be nil
//     only where nothing follows.
//   - A DateTime takes four bytes, seconds since 1970.
//   - A nullable value has a byte in front, as in Go's own profile.
//   - Input may end at the boundary of a field; what is missing is zero.
package newlife

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

//go:generate go tool spangen

// Device is a class with a member of another class.
//
//span:generate
type Device struct {
	_         struct{} `span:"newlife"`
	ID        int32
	Title     string
	Last      *Reading
	Timestamp int64
}

// Reading has the members of an ordinary class.
//
//span:generate
type Reading struct {
	_         struct{} `span:"newlife"`
	ID        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

type (
	// Color is an enum, which is written as its underlying integer.
	Color uint8
	// State is an enum of 4 bytes.
	State int32
	// Big is an enum of 8 bytes.
	Big uint64
	// Small is an enum of 2 bytes.
	Small int16
)

// Enums has one of each.
//
//span:generate
type Enums struct {
	_ struct{} `span:"newlife"`
	C Color
	S State
	L Big
	H Small
}

// Tail ends in a class member, which therefore may be nil.
//
//span:generate
type Tail struct {
	_    struct{} `span:"newlife"`
	ID   int32
	Last *Reading
}

// Money has the scalars that Go has no types for.
//
//span:generate
type Money struct {
	_     struct{} `span:"newlife"`
	ID    span.GUID
	Price span.Decimal
	Unit  span.Char
	Sold  *time.Time // Nullable<DateTime>
}
