package models

import "time"

// Simple is an object of the usual members.
//
//span:generate
type Simple struct {
	_         struct{} `span:"newlife"`
	Id        int32
	Name      string
	IsActive  bool
	CreatedAt time.Time
	Score     float64
}

// Nested has an object in its middle, which NewLife can't write when null.
//
//span:generate
type Nested struct {
	_         struct{} `span:"newlife"`
	Id        int32
	Title     string
	Inner     *Simple
	Timestamp int64
}

// NestedTail has an object at its end, where null is possible.
//
//span:generate
type NestedTail struct {
	_     struct{} `span:"newlife"`
	Id    int32
	Inner *Simple
}

// Point is a value type.
//
//span:generate
type Point struct {
	_ struct{} `span:"newlife"`
	X int32
	Y int32
}

// StructMember has a value type between two numbers.
//
//span:generate
type StructMember struct {
	_      struct{} `span:"newlife"`
	Before int16
	P      Point
	After  int16
}

// BaseModel is the base class of Derived.
//
//span:generate
type BaseModel struct {
	_        struct{} `span:"newlife"`
	BaseId   int32
	BaseName string
}

// Derived is a derived class: the members of its base come first.
//
//span:generate
type Derived struct {
	_ struct{} `span:"newlife"`
	BaseModel
	Own     int16
	OwnName string
}

// Deep is a chain.
//
//span:generate
type Deep struct {
	_     struct{} `span:"newlife"`
	Level int32
	Next  *Deep
}

// FastHolder has a member that writes itself.
//
//span:generate
type FastHolder struct {
	_      struct{} `span:"newlife"`
	Before int16
	F      *Fast
	After  int16
}
