// Package models holds the Go forms of the .NET classes that the recorded
// vectors are of. Each has the members of its class in wire order, so that the
// NewLife profile gives it the class's bytes.
package models

import (
	"time"

	"github.com/spanwire/spanwire/span"
)

// Scalars has a member of every plain number.
//
//span:generate
type Scalars struct {
	_   struct{} `span:"newlife"`
	B   bool
	I8  int8
	U8  uint8
	I16 int16
	U16 uint16
	I32 int32
	U32 uint32
	I64 int64
	U64 uint64
	F32 float32
	F64 float64
}

// Numbers is Scalars without I8.
//
//span:generate
type Numbers struct {
	_   struct{} `span:"newlife"`
	B   bool
	U8  uint8
	I16 int16
	U16 uint16
	I32 int32
	U32 uint32
	I64 int64
	U64 uint64
	F32 float32
	F64 float64
}

// SByteModel has an sbyte.
//
//span:generate
type SByteModel struct {
	_     struct{} `span:"newlife"`
	V     int8
	After uint8
}

// Text has a number between two strings.
//
//span:generate
type Text struct {
	_ struct{} `span:"newlife"`
	A string
	N int32
	B string
}

// Times has a DateTime.
//
//span:generate
type Times struct {
	_     struct{} `span:"newlife"`
	T     time.Time
	After uint8
}

// Color is an enum of bytes.
type Color uint8

// State is an enum of the usual size.
type State int32

// Big is an enum of ulong.
type Big uint64

// Small16 is an enum of short.
type Small16 int16

// Nullables has a Nullable<T> member of every kind, Guid included.
//
//span:generate
type Nullables struct {
	_   struct{} `span:"newlife"`
	B   *bool
	U8  *uint8
	I16 *int16
	I32 *int32
	I64 *int64
	F64 *float64
	T   *time.Time
	C   *Color
	G   *span.GUID
}

// NullableScalars is Nullables without the Guid, which NewLife can't write.
//
//span:generate
type NullableScalars struct {
	_   struct{} `span:"newlife"`
	B   *bool
	U8  *uint8
	I16 *int16
	I32 *int32
	I64 *int64
	F64 *float64
	T   *time.Time
	C   *Color
}

// Enums has enums of four sizes.
//
//span:generate
type Enums struct {
	_ struct{} `span:"newlife"`
	C Color
	S State
	L Big
	H Small16
}

// BytesModel has a byte array.
//
//span:generate
type BytesModel struct {
	_     struct{} `span:"newlife"`
	Data  []byte
	After uint8
}

// GuidModel has a Guid.
//
//span:generate
type GuidModel struct {
	_     struct{} `span:"newlife"`
	Id    span.GUID
	After uint8
}

// DecimalModel has a Decimal.
//
//span:generate
type DecimalModel struct {
	_     struct{} `span:"newlife"`
	D     span.Decimal
	After uint8
}

// CharModel has a Char.
//
//span:generate
type CharModel struct {
	_     struct{} `span:"newlife"`
	C     span.Char
	After uint8
}
